/** Flags that several commands share, and how their values are read. */

import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createFailure, EXIT } from '../actors/files/failure.ts';
import type {
  MindChoice,
  RunLimits,
  SeatChoice,
  SeatOverrides,
} from '../actors/minds/openai/seats.ts';
import { type Lens, parseLens } from '../machines/journal/lens.ts';
import { isOwn, SUCCESSOR_KINDS } from '../machines/rules/mindKinds.ts';
import { BELIEF_TIMES, COLOURS, type Colour, LEVELS } from '../machines/types.ts';

/** Seconds that a person needs to read and to write a sentence. */
export const THINK = 90;

const PLAIN_MINDS = SUCCESSOR_KINDS.filter((kind) => !isOwn({ mind: kind }));

export const MIND_WORDS = `${PLAIN_MINDS.join(', ')}, "command:PROGRAM", http://URL or module:FILE`;

export function addTrustFlags<C extends Command>(command: C): C {
  return command
    .option('--run-minds', 'start the programs that the journal names as own minds')
    .addOption(createEndpointFlag());
}

export function createEndpointFlag(): Option {
  const help = 'ask the endpoints that the journal names, with the keys that it names';
  return option('--endpoint-from-journal', help);
}

/** Seen from where the command line is typed, whatever the file of the match says. */
const HERE = '.';

export function parseMind(text: string): MindChoice {
  const [, kind = text, rest = ''] = /^(\w+):(.*)$/s.exec(text) ?? [];
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return { mind: 'http', url: text };
  if (kind === 'command' && rest.trim() !== '')
    return { mind: 'command', command: rest.trim(), folder: HERE };
  if (kind === 'module' && rest !== '') return { mind: 'module', module: rest, folder: HERE };
  const plain = PLAIN_MINDS.find((one) => one === text);
  if (plain !== undefined) return { mind: plain };
  throw new InvalidArgumentError(`expected ${MIND_WORDS}.`);
}

export function parseSeats(text: string): readonly SeatChoice[] {
  return text.split(',').map((word) => {
    const [colour = '', ...rest] = word.split('=');
    const model = rest.join('=').trim();
    if (rest.length > 0 && model === '')
      throw new InvalidArgumentError('expected a model after "=", as in red=gpt-5-mini.');
    return { colour: parseSeat(colour), model: rest.length === 0 ? null : model };
  });
}

/** Seeds that people can read out to each other. Any whole number that JavaScript holds exactly is accepted. */
const SEEDS = 1_000_000;

export function parseCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (!/^\d+$/.test(text) || count < least || count > most)
      throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}.`);
    return count;
  };
}

export const parseSeed = parseCount(0, Number.MAX_SAFE_INTEGER);

/** Chance enters here and nowhere else: a run without --seed gets one, and says which. */
export function drawSeed(): number {
  return randomInt(SEEDS);
}

function parseNumber(least: number, most: number, expected: string): (text: string) => number {
  return (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`expected ${expected}.`);
  };
}

export const parseJobs = parseCount(1, 256);

export const parseRate = parseNumber(0, 1, 'a share from 0 to 1');

/** A file that is written: standard output has other uses. */
export function parseDestination(text: string): string {
  if (text === '' || text === '-') throw new InvalidArgumentError('expected the name of a file.');
  return text;
}

function parseOneOf<Word extends string>(
  words: readonly Word[],
  expected: string,
): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`expected ${expected}.`);
  };
}

const parseColour = parseOneOf(COLOURS, `one of ${COLOURS.join(', ')}`);

export function parseSeat(text: string): Colour {
  return parseColour(text.trim().toLowerCase());
}

function parseLensFlag(text: string): Lens {
  const lens = parseLens(text);
  if (lens === null)
    throw new InvalidArgumentError('expected table, glass, or player:COLOUR such as player:red.');
  return lens;
}

export function createLensOption(): Option {
  return option('--lens <lens>', 'view to show: table, glass or player:COLOUR', parseLensFlag);
}

export function createGlassOption(): Option {
  return createLensOption().default({ type: 'glass' }, 'glass');
}

/** Refuses to look with the eyes of a player who is not there; null is a table that is not known. */
export function refuseAbsentLens(lens: Lens, seated: readonly string[] | null): void {
  if (lens.type !== 'player' || seated === null || seated.includes(lens.seat)) return;
  const text = `--lens player:${lens.seat}: ${lens.seat} has no seat (seated: ${seated.join(', ')})`;
  throw createFailure(EXIT.usage, 'lens/not-seated', text);
}

export const WIDE_OPTION = [
  '--wide',
  'every column, also those that do not fit the terminal',
] as const;

export const SPEEDS = { slow: 0.5, normal: 1, fast: 3, max: Infinity } as const;

/** Factors that differ visibly from no rest at all, and from a standstill. */
const SLOWEST = 0.1;
const FASTEST = 100;

const parseFactor = parseNumber(
  SLOWEST,
  FASTEST,
  `${Object.keys(SPEEDS).join(', ')} or a factor from ${SLOWEST} to ${FASTEST}`,
);

export function createSpeedOption(): Option {
  const parse = (text: string) =>
    Object.entries(SPEEDS).find(([name]) => name === text)?.[1] ?? parseFactor(text);
  return option('--speed <speed>', 'pace: slow, normal, fast, max or a factor', parse);
}

const FROM = ['start', 'meeting'] as const;
export type From = (typeof FROM)[number];

/** Before the first meeting, the ship is shown, or summed up in two lines. */
export function createFromOption(): Option {
  const parse = parseOneOf(FROM, FROM.join(' or '));
  return option('--from <where>', 'begin at the "start" or at the first "meeting"', parse);
}

/** `--live` without a number and no flag at all take a free port; `--no-live` serves no page. */
export type LiveFlag = number | boolean;

const MOST_PORTS = 65_535;

export function addShowFlags<C extends Command>(command: C): C {
  return command
    .option('--live [port]', 'show the match in the browser while it runs', parsePort)
    .option('--no-live', 'serve no page')
    .option('--json', 'print results as JSON')
    .option('-q, --quiet', 'print the result only');
}

export const parsePort = parseCount(0, MOST_PORTS);

export function listTyped(command: Command): readonly string[] {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .flatMap(({ long }) => long ?? []);
}

export function addOutletFlags<C extends Command>(command: C, about: string, verdicts: string): C {
  return command
    .option('--page <file>', `write a page to explore ${about}`, parseDestination)
    .option('--explore [port]', 'serve that page on this machine, and open a browser', parsePort)
    .option('--junit <file>', `write ${verdicts} as JUnit XML`, parseDestination)
    .option(...FORCE_OPTION);
}

/** A journal is never written over, with it or without it. */
export const FORCE_OPTION = ['--force', 'write over a file of another kind'] as const;

export function createBeliefsOption(): Option {
  const times = BELIEF_TIMES.join(', ');
  const parse = parseOneOf(BELIEF_TIMES, `one of ${times}`);
  return option('--beliefs [when]', `ask players whom they suspect: ${times}`, parse).preset(
    'meeting',
  );
}

export function createStoreOption(): Option {
  return option(
    '--store <place>',
    'store: a file or a Redis URL; default: $REDIS_URL, else journals/glassbox.db',
  );
}

/** How long a command waits for models, in seconds. */
export type WaitFlags = Pick<RunLimits, 'maxTick' | 'maxWait'>;

export type ModelFlags = SeatOverrides &
  RunLimits & {
    readonly runMinds?: boolean;
    readonly endpointFromJournal?: boolean;
    readonly mindLog?: string;
    readonly dotenv?: string;
    readonly profile?: string;
    readonly prices?: string;
    /** Whether answers are streamed. Undefined: only where somebody looks on. */
    readonly stream?: boolean;
  };

const TIME_WORDS = '90s or 5m';
/** More than a user can mean. */
const MOST = 1_000_000_000;
/** Requests that a hosted endpoint takes from one customer at once, and a server at home from one player. */
const CONCURRENCY = 8;
const MOST_CONCURRENT = 1_000;

/** The group, in the order of its help. A profile has the same names without the dashes. */
export function createModelOptions(): readonly Option[] {
  return [
    createModelOption('language model for every seat; with a,b,c the seats take turns'),
    option('--provider <name>', 'endpoint by its short name: openai, openrouter, ollama, vllm …'),
    option('--base-url <url>', 'endpoint that speaks the OpenAI protocol', parseUrl),
    option('--key <variable>', 'environment variable that holds the API key', parseVariable),
    option('--headers <json>', 'more headers, with the variables of their values', parseHeaders),
    // Node.js claims --env-file for itself.
    option('--dotenv <file>', 'file with environment variables, such as .env'),
    option('--temperature <t>', 'sampling temperature from 0 to 2; default: 0.8', parseTemperature),
    option('--effort <word>', 'how much the model thinks: minimal, low, medium, high …'),
    option('--extra-body <json>', 'fields added to the body of each request', parseFields),
    option('--level <level>', 'strategy advice in the prompt').choices(LEVELS),
    option('--stream', 'ask for answers as streams; default: where their words are shown'),
    option('--no-stream', 'disable streaming unless the endpoint requires it'),
    option('--concurrency <n>', 'concurrent requests to one model', parseCount(1, MOST_CONCURRENT))
      // The default is set where a command takes the group.
      .default(CONCURRENCY),
    option('--per-minute <n>', 'requests per minute to one model', parseCount(1, MOST)),
    ...createWaitOptions(),
    option('--max-calls <n>', 'most requests to models, over all games', parseCount(0, MOST)),
    option('--max-tokens <n>', 'most tokens, over all games', parseCount(0, MOST)),
    option('--max-cost <dollars>', 'most dollars, over all games', parseAmount),
    option('--max-minutes <n>', 'most minutes, over all games', parseAmount),
    option('--prices <file>', 'JSON file with prices in dollars per million tokens'),
    option('--mind-log <file>', 'file for what own minds write to standard error'),
  ];
}

function option(flags: string, help: string, parse?: (text: string) => unknown): Option {
  const made = new Option(flags, help);
  return parse === undefined ? made : made.argParser(parse);
}

function createModelOption(help: string): Option {
  return option('--model <names>', help, parseModels);
}

function createWaitOptions(): readonly Option[] {
  const answer = `longest wait for an answer: ${TIME_WORDS}; default: 5m`;
  const rest = 'longest wait for a model that loads or asks for a rest; default: 10m';
  return [
    option('--max-tick <time>', answer, parseTime),
    option('--max-wait <time>', rest, parseTime),
  ];
}

export function addWaitFlags<C extends Command>(command: C): C {
  for (const one of createWaitOptions()) command.addOption(one);
  return command;
}

function parseModels(text: string): readonly string[] {
  const models = text.split(',').map((name) => name.trim());
  if (models.includes(''))
    throw new InvalidArgumentError('expected the name of a model, or several: a,b,c.');
  return models;
}

const HOTTEST = 2;
const parseTemperature = parseNumber(0, HOTTEST, `a number from 0 to ${HOTTEST}`);

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value));
  } catch {}
  throw new InvalidArgumentError('expected a JSON object such as {"top_p": 0.9}.');
}

function parseHeaders(text: string): Readonly<Record<string, string>> {
  const fields = Object.entries(parseFields(text));
  if (fields.every(([name]) => /^[\w-]+$/.test(name)))
    return Object.fromEntries(fields.map(([name, value]) => [name, parseVariable(String(value))]));
  throw new InvalidArgumentError('expected names of headers, such as {"api-key": "AZURE_KEY"}.');
}

function parseUrl(text: string): string {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('expected a URL such as http://localhost:11434/v1.');
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

const parseAmount = parseNumber(0, Number.MAX_VALUE, 'an amount such as 0.5');

const UNITS = new Map(Object.entries({ s: 1, m: 60, h: 3600 }));
const MOST_SECONDS = 86_400;

/** Reads a time such as 90s or 5m, in seconds. A number alone counts seconds. */
function parseTime(text: string): number {
  const [, count = '', unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(text.trim()) ?? [];
  const seconds = Number(count) * (UNITS.get(unit) ?? 1);
  if (seconds < 1 || seconds > MOST_SECONDS)
    throw new InvalidArgumentError(`expected a time from 1s to 24h, such as ${TIME_WORDS}.`);
  return seconds;
}

/** Adds the group to a command, whose help shows only --model and --profile. */
export function addModelFlags<C extends Command>(command: C, does: string): C {
  command
    .hook('preAction', prepareModels)
    .addOption(createModelOption(does))
    .option('--profile <name>', 'model options from a file; see "glassbox help models"');
  for (const one of createModelOptions()) {
    if (one.long !== '--model') command.addOption(one.hideHelp());
  }
  return command.addHelpText(
    'after',
    '\nMore options for models and their budgets: glassbox help models',
  );
}

async function prepareModels(_: Command, command: Command): Promise<void> {
  const { profile } = command.opts<Partial<ModelFlags>>();
  if (profile !== undefined) {
    const { openProfile } = await import('./profile.ts');
    for (const [name, value] of await openProfile(profile, createModelOptions())) {
      // A flag on the command line wins over the profile.
      if (command.getOptionValueSource(name) === 'cli') continue;
      command.setOptionValueWithSource(name, value, 'config');
    }
  }
  const { dotenv, provider } = command.opts<Partial<ModelFlags>>();
  if (dotenv === undefined && provider === undefined) return;
  const { addEnvironment, refuseUnknownProvider } = await import('./profile.ts');
  if (provider !== undefined) refuseUnknownProvider(provider);
  if (dotenv !== undefined) await addEnvironment(dotenv);
}

export function describeModelFlags(): string {
  const group = new Command('… --model <names>')
    .usage('[options]')
    .helpOption(false)
    .description(
      'Options for language models. The commands play, run, resume, fork, why, benchmark and doctor take them.',
    );
  for (const one of createModelOptions()) group.addOption(one);
  return `${group.helpInformation()}
A profile holds these options in YAML, without the dashes:

  model: gemma3
  base-url: http://localhost:11434/v1
  max-cost: 0.5

--profile NAME reads NAME.yaml in $XDG_CONFIG_HOME/glassbox (~/.config/glassbox
without that variable). --profile ./FILE.yaml reads that file. A flag on the
command line wins. A profile never holds a key: "key" names a variable.
`;
}
