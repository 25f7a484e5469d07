/** Work on many files, on several threads if that is worth it. Outcomes are delivered in the order of the files. */
import { availableParallelism } from 'node:os';
import { nextTurn } from '../ports/time.ts';
import { JobQueue, WorkerPool } from './pool.ts';

/** Files for each thread at least: to start one costs as much as to work through some of them. */
const WORTH_A_THREAD = 20;
const IN_HAND = 3;

const STANDARD_INPUT = '-';

export type FileWork<Outcome> = {
  readonly file: URL;
  readonly data: unknown;
  readonly work: (path: string) => Promise<Outcome>;
  readonly lose: (path: string, reason: string) => Outcome;
};

export async function workThroughFiles<Outcome>(
  files: readonly string[],
  { work, ...rest }: FileWork<Outcome>,
  onOutcome: (outcome: Outcome, path: string) => void,
): Promise<void> {
  const threads = Math.min(availableParallelism(), Math.floor(files.length / WORTH_A_THREAD));
  if (threads < 2) {
    for (const path of files) onOutcome(await work(path), path);
    return;
  }
  // A file that is named twice is read once. Standard input is read on this thread.
  const queue = new JobQueue(new Set(files.filter((path) => path !== STANDARD_INPUT)));
  const { take: deliver, close } = createDelivery(files, onOutcome, () => queue.stop());
  const options = { ...rest, threads: threads - 1, jobsInHand: IN_HAND };
  const pool = new WorkerPool<string, Outcome>({ ...options, queue, onOutcome: deliver });
  pool.work();
  const first = files.includes(STANDARD_INPUT) ? STANDARD_INPUT : null;
  for (let path = first ?? queue.take(); path !== null; path = queue.take()) {
    deliver(await work(path), path);
    // The other threads are handed their next files between two of this one's.
    await nextTurn();
  }
  await pool.idle();
  await pool.close();
  close();
}

export async function workElsewhere<Outcome>(
  path: string,
  { file, data, lose }: FileWork<Outcome>,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const queue = new JobQueue([path]);
  const options = { file, data, lose, threads: 1, jobsInHand: 1 };
  const pool = new WorkerPool<string, Outcome>({ ...options, queue, onOutcome: resolve });
  pool.work();
  const outcome = await promise;
  await pool.close();
  return outcome;
}

/** Delivers outcomes in the order of their jobs. If a delivery throws, `close` does too. */
export function createDelivery<Job, Outcome>(
  jobs: readonly Job[],
  onOutcome: (outcome: Outcome, job: Job) => void,
  stop: () => void,
) {
  const early = new Map<Job, Outcome>();
  const last = new Map(jobs.map((job, index) => [job, index]));
  let due = 0;
  let lost: { readonly error: unknown } | null = null;
  const take = (outcome: Outcome, job: Job) => {
    early.set(job, outcome);
    while (lost === null) {
      const next = jobs[due];
      const found = next === undefined ? undefined : early.get(next);
      if (next === undefined || found === undefined) return;
      // Delivered outcomes are released, so that memory stays bounded.
      if (last.get(next) === due) early.delete(next);
      due += 1;
      try {
        onOutcome(found, next);
      } catch (error) {
        lost = { error };
        stop();
      }
    }
  };
  const close = () => {
    if (lost !== null) throw lost.error;
  };
  return { take, close };
}
