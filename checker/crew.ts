/**
 * A workers: the worker threads of one search, and who of them is busy with what.
 *
 * Whoever awaits an arrival hears of everything that ends the waiting: a worker that found something, one that is
 * ready, and one that is lost.
 */
import { Worker } from 'node:worker_threads';
import type { ChunkFindings, StateChunk, WorkerMessage, WorkerSetup } from './portion.ts';

/** A chunk to work on and one to go on with, so that nobody waits for the next one. */
const MOST_CHUNKS = 2;

/** A thread ended before the search did: it ran out of memory, or something in the model ended it. */
export class WorkerLost extends Error {
  readonly code = 'worker/lost';

  constructor(reason: string) {
    super(`a worker ended before the search did: ${reason}`);
    this.name = 'WorkerLost';
  }
}

/** Findings, and the number of the worker whose they are. */
export type FoundChunk = { readonly worker: number; readonly findings: ChunkFindings };

type SearchWorker = {
  readonly number: number;
  readonly thread: Worker;
  isReady: boolean;
  /** Chunks that it was handed and has not brought back. */
  chunks: number;
  /** States that it knows of: the news for it begin there. */
  known: number;
};

export class SearchWorkers {
  readonly #members: readonly SearchWorker[];
  /** What was brought back and not yet asked for, by the first state of the chunk. */
  readonly #found = new Map<number, FoundChunk>();
  #lost: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(workers: number, setup: WorkerSetup) {
    this.#members = Array.from({ length: workers }, (_, number) => {
      const thread = new Worker(new URL('./worker.ts', import.meta.url), { workerData: setup });
      const member = { number, thread, isReady: false, chunks: 0, known: 1 };
      thread.on('message', (message: WorkerMessage) => this.#hear(member, message));
      thread.on('messageerror', (error) => this.#lose(error.message));
      thread.on('error', (error) =>
        this.#lose(error instanceof Error ? error.message : `${error}`),
      );
      thread.on('exit', (code) => this.#lose(`exit code ${code}`));
      return member;
    });
  }

  /** The worker who has least to do; null when nobody can take another chunk. */
  get free(): SearchWorker | null {
    let free: SearchWorker | null = null;
    for (const member of this.#members) {
      const hasRoom = member.isReady && member.chunks < MOST_CHUNKS;
      if (hasRoom && (free === null || member.chunks < free.chunks)) free = member;
    }
    return free;
  }

  send(member: SearchWorker, chunk: StateChunk): void {
    member.chunks += 1;
    member.known += chunk.news.length / 2;
    member.thread.postMessage(chunk);
  }

  /** What was found in the chunk that begins there; null when it is not back. */
  take(first: number): FoundChunk | null {
    const found = this.#found.get(first) ?? null;
    this.#found.delete(first);
    return found;
  }

  /** Something has happened, or happens now. */
  async awaitMessage(): Promise<void> {
    if (this.#lost !== null) throw this.#lost;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
    if (this.#lost !== null) throw this.#lost;
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(({ thread }) => thread.terminate()));
  }

  #hear(member: SearchWorker, message: WorkerMessage): void {
    if (message.type === 'ready') member.isReady = true;
    else {
      member.chunks -= 1;
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
