/** A pool of workers. If one ends by itself, its current job is lost, and another worker takes its place. */
import type { WorkerHandle, Workers } from '../ports/ports.ts';
import { reach } from '../ports/reach.ts';
import { parentThread, realWorkers } from '../ports/threads.ts';
import { nextTurn } from '../ports/time.ts';

export class JobQueue<Job> {
  readonly #jobs: Iterator<Job>;
  #first: Job[] = [];
  #isStopped = false;

  constructor(jobs: Iterable<Job> = []) {
    this.#jobs = jobs[Symbol.iterator]();
  }

  take(): Job | null {
    const first = this.#first.shift();
    if (first !== undefined) return first;
    if (this.#isStopped) return null;
    const { done, value } = this.#jobs.next();
    return done ? null : value;
  }

  put(job: Job): void {
    this.#first.push(job);
  }

  giveBack(jobs: readonly Job[]): void {
    this.#first = [...jobs, ...this.#first];
  }

  /** From now on only returned jobs are handed out. */
  stop(): void {
    this.#isStopped = true;
  }
}

type ToWorker<Job> =
  | { readonly type: 'begin'; readonly number: number; readonly job: Job }
  | { readonly type: 'stop' };

/** A worker's messages: it can begin another job while this one is written, and the outcome of a job. */
type FromWorker<Outcome> =
  | { readonly type: 'free'; readonly number: number }
  | { readonly type: 'done'; readonly number: number; readonly outcome: Outcome };

export type WorkerPoolOptions<Job, Outcome> = {
  /** Workers at most; each is started when there is a job for it. */
  readonly threads: number;
  /** Calls `serveJobs`. */
  readonly file: URL;
  readonly data?: unknown;
  readonly jobsInHand: number;
  readonly queue: JobQueue<Job>;
  readonly onOutcome: (outcome: Outcome, job: Job) => void;
  readonly lose: (job: Job, reason: string) => Outcome;
  readonly workers?: Workers;
};

type PoolWorker<Job> = {
  readonly handle: WorkerHandle<ToWorker<Job>>;
  /** The job that it is at, and those that it has not begun, by number. */
  readonly waiting: Map<number, Job>;
  readonly ending: Map<number, Job>;
};

export class WorkerPool<Job, Outcome> {
  readonly #options: WorkerPoolOptions<Job, Outcome>;
  readonly #workers = new Set<PoolWorker<Job>>();
  readonly #onIdle: (() => void)[] = [];
  #last = 0;
  #isClosed = false;

  constructor(options: WorkerPoolOptions<Job, Outcome>) {
    this.#options = options;
  }

  work(): void {
    if (this.#isClosed) return;
    for (const worker of this.#workers) this.#hand(worker);
    while (this.#workers.size < this.#options.threads) {
      const job = this.#options.queue.take();
      if (job === null) break;
      this.#hand(this.#start(), job);
    }
    if (this.#isIdle()) for (const tell of this.#onIdle.splice(0)) tell();
  }

  async idle(): Promise<void> {
    if (this.#isIdle()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle.push(resolve);
    await promise;
  }

  stop(): void {
    for (const { handle } of this.#workers) handle.send({ type: 'stop' });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#workers].map(({ handle }) => handle.stop()));
  }

  #isIdle(): boolean {
    return [...this.#workers].every(({ waiting, ending }) => waiting.size + ending.size === 0);
  }

  #start(): PoolWorker<Job> {
    const { file, data, workers = realWorkers } = this.#options;
    const handle = workers.start<ToWorker<Job>, FromWorker<Outcome>>(file, data, {
      onMessage: (message) => this.#hear(worker, message),
      onEnd: (reason) => this.#lose(worker, reason),
    });
    const worker: PoolWorker<Job> = { handle, waiting: new Map(), ending: new Map() };
    this.#workers.add(worker);
    return worker;
  }

  #hand({ handle, waiting }: PoolWorker<Job>, first: Job | null = null): void {
    const { queue, jobsInHand } = this.#options;
    let next = first;
    while (waiting.size < jobsInHand) {
      const job = next ?? queue.take();
      next = null;
      if (job === null) return;
      this.#last += 1;
      waiting.set(this.#last, job);
      handle.send({ type: 'begin', number: this.#last, job });
    }
  }

  #hear({ waiting, ending }: PoolWorker<Job>, message: FromWorker<Outcome>): void {
    const { number } = message;
    const job = waiting.get(number) ?? ending.get(number);
    if (job === undefined) return;
    waiting.delete(number);
    if (message.type === 'free') ending.set(number, job);
    else ending.delete(number);
    if (message.type === 'done') this.#options.onOutcome(message.outcome, job);
    this.work();
  }

  #lose(worker: PoolWorker<Job>, reason: string): void {
    this.#workers.delete(worker);
    const [current, ...others] = worker.waiting.values();
    if (this.#isClosed) return;
    reach('thread-lost');
    this.#options.queue.giveBack(others);
    const lost = [...worker.ending.values(), ...(current === undefined ? [] : [current])];
    const text = `the thread that played it ended: ${reason}`;
    for (const job of lost) this.#options.onOutcome(this.#options.lose(job, text), job);
    this.work();
  }
}

/** Tasks that a thread has at once: the next one is there when the last one is done. */
const TASKS_IN_HAND = 3;

export class TaskPool<Task, Outcome extends object> {
  readonly atOnce: number;
  readonly #queue = new JobQueue<Task>();
  readonly #waiting = new Map<Task, (outcome: Outcome | LostTask) => void>();
  readonly #pool: WorkerPool<Task, Outcome | LostTask>;

  constructor(
    options: Pick<WorkerPoolOptions<Task, Outcome>, 'threads' | 'file' | 'data' | 'workers'>,
    jobsInHand = TASKS_IN_HAND,
  ) {
    this.atOnce = options.threads * jobsInHand;
    this.#pool = new WorkerPool<Task, Outcome | LostTask>({
      ...options,
      jobsInHand,
      queue: this.#queue,
      onOutcome: (outcome, task) => {
        this.#waiting.get(task)?.(outcome);
        this.#waiting.delete(task);
      },
      lose: (_, lost) => ({ lost }),
    });
  }

  async run(task: Task): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome | LostTask>();
    this.#waiting.set(task, resolve);
    this.#queue.put(task);
    this.#pool.work();
    const outcome = await promise;
    if ('lost' in outcome) throw new Error(outcome.lost);
    return outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }
}

export type TaskWorker<Task, Outcome extends object> = Pick<
  TaskPool<Task, Outcome>,
  'atOnce' | 'run' | typeof Symbol.asyncDispose
>;

/** The same on this thread, task by task. A stop request can arrive between two of them. */
export function workHere<Task, Outcome extends object>(
  work: (task: Task) => Promise<Outcome>,
): TaskWorker<Task, Outcome> {
  return {
    atOnce: 1,
    run: async (task) => {
      const outcome = await work(task);
      await nextTurn();
      return outcome;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

export type LostTask = { readonly lost: string };

export type BegunJob<Outcome> = {
  readonly over: Promise<unknown>;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  stop(): void;
};

export function serveJobs<Job, Outcome>(begin: (job: Job) => BegunJob<Outcome>): void {
  const begun = new Set<BegunJob<Outcome>>();
  const tell = (message: FromWorker<Outcome>) => parentThread.send(message);
  const act = async (number: number, job: Job) => {
    const one = begin(job);
    begun.add(one);
    await one.over;
    tell({ type: 'free', number });
    const outcome = await one.outcome;
    begun.delete(one);
    tell({ type: 'done', number, outcome });
  };
  parentThread.onMessage<ToWorker<Job>>((message) => {
    if (message.type === 'begin') void act(message.number, message.job);
    else for (const one of begun) one.stop();
  });
}

export function serveTasks<Task, Outcome extends object>(
  work: (task: Task) => Promise<Outcome>,
): void {
  serveJobs<Task, Outcome | LostTask>((task) => {
    const outcome = work(task).catch(
      (error: unknown): LostTask => ({
        lost: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    return { over: outcome, outcome, stop: () => {} };
  });
}

/** Works on items in order, some at a time, until `isStopped`. The first failure ends it and is thrown. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  { work, isStopped }: { work: (item: T) => Promise<void>; isStopped: () => boolean },
): Promise<void> {
  const queue = items.values();
  let hasFailed = false;
  const take = async () => {
    for (const item of queue) {
      if (hasFailed || isStopped()) return;
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, take));
}
