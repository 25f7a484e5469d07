/** One game of a league. One with models continues from the journal of an earlier attempt, and reuses its replies. */

import { canonical } from '../../machines/journal/canonical.ts';
import type { LineBody } from '../../machines/journal/codec.ts';
import type { Channel, Line, LineOf } from '../../machines/journal/lines.ts';
import { isSlow } from '../../machines/rules/mindKinds.ts';
import { prepare } from '../../machines/setup/prepare.ts';
import type { BySeat, Note } from '../../machines/types.ts';
import type { ReflectionView } from '../../prompts/reflection.ts';
import { SimulatedClock } from '../engine/clock.ts';
import { isPlayable, readJournal } from '../engine/journal/reader.ts';
import {
  beginJournal,
  chainOrigin,
  type RecordedLine,
  type Recorder,
} from '../engine/journal/recorder.ts';
import {
  createMatch,
  type GameFinish,
  type ReadyGame,
  type RunningMatch,
  startMatch,
} from '../engine/match.ts';
import type { ModelMinds } from '../minds/kinds.ts';
import { reflect } from '../minds/scripted/traits.ts';
import { hashText } from '../ports/hash.ts';
import type { TimePort } from '../ports/ports.ts';
import { reach } from '../ports/reach.ts';
import { realTime } from '../ports/time.ts';
import { startReplay } from '../replay/replay.ts';
import {
  addCounters,
  type Counters,
  type GameResult,
  type JournalHashes,
  type ResultSeat,
} from '../stores/result.ts';
import { cleanLessons } from './knowledge.ts';
import type { LeagueGame, LeagueSeat } from './plan.ts';

/** `aborted`: to be continued; `unusable`: paused, as a model can't play; `broken`: unplayable, or its worker ended. */
export type LostLeagueGame = {
  readonly type: 'aborted' | 'unusable' | 'broken';
  readonly slot: number;
  readonly text: string;
};

export type LeagueGameOutcome =
  | {
      readonly type: 'played';
      readonly slot: number;
      readonly result: GameResult;
      /** The whole text; null where it has been saved already. */
      readonly journal: string | null;
    }
  | LostLeagueGame;

export type GameModels = {
  readonly minds: ModelMinds;
  /** The game has begun: it can be paused, and its recorder takes notes of requests. */
  attach(game: { pause(): void }, recorder: Recorder): void;
  paused(): Note | null;
  reflect(seat: LeagueSeat, view: ReflectionView): Promise<ReflectionOutcome>;
  close(): Promise<void>;
};

export type ReflectionOutcome = {
  readonly learned: readonly string[] | null;
  readonly cost: Counters;
};

export type OpenJournal = {
  readonly past: string;
  readonly ahead: string;
  /** Discards earlier text, so that the game starts anew. */
  begin(): void;
  write(text: string): void;
};

export type GameServices = {
  readonly count: (lines: readonly Line[]) => BySeat<Counters>;
  readonly models: GameModels | null;
  readonly time?: TimePort;
};

export async function playLeagueGame(
  game: LeagueGame,
  services: GameServices,
  opened: OpenJournal | null = null,
): Promise<LeagueGameOutcome> {
  const { slot, seed, match } = game;
  const { models } = services;
  try {
    const creation = createMatch(match, seed, models?.minds ?? null);
    if (!creation.ok)
      return { type: 'broken', slot, text: creation.refusals.map(({ text }) => text).join('; ') };
    const finished = await runGame(creation.ready, services, opened);
    const pause = models?.paused() ?? null;
    if (pause !== null) {
      const type = pause.code === 'unusable' ? pause.code : 'aborted';
      return { type, slot, text: `the game is paused: ${pause.text}` };
    }
    if (finished.score.reason === 'interrupted')
      return { type: 'aborted', slot, text: 'the game was stopped' };
    const result = await makeResult(game, creation.ready, finished, services);
    return { type: 'played', slot, result, journal: finished.text };
  } finally {
    await models?.close();
  }
}

type FinishedGame = {
  readonly score: GameFinish;
  readonly lookBack: RunningMatch['lookBack'] | undefined;
  readonly lines: readonly Line[];
  readonly text: string;
};

async function runGame(
  crew: ReadyGame,
  { models, time = realTime }: GameServices,
  opened: OpenJournal | null,
): Promise<FinishedGame> {
  const isSlow = Object.values(crew.minds).some(({ pace }) => pace === 'in-time');
  const clock = isSlow ? time : new SimulatedClock();
  if (opened !== null && opened.past !== '') {
    const continued = await continueGame(crew, opened, models, clock);
    if (continued !== null) return continued;
    reach('game-anew');
  }
  opened?.begin();
  const written: RecordedLine[] = [];
  const recorder = beginJournal(crew.headers, {
    // Without slow minds a time would only make two runs differ.
    time: isSlow ? time : null,
    onLine: (line) => {
      written.push(line);
      opened?.write(`${line.text}\n`);
    },
  });
  const game = startMatch({ ...crew, clock, recorder });
  models?.attach(game, recorder);
  return toFinishedGame(await game.result, written, game);
}

/** Continues the game of an open journal; null if that is no record of this very game, with these minds. */
async function continueGame(
  { headers }: ReadyGame,
  opened: OpenJournal,
  models: GameModels | null,
  clock: TimePort,
): Promise<FinishedGame | null> {
  const journal = readJournal(opened.past);
  if (!isPlayable(journal) || !isHeader(headers.living, journal.lines[0])) return null;
  const texts = opened.past.split('\n');
  const past = journal.lines.map((line, index) => ({ line, text: texts[index] ?? '' }));
  const behind: RecordedLine[] = [];
  const again = startReplay(journal, {
    clock,
    models: models?.minds ?? null,
    successors: (minds) => minds,
    beatMs: 0,
    onLine: (line, isNew) => {
      if (!isNew) return;
      behind.push(line);
      opened.write(`${line.text}\n`);
    },
  });
  models?.attach(again, again.recorder);
  const score = await again.result;
  if (again.verdict().type === 'different' || !('rounds' in score)) return null;
  reach('game-continued');
  return toFinishedGame(score, [...past, ...behind], again);
}

/** The result of a game from its whole journal: its replies are in there, so no mind is asked. Null for another journal. */
export async function readPlayedGame(
  game: LeagueGame,
  text: string,
  count: GameServices['count'],
): Promise<GameResult | null> {
  const journal = readJournal(text);
  const creation = createMatch(game.match, game.seed, null);
  if (journal.damageCount > 0 || !creation.ok || !isJournalOf(game, journal.lines)) return null;
  const again = startReplay(journal, { clock: new SimulatedClock(), onLine: () => {} });
  const score = await again.result;
  const verdict = again.verdict();
  if (verdict.type === 'different' || verdict.unfinished || !('rounds' in score)) return null;
  if (score.reason === 'interrupted') return null;
  const finished = { score, lookBack: again.lookBack, lines: journal.lines, text };
  return await makeResult(game, creation.ready, finished, { count, models: null });
}

/** Whether a journal begins with the match of this game, on whatever machine it was played. */
export function isJournalOf({ match, seed }: LeagueGame, lines: readonly Line[]): boolean {
  const header = lines.find((line): line is LineOf<'match.opened'> => line.type === 'match.opened');
  const preparation = prepare(match, seed);
  if (header?.seed !== seed || !preparation.ok) return false;
  const { ghosts: _ghosts, ...expected } = preparation.prepared.match;
  return describeMatch(header.match) === describeMatch(expected);
}

/** A match without the folders of its minds, which differ between machines. */
function describeMatch(match: Pick<LeagueGame['match'], 'seats'>): string {
  const seats = match.seats.map((seat) => ({ ...seat, folder: undefined }));
  return canonical({ ...match, seats });
}

/** Whether a journal begins as this game does: a store may be anybody's, and its journals name minds and keys too. */
function isHeader(written: LineBody, found: Line | undefined): boolean {
  return Object.entries(written).every(
    ([key, value]) =>
      found !== undefined && canonical([Reflect.get(found, key)]) === canonical([value]),
  );
}

export function readHeads(lines: readonly Line[]): JournalHashes {
  const last = (channel: Channel) =>
    lines.findLast((line) => line.channel === channel)?.hash ?? chainOrigin(channel);
  return { living: last('living'), ghosts: last('ghosts') };
}

function toFinishedGame(
  score: GameFinish,
  written: readonly Pick<RecordedLine, 'line' | 'text'>[],
  { lookBack }: Pick<RunningMatch, 'lookBack'>,
): FinishedGame {
  return {
    score,
    lookBack,
    lines: written.map(({ line }) => line),
    text: written.map(({ text }) => `${text}\n`).join(''),
  };
}

async function makeResult(
  game: LeagueGame,
  crew: ReadyGame,
  finished: FinishedGame,
  services: GameServices,
): Promise<GameResult> {
  const { league, slot, game: id, seed, seats, engine } = game;
  const { winner, reason, rounds, meetings } = finished.score;
  const tallies = services.count(finished.lines);
  const makeSeat = async (seat: LeagueSeat): Promise<ResultSeat> => {
    const { colour, model, persona, memory } = seat;
    const role = crew.players.find((one) => one.colour === colour)?.role ?? 'crewmate';
    const won = winner === (role === 'impostor' ? 'impostors' : 'crew');
    const tally = { ...tallies[colour] };
    const experience = { role, won, reason, tally };
    const { learned, cost } = seat.learns
      ? await reflectOnGame(seat, experience, { game, finished, ...services })
      : NO_LESSONS;
    return {
      ...{ colour, role, model, persona, won, memory },
      tally: addCounters(tally, cost),
      learned: learned === null ? null : [...cleanLessons(learned)],
    };
  };
  return {
    ...{ v: 2, league, slot, game: id, seed, engine },
    ...{ winner, reason, rounds, meetings },
    seats: await Promise.all(seats.map(makeSeat)),
    journal: readHeads(finished.lines),
    clock: { journal: hashText(finished.text) },
  };
}

const NO_LESSONS: ReflectionOutcome = { learned: null, cost: {} };

/** A persona's lessons from a game: a scripted mind reflects by rules, a model or an own mind in its own words. */
async function reflectOnGame(
  seat: LeagueSeat,
  experience: Parameters<typeof reflect>[1],
  { game, finished, models }: GameServices & { game: LeagueGame; finished: FinishedGame },
): Promise<ReflectionOutcome> {
  const { colour } = seat;
  const written = game.match.seats.find((one) => one.colour === colour);
  if (written !== undefined && !isSlow(written))
    return { learned: reflect(written.learned ?? [], experience), cost: {} };
  const view = finished.lookBack?.(colour);
  if (written === undefined || models === null || view === undefined) return NO_LESSONS;
  return await models.reflect(seat, { ...view, ending: finished.score });
}
