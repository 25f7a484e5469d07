/**
 * A match from the outside: a few functions over the engine, which take text and plain objects and need no wiring.
 *
 * Seeds are inputs: the same seed and the same replies give the same journal, byte for byte.
 */
import { readGame, readMeeting } from '../actors/engine/configFile.ts';
import { type Journal, readJournal } from '../actors/engine/journal/reader.ts';
import { MemorySink } from '../actors/engine/journal/sink.ts';
import { createMatch, type GameFinish, type MeetingResult } from '../actors/engine/match.ts';
import { playMatch } from '../actors/engine/play.ts';
import { type BudgetLimits, NO_LIMIT } from '../actors/minds/openai/budget.ts';
import { MatchModels } from '../actors/minds/openai/matchModels.ts';
import type { Prices } from '../actors/minds/openai/prices.ts';
import type { Mind } from '../actors/minds/port.ts';
import {
  continueMatch,
  cutBefore,
  isOver,
  type ReplayMoment,
  sayOnce,
  seedOf,
} from '../actors/replay/continue.ts';
import { type Replay, replay } from '../actors/replay/replay.ts';
import type { Line } from '../machines/journal/lines.ts';
import {
  type GameMatchInput,
  type Match,
  type MeetingMatchInput,
  matchSchema,
} from '../machines/setup/match.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import type { BySeat, Colour, Note } from '../machines/types.ts';

export type { GameFinish, MeetingResult } from '../actors/engine/match.ts';
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
};

type PlayingOptions = {
  /** Minds of your own, by seat; the others are those of the match. */
  readonly minds?: BySeat<Mind>;
  readonly models?: ModelOptions;
  /** Called with each line of the journal as it is written. */
  readonly onLine?: (line: Line) => void;
};

export type MatchOptions = PlayingOptions & {
  /** Without it a plain game of `players`. */
  readonly match?: MatchInput;
  /** 4 to 15; 8 without it. Of no effect with `match`. */
  readonly players?: number;
  /** A whole number from 0; 1 without it. */
  readonly seed?: number;
};

/** How a match ended. `ejected` and `ticks` are those of a meeting, `winner`, `rounds` and `meetings` those of a game. */
export type MatchResult =
  | ({ readonly type: 'meeting' } & MeetingResult)
  | ({ readonly type: 'game' } & GameFinish);

/** A match that is being played. */
export type StartedMatch = {
  /**
   * Resolves when the match is over. No mind can make it reject.
   *
   * @throws MatchPaused when the endpoint of a model cannot go on; resume the match from its journal
   */
  readonly result: Promise<MatchResult>;
  /** The text of the journal so far. */
  journal(): string;
  /** Interrupts the match: in a round at once, in a meeting after the tick that is open. */
  stop(): void;
  /** Ends the match as a limit does: a meeting as `unconverged`, a game as `unfinished`. */
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
 * Starts a match.
 *
 * It takes simulated time where every mind answers at once, and real time where one of them waits for something.
 *
 * @throws MatchRefused when the match makes no sense, with every reason
 */
export function startMatch(options: MatchOptions = {}): StartedMatch {
  const { match, players = DEFAULT_PLAYERS, seed = 1, minds = {}, onLine } = options;
  const models = createModels(options.models, seed);
  const written = match === undefined ? plainGame(players) : readMatch(match);
  const creation = createMatch(written, seed, models.minds);
  if (!creation.ok) throw new MatchRefused(creation.refusals);
  const { ready } = creation;
  refuseStrangers(minds, Object.keys(ready.minds));
  const sink = new MemorySink();
  const ours = { ...ready, minds: { ...ready.minds, ...minds } };
  const playing = playMatch(ours, {
    sink,
    onLine: (line) => {
      onLine?.(line);
      return false;
    },
  });
  models.attach(playing, playing.recorder);
  const result = playing.result.then((found): MatchResult => {
    if (models.paused !== null) throw new MatchPaused(models.paused);
    return 'outcome' in found ? { type: 'meeting', ...found } : { type: 'game', ...found };
  });
  return { result, journal: () => sink.text, stop: playing.stop, end: playing.end };
}

const DEFAULT_PLAYERS = 8;
const DEFAULT_CONCURRENCY = 8;

function createModels(options: ModelOptions = {}, seed: number): MatchModels {
  const { budget, prices = {}, concurrency = DEFAULT_CONCURRENCY, perMinute = null } = options;
  const limits = { concurrency, perMinute };
  return new MatchModels({ seed, prices, limits, budget: { ...NO_LIMIT, ...budget } });
}

function readMatch(input: MatchInput): Match {
  if (typeof input !== 'string') {
    const checked = matchSchema.safeParse(input);
    if (checked.success) return checked.data;
    // In text the same mistakes are found with their place and what was meant.
    return readMatch(JSON.stringify(input));
  }
  const game = readGame(input);
  if (game.ok) return game.match;
  const meeting = readMeeting(input);
  if (meeting.ok) return meeting.match;
  throw new MatchRefused(/^\s*"?call"?\s*:/m.test(input) ? meeting.notes : game.notes);
}

function refuseStrangers(minds: BySeat<Mind>, seated: readonly string[]): void {
  const stranger = Object.keys(minds).find((seat) => !seated.includes(seat));
  if (stranger === undefined) return;
  const text = `minds: ${stranger} has no seat (seated: ${seated.join(', ')})`;
  throw new MatchRefused([{ code: 'match/no-such-seat', text }]);
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

export type ResumeOptions = PlayingOptions;

/** What came of going on with a journal. */
export type ContinuedMatch = Omit<StartedMatch, 'result'> & {
  /** Resolves when the match is over. */
  readonly result: Promise<{
    /** Lines that were there, and lines that came. */
    readonly recorded: number;
    readonly played: number;
    /** The line that ends the match; null when it was interrupted. */
    readonly end: Line | null;
  }>;
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
  return continueFrom(past, rowsOf(journal, past), options);
}

export type ForkOptions = PlayingOptions & {
  /** The moment from which all players think anew: a tick of a meeting (both from 0), or a round. */
  readonly at: ReplayMoment;
  /** What a player says in that tick, by seat. */
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
  const whole = openJournal(journal);
  const past = cutBefore(whole, at);
  if (past === null || past.lines.length === 0) {
    const text = `at: the journal has no such moment, found ${JSON.stringify(at)}`;
    throw new MatchRefused([{ code: 'journal/no-such-moment', text }]);
  }
  return continueFrom(past, rowsOf(journal, past), options, say);
}

function continueFrom(
  past: Journal,
  rows: string,
  { minds = {}, models: modelOptions, onLine }: PlayingOptions,
  say: BySeat<string> = {},
): ContinuedMatch {
  const models = createModels(modelOptions, seedOf(past));
  models.remember(past);
  const sink = new MemorySink();
  sink.write(rows);
  const continued = continueMatch(past, {
    sink,
    models: models.minds,
    successors: (before) => speakFor({ ...before, ...minds }, say),
    isReal: Object.values(minds).some((mind) => mind?.pace === 'in-time'),
    onLine,
  });
  if (continued.type === 'unplayable') {
    throw new MatchRefused([{ code: 'journal/unplayable', text: continued.text }]);
  }
  models.attach(continued, continued.recorder);
  const result = continued.result.then(({ difference, ...found }) => {
    if (models.paused !== null) throw new MatchPaused(models.paused);
    if (difference === null) return found;
    const text = `the journal differs from what this version plays, at line ${difference.line}`;
    throw new MatchRefused([{ code: 'journal/different', text }]);
  });
  return { result, journal: () => sink.text, stop: continued.stop, end: continued.end };
}

function speakFor(minds: BySeat<Mind>, say: BySeat<string>): BySeat<Mind> {
  const speaking = Object.entries(minds).map(([seat, mind]) => {
    const words = say[seat as Colour]; // keys of minds are seats
    return [seat, mind === undefined || words === undefined ? mind : sayOnce(mind, words)];
  });
  return Object.fromEntries(speaking);
}

function openJournal(text: string): Journal {
  const journal = readJournal(text);
  if (journal.damages.length === 0) return journal;
  throw new MatchRefused(
    journal.damages.map(({ code, text: words, line }) => ({
      code,
      text: `line ${line}: ${words}`,
    })),
  );
}

/** The rows of a journal without damages, up to the end of its past. */
function rowsOf(text: string, { lines }: Journal): string {
  return text
    .split('\n')
    .slice(0, lines.length)
    .map((row) => `${row}\n`)
    .join('');
}
