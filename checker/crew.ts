/**
 * A crew: the worker threads of one search, and who of them is busy with what.
 *
 * Whoever awaits an arrival hears of everything that ends the waiting: a worker that found something, one that is
 * ready, and one that is lost.
 */
import { Worker } from 'node:worker_threads';
import type { Findings, Message, Orders, Portion } from './portion.ts';

/** A portion to work on and one to go on with, so that nobody waits for the next one. */
const MOST_PORTIONS = 2;

/** A thread ended before the search did: it ran out of memory, or something in the model ended it. */
export class WorkerLost extends Error {
  readonly code = 'worker/lost';

  constructor(reason: string) {
    super(`a worker ended before the search did: ${reason}`);
    this.name = 'WorkerLost';
  }
}

/** Findings, and the number of the worker whose they are. */
export type Found = { readonly worker: number; readonly findings: Findings };

type Member = {
  readonly number: number;
  readonly thread: Worker;
  isReady: boolean;
  /** Portions that it was handed and has not brought back. */
  portions: number;
  /** States that it knows of: the news for it begin there. */
  known: number;
};

export class Crew {
  readonly #members: readonly Member[];
  /** What was brought back and not yet asked for, by the first state of the portion. */
  readonly #found = new Map<number, Found>();
  #lost: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(workers: number, orders: Orders) {
    this.#members = Array.from({ length: workers }, (_, number) => {
      const thread = new Worker(new URL('./worker.ts', import.meta.url), { workerData: orders });
      const member = { number, thread, isReady: false, portions: 0, known: 1 };
      thread.on('message', (message: Message) => this.#hear(member, message));
      thread.on('messageerror', (error) => this.#lose(error.message));
      thread.on('error', (error) =>
        this.#lose(error instanceof Error ? error.message : `${error}`),
      );
      thread.on('exit', (code) => this.#lose(`exit code ${code}`));
      return member;
    });
  }

  /** The worker who has least to do; null when nobody can take another portion. */
  get free(): Member | null {
    let free: Member | null = null;
    for (const member of this.#members) {
      const hasRoom = member.isReady && member.portions < MOST_PORTIONS;
      if (hasRoom && (free === null || member.portions < free.portions)) free = member;
    }
    return free;
  }

  hand(member: Member, portion: Portion): void {
    member.portions += 1;
    member.known += portion.news.length / 2;
    member.thread.postMessage(portion);
  }

  /** What was found in the portion that begins there; null when it is not back. */
  take(first: number): Found | null {
    const found = this.#found.get(first) ?? null;
    this.#found.delete(first);
    return found;
  }

  /** Something has happened, or happens now. */
  async arrival(): Promise<void> {
    if (this.#lost !== null) throw this.#lost;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
    if (this.#lost !== null) throw this.#lost;
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(({ thread }) => thread.terminate()));
  }

  #hear(member: Member, message: Message): void {
    if (message.type === 'ready') member.isReady = true;
    else {
      member.portions -= 1;
      this.#found.set(message.findings.first, {
        worker: member.number,
        findings: message.findings,
      });
    }
    this.#wake?.();
  }

  #lose(reason: string): void {
    this.#lost ??= new WorkerLost(reason);
    this.#wake?.();
  }
}
