/** Inspectors: threads that inspect games of the benchmark, or this one alone. */
import { JobQueue, WorkerPool } from '../../actors/jobs/pool.ts';
import { type InspectedGame, type InspectTask, inspectGame } from './inspect.ts';

export type Inspectors = {
  /** How many games are worth handing out at once. */
  readonly atOnce: number;
  inspect(task: InspectTask): Promise<InspectedGame>;
  close(): Promise<void>;
};

/** Inspectors on so many threads; with one, no other thread is started. */
export function openInspectors(threads: number): Inspectors {
  if (threads > 1) return new ThreadedInspectors(threads);
  return {
    atOnce: 1,
    inspect: async (task) => {
      const inspected = await inspectGame(task);
      // A request to end is heard between two games.
      await new Promise((resolve) => setImmediate(resolve));
      return inspected;
    },
    close: async () => {},
  };
}

/** A file beside this one keeps its ending when it is built. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

type InspectOutcome = InspectedGame | { readonly lost: string };

/** Games that a thread has at once, so that it does not wait for the next one. */
const IN_HAND = 2;

class ThreadedInspectors implements Inspectors {
  readonly atOnce: number;
  readonly #queue = new JobQueue<InspectTask>();
  readonly #waiting = new Map<InspectTask, (outcome: InspectOutcome) => void>();
  readonly #pool: WorkerPool<InspectTask, InspectOutcome>;

  constructor(threads: number) {
    this.atOnce = threads * IN_HAND;
    this.#pool = new WorkerPool<InspectTask, InspectOutcome>({
      threads,
      file: WORKER,
      jobsInHand: IN_HAND,
      queue: this.#queue,
      onOutcome: (outcome, task) => {
        this.#waiting.get(task)?.(outcome);
        this.#waiting.delete(task);
      },
      lose: (_, lost) => ({ lost }),
    });
  }

  async inspect(task: InspectTask): Promise<InspectedGame> {
    const { promise, resolve } = Promise.withResolvers<InspectOutcome>();
    this.#waiting.set(task, resolve);
    this.#queue.put(task);
    this.#pool.work();
    const outcome = await promise;
    if ('lost' in outcome) throw new Error(outcome.lost);
    return outcome;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
