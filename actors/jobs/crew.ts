/**
 * A crew: the threads that play the games of a run, and which game each of them is at.
 *
 * A thread that ends by itself takes its game with it: the game is told as lost, and another thread takes the place,
 * so that the games that are left are played.
 */
import { Worker } from 'node:worker_threads';
import type { Outcome, Plan } from './plan.ts';
import { gameSeed } from './seeds.ts';
import type { ToWorker, WorkerData } from './worker.ts';

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
    this.#look();
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
    let game: number | null = first;
    let reason: string | null = null;
    const hand = () => {
      if (game === null) void thread.terminate();
      else tell(thread, { type: 'play', game });
    };
    thread.on('message', (outcome: Outcome) => {
      // The next game is under way before this one is looked at.
      game = this.#options.next();
      hand();
      this.#options.onOutcome(outcome);
    });
    thread.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    thread.on('exit', (code) => {
      this.#threads.delete(thread);
      if (game !== null) this.#lose(game, reason ?? `exit code ${code}`);
      this.#look();
    });
    hand();
  }

  #lose(game: number, reason: string): void {
    const seed = gameSeed(this.#plan.seed, game);
    const text = `the thread that played it ended: ${reason}`;
    this.#options.onOutcome({ type: 'lost', game, seed, why: 'broken', text });
    this.#hire();
  }

  #look(): void {
    if (this.#threads.size === 0) this.#over.resolve();
  }
}

function tell(thread: Worker, message: ToWorker): void {
  thread.postMessage(message);
}
