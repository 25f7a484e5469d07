/**
 * A crew: the threads that play the games of a run, and which game each of them is at.
 *
 * A thread that ends by itself takes its game with it: the game is told as lost, and another thread takes the place,
 * so that the games that are left are played.
 */
import { Worker } from 'node:worker_threads';
import type { Outcome, Plan } from './plan.ts';
import { gameSeed } from './seeds.ts';
import type { FromWorker, ToWorker, WorkerData } from './worker.ts';

export type CrewOptions = {
  readonly jobs: number;
  /** The file that a thread runs. */
  readonly worker: URL;
  /** The number of the next game; null when there is none. */
  readonly next: () => number | null;
  readonly onOutcome: (outcome: Outcome) => void;
};

/** Megabytes for what has just been made: a game makes much that is soon forgotten. */
const YOUNG_MEGABYTES = 64;

export class Crew {
  readonly #plan: Plan;
  readonly #options: CrewOptions;
  readonly #threads = new Set<Worker>();
  readonly #over = Promise.withResolvers<void>();

  constructor(plan: Plan, options: CrewOptions) {
    this.#plan = plan;
    this.#options = options;
  }

  /** Plays until there is no next game; kept when every thread has come to its end. */
  async play(): Promise<void> {
    for (let seat = 0; seat < this.#options.jobs; seat++) this.#hire();
    if (this.#threads.size === 0) this.#over.resolve();
    await this.#over.promise;
  }

  /** Asks every thread to end the game that it is at. */
  stop(): void {
    for (const thread of this.#threads) tell(thread, { type: 'stop' });
  }

  /** A thread with a game to play, as long as there are any. */
  #hire(): void {
    const first = this.#options.next();
    if (first === null) return;
    const workerData: WorkerData = { plan: this.#plan };
    const thread = new Worker(this.#options.worker, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#threads.add(thread);
    /** Games that it was handed and that have come to nothing yet. */
    const games = new Set<number>();
    let reason: string | null = null;
    const hand = (game: number | null) => {
      if (game === null) return;
      games.add(game);
      tell(thread, { type: 'play', game });
    };
    thread.on('message', (message: FromWorker) => {
      if (message.type === 'free') {
        hand(this.#options.next());
        return;
      }
      games.delete(message.game);
      if (games.size === 0) void thread.terminate();
      this.#options.onOutcome(message);
    });
    thread.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    thread.on('exit', (code) => {
      this.#threads.delete(thread);
      for (const game of games) this.#lose(game, reason ?? `exit code ${code}`);
      if (games.size > 0) this.#hire();
      if (this.#threads.size === 0) this.#over.resolve();
    });
    hand(first);
  }

  #lose(game: number, reason: string): void {
    const seed = gameSeed(this.#plan.seed, game);
    const text = `the thread that played it ended: ${reason}`;
    this.#options.onOutcome({ type: 'lost', game, seed, why: 'broken', text });
  }
}

function tell(thread: Worker, message: ToWorker): void {
  thread.postMessage(message);
}
