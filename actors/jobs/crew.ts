/**
 * A crew: the threads that help to play the games of a run, and which game each of them is at.
 *
 * A thread that ends by itself takes the game with it that it was at: that game is told as lost, and another thread
 * takes the place, so that the games that are left are played.
 */
import { Worker } from 'node:worker_threads';
import type { Outcome, Plan } from './plan.ts';
import { gameSeed } from './seeds.ts';
import type { Supply } from './supply.ts';
import type { FromWorker, ToWorker, WorkerData } from './worker.ts';

export type CrewOptions = {
  readonly threads: number;
  /** The file that a thread runs; tests have others. */
  readonly worker: URL;
  readonly supply: Supply;
  readonly onOutcome: (outcome: Outcome) => void;
};

/** A game to play and one to go on with, so that nobody waits for whoever hands them out. */
const IN_HAND = 2;
/** Megabytes for what has just been made: a game makes much that is soon forgotten. */
const YOUNG_MEGABYTES = 32;

/** What a thread was handed. */
type Hand = {
  /** The game that it is at, and those that it has not begun. */
  queue: number[];
  /** Games that are over, while their journals are on the way to the disk. */
  readonly ending: Set<number>;
};

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
    for (let seat = 0; seat < this.#options.threads; seat++) this.#hire();
    if (this.#threads.size === 0) return;
    await this.#over.promise;
  }

  /** Asks every thread to end the games that it is at. */
  stop(): void {
    for (const thread of this.#threads) tell(thread, { type: 'stop' });
  }

  /** A thread with games to play, as long as there are any. */
  #hire(): void {
    const { supply, worker } = this.#options;
    const first = supply.take();
    if (first === null) return;
    const workerData: WorkerData = { plan: this.#plan };
    const thread = new Worker(worker, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#threads.add(thread);
    const hand: Hand = { queue: [], ending: new Set() };
    const give = (game: number | null) => {
      if (game === null) return;
      hand.queue.push(game);
      tell(thread, { type: 'play', game });
    };
    let reason: string | null = null;
    thread.on('message', (message: FromWorker) => this.#hear(thread, message, hand, give));
    thread.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    thread.on('exit', (code) => {
      this.#threads.delete(thread);
      this.#lose(hand, reason ?? `exit code ${code}`);
      if (this.#threads.size === 0) this.#over.resolve();
    });
    give(first);
    for (let more = 1; more < IN_HAND; more++) give(supply.take());
  }

  #hear(
    thread: Worker,
    message: FromWorker,
    { queue, ending }: Hand,
    give: (game: number | null) => void,
  ): void {
    if (message.type === 'free') {
      const game = queue.shift();
      if (game !== undefined) ending.add(game);
      give(this.#options.supply.take());
      return;
    }
    ending.delete(message.game);
    if (queue.length === 0 && ending.size === 0) void thread.terminate();
    this.#options.onOutcome(message);
  }

  /** What a thread that has ended was at is lost; what it had not begun is for others. */
  #lose({ queue, ending }: Hand, reason: string): void {
    const { supply, onOutcome } = this.#options;
    const [current, ...others] = queue;
    if (current === undefined && ending.size === 0) return;
    supply.giveBack(others);
    const text = `the thread that played it ended: ${reason}`;
    for (const game of current === undefined ? ending : [...ending, current]) {
      const seed = gameSeed(this.#plan.seed, game);
      onOutcome({ type: 'lost', game, seed, why: 'broken', text });
    }
    this.#hire();
  }
}

function tell(thread: Worker, message: ToWorker): void {
  thread.postMessage(message);
}
