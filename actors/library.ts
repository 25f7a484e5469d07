/**
 * A match from the outside. The same seed and the same replies give the same journal, byte for byte. In real time only the
 * `clock` of its lines differs, which is in no hash.
 */

import type { Line } from '../machines/journal/lines.ts';
import { isPerson } from '../machines/rules/mindKinds.ts';
import { FEWEST_SEATS, MOST_SEATS } from '../machines/rules/optionRows.ts';
import { mapSeats } from '../machines/rules/seats.ts';
import {
  type GameMatchInput,
  type Match,
  type MatchSeat,
  type MeetingMatchInput,
  matchSchema,
} from '../machines/setup/match.ts';
import { personaOf, plainGame, prepare } from '../machines/setup/prepare.ts';
import type { BySeat, Colour, Note } from '../machines/types.ts';
import { type Identity, pickIdentity } from '../prompts/personas.ts';
import { readMatch } from './engine/configFile.ts';
import { type Journal, readJournal } from './engine/journal/reader.ts';
import { MemorySink } from './engine/journal/sink.ts';
import { createMatch, type GameFinish, type MeetingResult } from './engine/match.ts';
import { playMatch } from './engine/play.ts';
import { type ObservingMind, showRequests } from './minds/observation.ts';
import { type BudgetLimits, NO_LIMIT } from './minds/openai/budget.ts';
import { MatchModels } from './minds/openai/matchModels.ts';
import type { Prices } from './minds/openai/prices.ts';
import { findSeatProblems, findUnpriced, listSeats } from './minds/openai/seats.ts';
import { listForeignEndpoints } from './minds/openai/trust.ts';
import type { Mind } from './minds/port.ts';
import { findSecretsIn } from './minds/secrets.ts';
import { realProcess } from './ports/process.ts';
import {
  type Continuation,
  changeMinds,
  continueMatch,
  cutBefore,
  isOver,
  listOwnMinds,
  type ReplayMoment,
  seedOf,
} from './replay/continue.ts';
import { type Replay, replay } from './replay/replay.ts';

export type { GameFinish, MeetingResult } from './engine/match.ts';
export type { BudgetLimits, Prices, Replay, ReplayMoment };

/** A match: the text of a match file (YAML), or the same as an object. With `call` it starts at the table. */
export type MatchInput = string | MeetingMatchInput | GameMatchInput;

/** What language models may spend, and how they are asked. Keys come from the environment, as the match names them. */
export type ModelOptions = {
  readonly budget?: Partial<BudgetLimits>;
  /** Dollars for a million tokens, by model. */
  readonly prices?: Prices;
  /** Requests under way to one model; 8 without it. */
  readonly concurrency?: number;
  /** Requests to one model in a minute; no limit without it. */
  readonly perMinute?: number;
  /** Asks for streamed answers. An endpoint that only streams is always asked this way. */
  readonly stream?: boolean;
};

type PlayingOptions = {
  /** Your own minds, by seat. The match defines the others. */
  readonly minds?: BySeat<ObservingMind>;
  readonly models?: ModelOptions;
  /** Called with each line of the journal as it is written. If it throws, `result` rejects with that error. */
  readonly onLine?: (line: Line) => void;
  /** Stops the match when it is aborted. */
  readonly signal?: AbortSignal;
};

export type MatchOptions = PlayingOptions & {
  /** Without it a plain game of `players`. */
  readonly match?: MatchInput;
  /** 4 to 15; 8 without it. Of no effect with `match`. */
  readonly players?: number;
  /** A whole number from 0; 1 without it. */
  readonly seed?: number;
  /** Ends each meeting as unconverged after so many ticks; no limit without it. Wins over `max_ticks` of the match. */
  readonly maxTicks?: number;
};

/** How a match ended. A meeting has `ejected` and `ticks`. A game has `winner`, `rounds` and `meetings`. */
export type MatchResult =
  | ({ readonly type: 'meeting' } & MeetingResult)
  | ({ readonly type: 'game' } & GameFinish);

export type StartedMatch = {
  /**
   * Resolves when the match is over. No mind can make it reject.
   *
   * @throws MatchPaused when the endpoint of a model cannot go on; resume the match from its journal
   */
  readonly result: Promise<MatchResult>;
  journal(): string;
  /** Interrupts the match: in a round at once, in a meeting after the tick that is open. */
  stop(): void;
  /** Ends the match as a limit does: a meeting from its first tick on as `unconverged`, a game as `unfinished`. */
  end(): void;
};

/** A match, or a journal, that cannot be played. Each note has a stable code and a sentence. */
export class MatchRefused extends Error {
  readonly notes: readonly Note[];

  constructor(notes: readonly Note[]) {
    super(notes.map(({ code, text }) => `${text} [${code}]`).join('\n'));
    this.name = 'MatchRefused';
    this.notes = notes;
  }
}

/** A match that waits for an endpoint: `code` says what for, such as `auth` or `credits`. */
export class MatchPaused extends Error {
  readonly code: string;

  constructor({ code, text }: Note) {
    super(`${text} [endpoint/${code}]`);
    this.name = 'MatchPaused';
    this.code = code;
  }
}

/**
 * Starts a match, in simulated time if every mind answers at once, and in real time if one waits for something.
 *
 * @throws MatchRefused when the match makes no sense, with every reason
 */
export function startMatch(options: MatchOptions = {}): StartedMatch {
  const { match, players = DEFAULT_PLAYERS, seed = 1, minds = {}, onLine = ignore } = options;
  const { maxTicks, signal } = options;
  refuseUnknownKeys(options, KEYS);
  refuseNumbers(seed, players, maxTicks);
  signal?.throwIfAborted();
  const opened = match === undefined ? plainGame(players) : openMatch(match);
  const written = maxTicks === undefined ? opened : limitTicks(opened, maxTicks);
  refuseSeats(written.seats, minds, options.models);
  const models = createModels(options.models, seed);
  const creation = createMatch(written, seed, models.minds);
  if (!creation.ok) throw new MatchRefused(creation.refusals);
  const { ready } = creation;
  const sink = new MemorySink();
  const whole = { ...ready, minds: { ...ready.minds, ...showAll(minds, ready.match.seats, seed) } };
  const see = holdBack(onLine);
  const playing = playMatch(whole, {
    sink,
    onLine: (line) => {
      see(line);
      return false;
    },
  });
  models.attach(playing, playing.recorder);
  const result = playing.result.then((found): MatchResult => {
    if (models.paused !== null) throw new MatchPaused(models.paused);
    return 'outcome' in found ? { type: 'meeting', ...found } : { type: 'game', ...found };
  });
  const { stop, end } = playing;
  signal?.addEventListener('abort', stop);
  return { result: keepUnread(result), journal: () => sink.text, stop, end };
}

export const DEFAULT_PLAYERS = 8;
const DEFAULT_CONCURRENCY = 8;

const ignore = () => {};

/** The first lines are written before the caller has the match; they are shown when it has. */
function holdBack(onLine: (line: Line) => void): (line: Line) => void {
  let waiting: Line[] | null = [];
  queueMicrotask(() => {
    const first = waiting ?? [];
    waiting = null;
    for (const line of first) onLine(line);
  });
  return (line) => {
    if (waiting === null) onLine(line);
    else waiting.push(line);
  };
}

/** A result that is awaited late, or never, must not end the process; awaiting it still throws. */
function keepUnread<T>(result: Promise<T>): Promise<T> {
  result.catch(ignore);
  return result;
}

const KEYS = ['match', 'players', 'seed', 'minds', 'models', 'onLine', 'signal', 'maxTicks'];

/** A slip in a key would play another match than the one that was meant. */
export function refuseUnknownKeys(options: object, keys: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !keys.includes(key));
  if (unknown === undefined) return;
  const text = `there is no option ${JSON.stringify(unknown)} (options: ${keys.join(', ')})`;
  throw new MatchRefused([{ code: 'match/unknown-option', text }]);
}

export function refuseNumbers(seed: number, players: number, maxTicks = 1): void {
  refuseNumber('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  refuseNumber('players', players, FEWEST_SEATS, MOST_SEATS);
  refuseNumber('maxTicks', maxTicks, 1, Number.MAX_SAFE_INTEGER);
}

function refuseNumber(key: string, found: number, least: number, most: number): void {
  if (Number.isInteger(found) && found >= least && found <= most) return;
  const range =
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `${least} to ${most}`;
  const text = `${key}: expected ${range}, found ${found}`;
  throw new MatchRefused([{ code: `match/${key}`, text }]);
}

function limitTicks<M extends Match>(match: M, max_ticks: number): M {
  return { ...match, options: { ...match.options, max_ticks } };
}

/** Refuses seats that nothing can think for, and minds of seats that are not there. `key` is the option with the minds. */
export function refuseSeats(
  seats: readonly MatchSeat[],
  minds: BySeat<ObservingMind>,
  models?: ModelOptions,
  key = 'minds',
): void {
  const { without = [], given = [] } = Object.groupBy(seats, ({ colour }) =>
    minds[colour] === undefined ? 'without' : 'given',
  );
  const people = without.filter(isPerson).map(({ colour }) => ({
    code: 'match/no-person',
    text: `${colour}: a person can't play here: give this seat a mind in "${key}"`,
  }));
  refuseAny([
    ...findStrangers(seats, minds, key),
    ...findNoMinds(minds),
    ...people,
    // The journal records these seats as they are written, too.
    ...given.flatMap((seat) => findSecretsIn(seat.colour, seat)),
    ...findModelProblems(without, models),
  ]);
}

function refuseAny(notes: readonly Note[]): void {
  if (notes.length > 0) throw new MatchRefused(notes);
}

function findModelProblems(
  seats: readonly MatchSeat[],
  { budget, prices = {} }: ModelOptions = {},
): readonly Note[] {
  return [
    ...findSeatProblems(seats, realProcess.environment),
    ...(typeof budget?.dollars === 'number' ? findUnpriced(seats, prices, NO_PRICE) : []),
  ];
}

const NO_PRICE = {
  limit: 'models: budget: dollars',
  ways: 'name it in "prices", or limit calls or tokens instead',
};

export function findStrangers(
  seats: readonly MatchSeat[],
  named: BySeat<unknown>,
  key: string,
): readonly Note[] {
  const colours: readonly string[] = seats.map(({ colour }) => colour);
  return Object.keys(named)
    .filter((seat) => !colours.includes(seat))
    .map((seat) => ({
      code: 'match/no-such-seat',
      text: `${key}: ${seat} has no seat (seated: ${colours.join(', ')})`,
    }));
}

export function showAll(
  minds: BySeat<ObservingMind>,
  seats: readonly MatchSeat[],
  seed: number,
): BySeat<Mind> {
  return mapSeats(minds, (mind, colour) => showRequests(mind, identify(seats, colour, seed)));
}

export function identify(seats: readonly MatchSeat[], colour: Colour, seed: number): Identity {
  const index = seats.findIndex((seat) => seat.colour === colour);
  const seat = seats[index];
  return pickIdentity(personaOf(seat ?? {}, index), `game-${seed}`, seat?.level);
}

const PACES: readonly unknown[] = ['at-once', 'in-time'];

function findNoMinds(minds: Readonly<Record<string, unknown>>): readonly Note[] {
  return Object.entries(minds).flatMap(([seat, mind]) => {
    const { pace, answer }: { pace?: unknown; answer?: unknown } = Object(mind);
    if (PACES.includes(pace) && typeof answer === 'function') return [];
    const text = `minds: ${seat}: expected a mind with pace ("at-once" or "in-time") and a function answer`;
    return [{ code: 'match/not-a-mind', text }];
  });
}

export function createModels(options: ModelOptions = {}, seed: number): MatchModels {
  const { budget, prices = {}, concurrency = DEFAULT_CONCURRENCY, perMinute = null } = options;
  const limits = { concurrency, perMinute };
  const { stream: streams = false } = options;
  return new MatchModels({ seed, prices, limits, streams, budget: { ...NO_LIMIT, ...budget } });
}

export function openMatch(input: MatchInput): Match {
  if (typeof input !== 'string') {
    const checked = matchSchema.safeParse(input);
    if (checked.success) return checked.data;
  }
  // Reading the input as text finds the same mistakes and adds suggestions. An object has no lines.
  const reading = readMatch(typeof input === 'string' ? input : JSON.stringify(input));
  if (reading.ok) return reading.value;
  if (typeof input === 'string') throw new MatchRefused(reading.notes);
  throw new MatchRefused(
    reading.notes.map(({ code, text }) => ({ code, text: text.replace(/^line \d+[,:] /, '') })),
  );
}

/**
 * Plays a journal again with its recorded replies and compares every line, byte for byte.
 *
 * @param journal the text of a journal
 * @throws MatchRefused when lines are damaged or the file is no journal
 */
export function replayMatch(journal: string): Promise<Replay> {
  return replay(openJournal(journal));
}

export type ResumeOptions = PlayingOptions & {
  /**
   * Whether minds of the operator's own that the journal names are started and asked: programs, modules, web services.
   * Journals come from other people, too, so without it such a journal is refused where `minds` has none instead.
   */
  readonly runMinds?: boolean;
  /**
   * Whether the endpoints that the journal names are asked, with the environment variables that it names as keys. Without
   * it a journal with models is refused where `minds` has none instead.
   */
  readonly endpointsFromJournal?: boolean;
};

export type ContinuedMatch = Omit<StartedMatch, 'result'> & {
  /**
   * Resolves when the match is over.
   *
   * @throws MatchPaused when the endpoint of a model cannot go on
   * @throws MatchRefused when the recorded part is not what this version plays
   */
  readonly result: Promise<Omit<Continuation, 'difference'>>;
};

/**
 * Goes on with a match that was interrupted. Recorded replies are used again, not requested again.
 *
 * @param journal the text of a journal
 * @throws MatchRefused when the journal is damaged, or the match is over
 */
export function resumeMatch(journal: string, options: ResumeOptions = {}): ContinuedMatch {
  const past = openJournal(journal);
  if (isOver(past)) {
    const text = 'the match is over; fork it to play on from an earlier moment';
    throw new MatchRefused([{ code: 'journal/over', text }]);
  }
  return continueFrom(past, { ...options, rows: rowsOf(journal, past), say: {}, isSpent: true });
}

export type ForkOptions = ResumeOptions & {
  /** The moment where all players start to think anew: a tick of a meeting (both from 0), or a round. */
  readonly at: ReplayMoment;
  /** A player's words in their first discussion or voting tick from there, by seat. */
  readonly say?: BySeat<string>;
};

/**
 * Plays on from a moment of a journal, with other minds or other words; the journal itself does not change.
 *
 * @param journal the text of a journal
 * @throws MatchRefused when the journal is damaged, or has no such moment
 */
export function forkMatch(
  journal: string,
  { at, say = {}, ...options }: ForkOptions,
): ContinuedMatch {
  const past = cutBefore(openJournal(journal), at);
  if (past === null) {
    const text = `at: the journal has no such moment, found ${JSON.stringify(at)}`;
    throw new MatchRefused([{ code: 'journal/no-such-moment', text }]);
  }
  return continueFrom(past, { ...options, rows: rowsOf(journal, past), say, isSpent: false });
}

type Continuing = ResumeOptions & {
  readonly rows: string;
  readonly say: BySeat<string>;
  /** Whether past spending counts against the budget. */
  readonly isSpent: boolean;
};

function continueFrom(past: Journal, options: Continuing): ContinuedMatch {
  const { rows, say, isSpent, minds = {}, onLine = ignore } = options;
  options.signal?.throwIfAborted();
  const { runMinds = false, endpointsFromJournal = false } = options;
  const seats = listSeats(past.lines[0]);
  const without = seats.filter(({ colour }) => minds[colour] === undefined);
  refuseAny([
    ...findStrangers(seats, minds, 'minds'),
    ...findNoMinds(minds),
    ...findStrangers(seats, say, 'say'),
  ]);
  if (!runMinds) refuseOwnMinds(without);
  if (!endpointsFromJournal) refuseForeignEndpoints(without);
  refuseAny(findModelProblems(without, options.models));
  const models = createModels(options.models, seedOf(past));
  // Nothing is kept ahead of a text in memory; requests are numbered on behind those that the text has.
  models.writeAhead({ past: '', write: ignore }, past);
  if (isSpent) models.remember(past);
  const sink = new MemorySink();
  sink.write(rows);
  const continued = continueMatch(past, {
    sink,
    models: models.minds,
    successors: (before) =>
      changeMinds(before, { others: showAll(minds, seats, seedOf(past)), say }),
    isReal: Object.values(minds).some((mind) => mind?.pace === 'in-time'),
    onLine: holdBack(onLine),
  });
  models.attach(continued, continued.recorder);
  const result = continued.result.then(({ difference, ...found }) => {
    if (models.paused !== null) throw new MatchPaused(models.paused);
    if (difference === null) return found;
    const text = `the journal differs from what this version plays, at line ${difference.line}`;
    throw new MatchRefused([{ code: 'journal/different', text }]);
  });
  const { stop, end } = continued;
  options.signal?.addEventListener('abort', stop);
  return { result: keepUnread(result), journal: () => sink.text, stop, end };
}

function refuseOwnMinds(seats: readonly MatchSeat[]): void {
  const named = listOwnMinds(seats);
  if (named.length === 0) return;
  const text = `the journal names minds that would be started or asked here (${named.join('; ')}): set runMinds if you trust them, or give these seats minds of yours`;
  throw new MatchRefused([{ code: 'mind/not-trusted', text }]);
}

function refuseForeignEndpoints(seats: readonly MatchSeat[]): void {
  const named = listForeignEndpoints(seats, () => false);
  if (named.length === 0) return;
  const text = `the journal names endpoints that would be asked (${named.join('; ')}): set endpointsFromJournal if you trust it, or give these seats minds of yours`;
  throw new MatchRefused([{ code: 'model/not-trusted', text }]);
}

function openJournal(text: string): Journal {
  if (typeof text !== 'string') {
    const words = `expected the text of a journal, found ${typeof text}`;
    throw new MatchRefused([{ code: 'journal/not-text', text: words }]);
  }
  const journal = readJournal(text);
  const { damages, damageCount, lines } = journal;
  const header = lines[0]?.type === 'match.opened' ? lines[0] : null;
  const preparation = header && prepare(header.match, header.seed, header.rulesVersion);
  if (preparation?.ok === false) throw new MatchRefused(preparation.refusals);
  if (damageCount === 0) return journal;
  const notes = damages.map(({ code, text: words, line }) => {
    return { code, text: `line ${line}: ${words}` };
  });
  const more = damageCount - notes.length;
  if (more > 0) notes.push({ code: 'journal/line', text: `and ${more} more damaged lines` });
  throw new MatchRefused(notes);
}

function rowsOf(text: string, { lines }: Journal): string {
  const rows = text.split('\n').slice(0, lines.length);
  return rows.map((row) => `${row}\n`).join('');
}
