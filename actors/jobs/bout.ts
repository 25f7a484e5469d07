/**
 * A bout: one game of a run, from the lobby to its journal.
 *
 * It is a value of the plan and its number, whoever plays it and whatever else is played meanwhile. Whatever breaks
 * is told as a lost game and never thrown.
 */
import { SimulatedClock } from '../engine/clock.ts';
import { Recorder } from '../engine/journal/recorder.ts';
import { BatchSink } from '../engine/journal/sink.ts';
import { createMatch, type ReadyGame, startMatch } from '../engine/match.ts';
import { journalName, type LostGame, type Outcome, type Plan } from './plan.ts';
import { gameSeed } from './seeds.ts';

export class Bout {
  readonly game: number;
  /** Kept when the game is over; its journal may still be on its way to the disk. */
  readonly over: Promise<void>;
  /** Kept when the journal is on the disk too; never broken. */
  readonly outcome: Promise<Outcome>;
  readonly #seed: number;
  #stop: (() => void) | null = null;
  #isStopped = false;

  constructor(plan: Plan, game: number) {
    this.game = game;
    this.#seed = gameSeed(plan.seed, game);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.outcome = this.#played(plan, resolve)
      .catch((error) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return this.#lost('broken', text);
      })
      .finally(resolve);
  }

  /** Ends the game as soon as its rules allow it. */
  stop(): void {
    this.#isStopped = true;
    this.#stop?.();
  }

  async #played(plan: Plan, isOver: () => void): Promise<Outcome> {
    const { game } = this;
    const { folder, games } = plan;
    const journal = folder === null ? null : `${folder}/${journalName(game, games)}`;
    const sink = journal === null ? null : new BatchSink(journal);
    const crew = crewFor(plan, this.#seed);
    const recorder = sink === null ? null : new Recorder({ sink });
    recorder?.write('living', [crew.headers.living]);
    recorder?.write('ghosts', [crew.headers.ghosts]);
    const played = startMatch({ ...crew, clock: new SimulatedClock(), recorder });
    this.#stop = () => played.stop();
    if (this.#isStopped) played.stop();
    const score = await played.result;
    isOver();
    await sink?.end();
    const failure = sink?.failure ?? null;
    if (failure !== null) return this.#lost('cannot-write', failure);
    const impostors = crew.players.filter(({ role }) => role === 'impostor');
    return {
      type: 'played',
      game,
      seed: this.#seed,
      ...score,
      impostors: impostors.map(({ colour }) => colour),
      journal,
    };
  }

  #lost(why: LostGame['why'], text: string): LostGame {
    return { type: 'lost', game: this.game, seed: this.#seed, why, text };
  }
}

/** The lobby was looked at before the run began. */
function crewFor({ lobby }: Plan, seed: number): ReadyGame {
  const creation = createMatch(lobby, seed);
  if (creation.ok) return creation.ready;
  throw new Error(creation.refusals.map(({ code, text }) => `${code}: ${text}`).join('; '));
}
