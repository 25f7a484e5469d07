/** Flags that several commands share, and how their values are read. */

import { randomInt } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { MindChoice, SeatChoice, SeatOverrides } from '../actors/minds/openai/seats.ts';
import { type Lens, parseLens } from '../machines/journal/lens.ts';
import { isOwn, SUCCESSOR_KINDS } from '../machines/rules/mindKinds.ts';
import {
  BELIEF_TIMES,
  type BeliefTimes,
  COLOURS,
  type Colour,
  LEVELS,
  type RuleSet,
} from '../machines/types.ts';
import { createFailure, EXIT } from './exit.ts';

export type PlayFlags = {
  /** The seat that a person takes; true for the first that is free. */
  readonly play?: Colour | true;
  /** Played in the terminal and not in the page. */
  readonly terminal?: boolean;
  /** Seconds that everybody waits for a person. */
  readonly think?: number;
};

/** Seconds in which a person has read what was said and written a sentence. */
export const THINK = 90;

const MOST_THINKING = 3600;

export function addPlayFlags(command: Command): Command {
  return command
    .option('--play [colour]', 'take a seat yourself, in the browser', parseSeat)
    .option('--terminal', 'with --play: in this terminal instead')
    .option(
      '--think <seconds>',
      `time a human player may think (default: ${THINK})`,
      parseCount(1, MOST_THINKING),
    );
}

const TIME_WORDS = '90s or 5m';

/** How long models are waited for, in seconds. */
export type WaitFlags = {
  /** What the deadline of a model's seat may grow to. */
  readonly maxTick?: number;
  /** What a model may take to load. */
  readonly waitForModel?: number;
};

/** Flags of commands that play with models, a league included. */
export function addWaitFlags(command: Command): Command {
  return command
    .option(
      '--max-tick <time>',
      `longest wait for an answer: ${TIME_WORDS}; without it 5m`,
      parseTime,
    )
    .option(
      '--wait-for-model <time>',
      `longest wait for a model that loads: ${TIME_WORDS}; without it 5m`,
      parseTime,
    );
}

export type ModelFlags = SeatOverrides &
  WaitFlags & {
    /** Whether the programs that a journal names may be started. */
    readonly runMinds?: boolean;
    /** Where own minds' errors are written. */
    readonly mindLog?: string;
    /** A file of environment variables. */
    readonly dotenv?: string;
    readonly prices?: string;
    readonly maxCalls?: number;
    readonly maxTokens?: number;
    readonly maxCost?: number;
    readonly maxMinutes?: number;
    readonly concurrency: number;
    readonly perMinute?: number;
    /** Whether answers are streamed; left out, where somebody looks on. */
    readonly stream?: boolean;
  };

/** More than a user can mean. */
const MOST = 1_000_000_000;
/** What a hosted endpoint takes from one customer, and a server at home from one player. */
const CONCURRENCY = 8;
const MOST_CONCURRENT = 1_000;

/** Flags of a command, with what it does with the model. */
export function addModelFlags(
  command: Command,
  does = 'language model for every seat; of several, a,b,c, one after the other',
): Command {
  const withLimits = command
    .hook('preAction', prepareModels)
    .option('--model <names>', does, parseModels)
    .option('--provider <name>', 'endpoint by a short name: openai, openrouter, ollama, vllm …')
    .option('--base-url <url>', 'endpoint that speaks the OpenAI protocol', parseUrl)
    .option('--key <variable>', 'environment variable that holds the key', parseVariable)
    // Node.js takes --env-file for itself, wherever it stands.
    .option('--dotenv <file>', 'file with environment variables, such as .env')
    .option('--temperature <t>', 'from 0 to 2; without it 0.8', parseTemperature)
    .option('--effort <word>', 'how much the model thinks: minimal, low, medium, high …')
    .option('--extra-body <json>', 'fields added to each request', parseFields)
    .addOption(new Option('--level <level>', 'strategy advice in the prompt').choices(LEVELS))
    .option('--prices <file>', 'JSON file with prices in dollars per million tokens')
    .option('--max-calls <n>', 'most requests to models in all', parseCount(0, MOST))
    .option('--max-tokens <n>', 'most tokens in all', parseCount(0, MOST))
    .option('--max-cost <dollars>', 'most dollars in all', parseAmount)
    .option('--max-minutes <n>', 'most minutes in all', parseAmount)
    .option(
      '--concurrency <n>',
      'concurrent requests to one model',
      parseCount(1, MOST_CONCURRENT),
      CONCURRENCY,
    )
    .option('--per-minute <n>', 'requests per minute to one model', parseCount(1, MOST))
    .option('--stream', 'ask for answers as streams; so it is where their words are shown')
    .option('--no-stream', 'do not, unless an endpoint takes nothing else');
  return addWaitFlags(withLimits);
}

/** What the flags of models ask for before anything else is done. */
async function prepareModels(_: Command, command: Command): Promise<void> {
  const { dotenv, provider } = command.opts<Partial<ModelFlags>>();
  if (dotenv === undefined && provider === undefined) return;
  const { addEnvironment, refuseUnknownProvider } = await import('./providers.ts');
  if (provider !== undefined) refuseUnknownProvider(provider);
  if (dotenv !== undefined) await addEnvironment(dotenv);
}

/** Seconds in a unit of time. */
const UNITS = { s: 1, m: 60, h: 3600 } as const;

const MOST_SECONDS = 86_400;

/** Reads a time such as 90s or 5m, in seconds; a number alone is one of seconds. */
function parseTime(text: string): number {
  const [, count = '', unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(text.trim()) ?? [];
  const [, factor] = Object.entries(UNITS).find(([name]) => name === unit) ?? [];
  const seconds = count === '' ? 0 : Number(count) * (factor ?? 1);
  if (seconds < 1 || seconds > MOST_SECONDS) {
    throw new InvalidArgumentError(`expected a time from 1s to 24h, such as ${TIME_WORDS}.`);
  }
  return seconds;
}

/** Kinds that need to be told nothing, or only what other flags say. */
const PLAIN_MINDS = SUCCESSOR_KINDS.filter((kind) => !isOwn({ mind: kind }));

/** What `--mind` takes, for help. */
export const MIND_WORDS = `${PLAIN_MINDS.join(', ')}, "command:PROGRAM", http://URL or module:FILE`;

/** The flags that put a mind into seats, of commands that begin a match. */
export function addMindFlags(command: Command): Command {
  command
    .option('--mind <mind>', `mind for every seat: ${MIND_WORDS}`, parseMind)
    .option(
      '--seat <colours>',
      'only these seats get --mind or --model: red,blue, or red=gpt-5-mini',
      parseSeats,
    );
  return addMindLogFlag(command);
}

export function addMindLogFlag(command: Command): Command {
  return command.option('--mind-log <file>', 'file for what own minds write to standard error');
}

/** The flags of commands that go on with a journal whose seats may have own minds. */
export function addJournalMindFlags(command: Command): Command {
  return addMindLogFlag(command).option(
    '--run-minds',
    'start the own minds that the journal names; it may come from others',
  );
}

/** Seen from where the command line is typed, whatever the file of the match says. */
const HERE = '.';

export function parseMind(text: string): MindChoice {
  const [, kind = text, rest = ''] = /^(\w+):(.*)$/s.exec(text) ?? [];
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return { mind: 'http', url: text };
  if (kind === 'command' && rest.trim() !== '') {
    return { mind: 'command', command: rest.trim(), folder: HERE };
  }
  if (kind === 'module' && rest !== '') return { mind: 'module', module: rest, folder: HERE };
  const plain = PLAIN_MINDS.find((one) => one === text);
  if (plain !== undefined) return { mind: plain };
  throw new InvalidArgumentError(`expected ${MIND_WORDS}.`);
}

function parseSeats(text: string): readonly SeatChoice[] {
  return text.split(',').map((word) => {
    const [colour = '', ...rest] = word.split('=');
    const model = rest.join('=').trim();
    if (rest.length > 0 && model === '')
      throw new InvalidArgumentError('expected a model after "=", as in red=gpt-5-mini.');
    return { colour: parseSeat(colour), model: rest.length === 0 ? null : model };
  });
}

function parseModels(text: string): readonly string[] {
  const models = text.split(',').map((name) => name.trim());
  if (models.includes(''))
    throw new InvalidArgumentError('expected the name of a model, or several: a,b,c.');
  return models;
}

const HOTTEST = 2;

function parseTemperature(text: string): number {
  const temperature = Number(text);
  if (text.trim() === '' || !(temperature >= 0 && temperature <= HOTTEST))
    throw new InvalidArgumentError(`expected a number from 0 to ${HOTTEST}.`);
  return temperature;
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value));
  } catch {}
  throw new InvalidArgumentError('expected a JSON object such as {"top_p": 0.9}.');
}

function parseUrl(text: string): string {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('expected a URL such as http://localhost:11434/v1.');
  }
  return text.replace(/\/+$/, '');
}

function parseVariable(text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) {
    throw new InvalidArgumentError(
      'expected the name of an environment variable, never the key itself.',
    );
  }
  return text;
}

function parseAmount(text: string): number {
  const amount = Number(text);
  if (text.trim() === '' || !Number.isFinite(amount) || amount < 0) {
    throw new InvalidArgumentError('expected an amount such as 0.5.');
  }
  return amount;
}

/** Seeds that people can read out to each other. Any whole number that JavaScript holds exactly is accepted. */
const SEEDS = 1_000_000;

/** Reads a whole number within limits, written in digits. */
export function parseCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (!/^\d+$/.test(text) || count < least || count > most) {
      throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}.`);
    }
    return count;
  };
}

export const parseSeed = parseCount(0, Number.MAX_SAFE_INTEGER);

/** Chance enters here and nowhere else: a run without --seed gets one, and says which. */
export function drawSeed(): number {
  return randomInt(SEEDS);
}

export function parseRate(text: string): number {
  const rate = Number(text);
  if (text.trim() === '' || Number.isNaN(rate) || rate < 0 || rate > 1) {
    throw new InvalidArgumentError('expected a share from 0 to 1.');
  }
  return rate;
}

/** A file that is written: standard output has other uses. */
export function parseDestination(text: string): string {
  if (text === '' || text === '-') throw new InvalidArgumentError('expected the name of a file.');
  return text;
}

/** A seat, by its colour in any case. */
export function parseSeat(text: string): Colour {
  const seat = COLOURS.find((colour) => colour === text.trim().toLowerCase());
  if (seat === undefined) throw new InvalidArgumentError('expected a colour such as red.');
  return seat;
}

function parseLensFlag(text: string): Lens {
  const lens = parseLens(text);
  if (lens === null) {
    throw new InvalidArgumentError('expected table, glass, or player:COLOUR such as player:red.');
  }
  return lens;
}

export function createLensOption(): Option {
  return new Option('--lens <lens>', 'what to show: table, glass or player:COLOUR')
    .argParser(parseLensFlag)
    .default({ type: 'glass' }, 'glass');
}

/** Refuses to look with the eyes of a player who is not there; null is a table that is not known. */
export function refuseAbsentLens(lens: Lens, seated: readonly string[] | null): void {
  if (lens.type !== 'player' || seated === null || seated.includes(lens.seat)) return;
  throw createFailure(
    EXIT.usage,
    'lens/not-seated',
    `--lens player:${lens.seat}: ${lens.seat} has no seat (seated: ${seated.join(', ')})`,
  );
}

/** For commands whose tables leave out columns where the terminal is narrow. */
export const WIDE_OPTION = [
  '--wide',
  'every column, also those that do not fit the terminal',
] as const;

export const SPEEDS = { slow: 0.5, normal: 1, fast: 3, max: Number.POSITIVE_INFINITY } as const;

/** Factors that differ visibly from no rest at all, and from a standstill. */
const SLOWEST = 0.1;

const FASTEST = 100;

/** Reads --speed: a name, or a factor. */
function parseSpeed(text: string): number {
  const named = Object.entries(SPEEDS).find(([name]) => name === text)?.[1];
  if (named !== undefined) return named;
  const factor = Number(text);
  if (text.trim() === '' || Number.isNaN(factor) || factor < SLOWEST || factor > FASTEST) {
    const names = Object.keys(SPEEDS).join(', ');
    throw new InvalidArgumentError(`expected ${names} or a factor from ${SLOWEST} to ${FASTEST}.`);
  }
  return factor;
}

export function createSpeedOption(more = ''): Option {
  return new Option('--speed <speed>', `slow, normal, fast, max or a factor${more}`).argParser(
    parseSpeed,
  );
}

/** `--live` without a number and no flag at all take a free port; `--no-live` serves no page. */
export type LiveFlag = number | boolean;

const MOST_PORTS = 65_535;

export function createLiveOption(): Option {
  return new Option(
    '--live [port]',
    'show it in the browser as it happens, on this machine only',
  ).argParser(parseCount(0, MOST_PORTS));
}

/** Without a word it asks at each meeting. */
export function createBeliefsOption(): Option {
  return new Option(
    '--beliefs [when]',
    'ask players, beside the game, whom they believe to be an impostor: at each meeting, or after each tick',
  )
    .choices(BELIEF_TIMES)
    .preset('meeting');
}

/** Where results and personas are kept. */
export function createStoreOption(): Option {
  return new Option(
    '--store <place>',
    'a file, or the URL of a Redis; default: REDIS_URL, else a file in journals/',
  );
}

/** What is said of a match that is played, whether a meeting or a game. */
export type MatchFlags = ModelFlags &
  PlayFlags & {
    /** Where journals go without `out`. */
    readonly folder: string;
    readonly seed?: number;
    readonly rules?: RuleSet;
    readonly faultRate?: number;
    /** When players are asked what they believe; left out, they are not. */
    readonly beliefs?: BeliefTimes;
    readonly out?: string;
    readonly lens: Lens;
    readonly speed?: number;
    readonly json?: boolean;
    readonly quiet?: boolean;
    /** Shown in the browser as it happens; without a word of it, the one game that is printed. */
    readonly live?: LiveFlag;
  };
