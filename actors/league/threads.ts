/**
 * Threads that play games of a league: each plays one at a time, and one that dies takes only its own game with it.
 *
 * What a thread runs is the caller's to say: it brings along how games are counted.
 */
import { Worker } from 'node:worker_threads';
import type { Assignment } from './assignment.ts';
import type { SlotOutcome } from './playing.ts';

/** Megabytes for what has just been made: a game makes much that is soon forgotten. */
const YOUNG_MEGABYTES = 64;

type Waiting = { readonly game: Assignment; readonly over: (outcome: SlotOutcome) => void };

export class Threads {
  readonly #file: URL;
  readonly #most: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Waiting>();
  readonly #queue: Waiting[] = [];
  #isClosed = false;

  constructor(file: URL, most: number) {
    this.#file = file;
    this.#most = most;
  }

  /** Plays a game as soon as a thread is free. A thread that ends by itself leaves it broken. */
  play(game: Assignment): Promise<SlotOutcome> {
    const { promise, resolve } = Promise.withResolvers<SlotOutcome>();
    this.#queue.push({ game, over: resolve });
    this.#deal();
    return promise;
  }

  /** Ends all threads, and what they play with them; nobody is hired any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#idle.splice(0), ...this.#busy.keys()];
    await Promise.all(all.map((thread) => thread.terminate()));
  }

  #deal(): void {
    while (!this.#isClosed && this.#queue.length > 0 && this.#busy.size < this.#most) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const thread = this.#idle.pop() ?? this.#hire();
      this.#busy.set(thread, next);
      thread.postMessage(next.game);
    }
  }

  #hire(): Worker {
    const thread = new Worker(this.#file, {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    let reason: string | null = null;
    thread.on('message', (outcome: SlotOutcome) => {
      this.#end(thread, outcome);
      this.#idle.push(thread);
      this.#deal();
    });
    thread.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    thread.on('exit', (code) => {
      if (this.#isClosed) return;
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
      const slot = this.#busy.get(thread)?.game.slot ?? 0;
      const text = `the thread that played it ended: ${reason ?? `exit code ${code}`}`;
      this.#end(thread, { type: 'broken', slot, text });
      this.#deal();
    });
    return thread;
  }

  #end(thread: Worker, outcome: SlotOutcome): void {
    const waiting = this.#busy.get(thread);
    this.#busy.delete(thread);
    waiting?.over(outcome);
  }
}
