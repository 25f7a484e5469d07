/** One game of a run. Plan and outcome are plain data for other threads; a game that breaks down is an outcome. */
import { drawWords } from '../../machines/rules/dice.ts';
import type { GameMatch } from '../../machines/setup/match.ts';
import type { BeliefTimes, Colour } from '../../machines/types.ts';
import { withBeliefs } from '../engine/beliefs.ts';
import { SimulatedClock } from '../engine/clock.ts';
import { beginJournal } from '../engine/journal/recorder.ts';
import { BatchSink } from '../engine/journal/sink.ts';
import { createMatch, type GameFinish, type ReadyGame, startMatch } from '../engine/match.ts';
import { createBeliefSettings } from '../minds/believers.ts';

export type RunPlan = {
  readonly match: GameMatch;
  readonly seed: number;
  readonly games: number;
  readonly beliefs?: BeliefTimes | null;
  /** Where the journals go, as a path without the last part; null writes none. */
  readonly folder: string | null;
};

export type PlayedGame = GameFinish & {
  readonly type: 'played';
  readonly game: number;
  readonly seed: number;
  readonly impostors: readonly Colour[];
  readonly journal: string | null;
};

/** A game that broke down: a mistake of the program, a thread that died, or a disk that takes no more. */
export type LostGame = {
  readonly type: 'lost';
  readonly game: number;
  readonly seed: number;
  readonly why: 'broken' | 'cannot-write';
  readonly text: string;
};

export type JobOutcome = PlayedGame | LostGame;

const FEWEST_DIGITS = 4;

/** Names sort like games. */
export function journalName(game: number, games: number): string {
  return `${String(game).padStart(Math.max(FEWEST_DIGITS, String(games).length), '0')}.jsonl`;
}

/** Seeds of games stay below this: thirteen digits can still be read out, and two games in a million may share one. */
const SEEDS = 2 ** 40;
const TWO_32 = 2 ** 32;

/** Games count from 1. The first one has the seed of the run, so any game can be played alone as a run of one. */
export function gameSeed(seed: number, game: number): number {
  if (game === 1) return seed;
  const [high, low] = drawWords({ seed, meeting: 0, stream: 'run', tick: game }, 0);
  return (high % (SEEDS / TWO_32)) * TWO_32 + low;
}

export class GameJob {
  readonly game: number;
  /** Resolves when the game is over; its journal may still be on its way to the disk. */
  readonly over: Promise<void>;
  /** Resolves when the journal is on the disk too; never rejects. */
  readonly outcome: Promise<JobOutcome>;
  readonly #plan: RunPlan;
  #stop: (() => void) | null = null;
  #isStopped = false;

  constructor(plan: RunPlan, game: number) {
    this.game = game;
    this.#plan = plan;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.outcome = this.#play(resolve)
      .catch((error) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return loseGame(plan, game, text);
      })
      .finally(resolve);
  }

  stop(): void {
    this.#isStopped = true;
    this.#stop?.();
  }

  async #play(isOver: () => void): Promise<JobOutcome> {
    const { game } = this;
    const plan = this.#plan;
    const seed = gameSeed(plan.seed, game);
    const journal = plan.folder === null ? null : `${plan.folder}/${journalName(game, plan.games)}`;
    const sink = journal === null ? null : new BatchSink(journal);
    const creation = createMatch(plan.match, seed);
    // The match was looked at before the run began.
    if (!creation.ok)
      throw new Error(creation.refusals.map(({ code, text }) => `${code}: ${text}`).join('; '));
    const crew = creation.ready;
    const beliefs = createBeliefSettings(plan.beliefs ?? null, crew.match, seed);
    const recorder =
      sink === null ? null : beginJournal(withBeliefs(crew.headers, beliefs), { sink });
    const played = startMatch({ ...crew, clock: new SimulatedClock(), recorder, beliefs });
    this.#stop = () => played.stop();
    if (this.#isStopped) played.stop();
    const score = await played.result;
    isOver();
    await sink?.end();
    const failure = sink?.failure ?? null;
    if (failure !== null) return loseGame(plan, game, failure, 'cannot-write');
    return toPlayedGame(crew, score, { game, journal });
  }
}

export function toPlayedGame(
  { players, seed }: ReadyGame,
  score: GameFinish,
  { game, journal }: Pick<PlayedGame, 'game' | 'journal'>,
): PlayedGame {
  const impostors = players.filter(({ role }) => role === 'impostor').map(({ colour }) => colour);
  return { type: 'played', game, seed, ...score, impostors, journal };
}

export function loseGame(
  { seed }: RunPlan,
  game: number,
  text: string,
  why: LostGame['why'] = 'broken',
): LostGame {
  return { type: 'lost', game, seed: gameSeed(seed, game), why, text };
}
