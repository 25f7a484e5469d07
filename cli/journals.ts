/**
 * Many journals: those at some paths and in some folders, worked through in order, on several threads where they are
 * many enough to be worth it.
 */
import { availableParallelism } from 'node:os';
import { createFailure, EXIT, type ExitCode, Failure, nameOf } from '../actors/files/failure.ts';
import { findEntry, findFiles, refuseAbsent } from '../actors/files/openFiles.ts';
import { JobQueue, WorkerPool } from '../actors/jobs/pool.ts';
import type { JournalOutcome, JournalTask } from './journalWork.ts';

export type FoundJournals = {
  readonly files: readonly string[];
  /** The named folders, each with its journals. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** One journal was named, and no folder. */
  readonly isOne: boolean;
};

/** The journals at some paths. Those in a folder are sorted by name. */
export function findJournals(paths: readonly string[]): FoundJournals {
  const folders = new Map<string, readonly string[]>();
  const files = paths.flatMap((path) => {
    if (!isFolder(path)) return [path];
    const found = journalsInFolder(path);
    folders.set(path, found);
    return found;
  });
  return { files, folders, isOne: files.length === 1 && files[0] === paths[0] };
}

function journalsInFolder(folder: string): readonly string[] {
  const names = findFiles('**/*.jsonl{,.gz,.zst}', folder);
  if (names.length > 0) return names.map((name) => `${folder.replace(/\/+$/, '')}/${name}`);
  const text = `expected journals (*.jsonl, *.jsonl.gz, *.jsonl.zst) in ${nameOf(folder)}, found none`;
  throw createFailure(EXIT.noInput, 'input/no-journals', text);
}

function isFolder(path: string): boolean {
  if (path === STANDARD_INPUT) return false;
  refuseAbsent(path, 'a journal or a folder');
  return findEntry(path) === 'folder';
}

/**
 * What the command says of journals that it could not use. Where one journal was named, every note about it counts; of many,
 * the first of each. The exit status is the gravest: our own mistake, then damage, then what is not there.
 */
export function refuseJournals(refused: readonly Failure[], isOne: boolean): Failure {
  const has = (exit: ExitCode) => refused.some((one) => one.exit === exit);
  const gravest = has(EXIT.internal) ? EXIT.internal : has(EXIT.damaged) ? EXIT.damaged : null;
  const [first] = refused;
  return new Failure(
    gravest ?? first?.exit ?? EXIT.damaged,
    refused.flatMap(({ notes }) => (isOne ? notes : notes.slice(0, 1))),
    isOne ? (first?.unlisted ?? 0) : 0,
  );
}

/** Journals for each thread at least: to start one costs as much as to work through some of them. */
const WORTH_A_THREAD = 20;
/** Journals that a thread has at once, so that none waits for the next one. */
const IN_HAND = 3;

const STANDARD_INPUT = '-';

/** A file beside this one keeps its ending when it is built. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './journalWorker.ts' : './journalWorker.js',
  import.meta.url,
);

/** Works through journals; `onOutcome` is called for each, in their order. */
export async function workThrough(
  files: readonly string[],
  task: JournalTask,
  onOutcome: (outcome: JournalOutcome, path: string) => void,
): Promise<void> {
  const threads = Math.min(availableParallelism(), Math.floor(files.length / WORTH_A_THREAD));
  const { workOnJournal } = await import('./journalWork.ts');
  if (threads < 2) {
    for (const path of files) onOutcome(await workOnJournal(path, task), path);
    return;
  }
  // A journal that is named twice is read once. Standard input is read on this thread.
  const queue = new JobQueue(new Set(files.filter((path) => path !== STANDARD_INPUT)));
  const line = new DeliveryLine(files, onOutcome, () => queue.stop());
  const deliver = (outcome: JournalOutcome, path: string) => line.take(outcome, path);
  const pool = new WorkerPool<string, JournalOutcome>({
    threads: threads - 1,
    file: WORKER,
    data: task,
    jobsInHand: IN_HAND,
    queue,
    onOutcome: deliver,
    lose: loseJournal,
  });
  pool.work();
  const first = files.includes(STANDARD_INPUT) ? STANDARD_INPUT : null;
  for (let path = first ?? queue.take(); path !== null; path = queue.take()) {
    deliver(await workOnJournal(path, task), path);
    // The other threads are handed their next journals between two of this one's.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await pool.idle();
  await pool.close();
  line.close();
}

/** Works on one journal in another thread, so that this one goes on meanwhile. */
export async function workElsewhere(path: string, task: JournalTask): Promise<JournalOutcome> {
  const { promise, resolve } = Promise.withResolvers<JournalOutcome>();
  const pool = new WorkerPool<string, JournalOutcome>({
    threads: 1,
    file: WORKER,
    data: task,
    jobsInHand: 1,
    queue: new JobQueue([path]),
    onOutcome: resolve,
    lose: loseJournal,
  });
  pool.work();
  const outcome = await promise;
  await pool.close();
  return outcome;
}

function loseJournal(path: string, reason: string): JournalOutcome {
  const note = { code: 'internal/unexpected', text: `${nameOf(path)}: ${reason}` };
  return { type: 'refused', failure: { exit: EXIT.internal, notes: [note], unlisted: 0 } };
}

/** Delivers outcomes in the order of the files. */
class DeliveryLine {
  readonly #files: readonly string[];
  readonly #onOutcome: (outcome: JournalOutcome, path: string) => void;
  readonly #stop: () => void;
  readonly #early = new Map<string, JournalOutcome>();
  /** Where each file is named for the last time. */
  readonly #last: ReadonlyMap<string, number>;
  #due = 0;
  #lost: { readonly error: unknown } | null = null;

  constructor(
    files: readonly string[],
    onOutcome: (outcome: JournalOutcome, path: string) => void,
    stop: () => void,
  ) {
    this.#files = files;
    this.#onOutcome = onOutcome;
    this.#stop = stop;
    this.#last = new Map(files.map((path, index) => [path, index]));
  }

  take(outcome: JournalOutcome, path: string): void {
    this.#early.set(path, outcome);
    while (this.#lost === null) {
      const next = this.#files[this.#due];
      const found = next === undefined ? undefined : this.#early.get(next);
      if (next === undefined || found === undefined) return;
      // Delivered outcomes are released, so that memory stays bounded.
      if (this.#last.get(next) === this.#due) this.#early.delete(next);
      this.#due += 1;
      this.#handOn(found, next);
    }
  }

  /** Rethrows an error of `onOutcome`. */
  close(): void {
    if (this.#lost !== null) throw this.#lost.error;
  }

  #handOn(outcome: JournalOutcome, path: string): void {
    try {
      this.#onOutcome(outcome, path);
    } catch (error) {
      this.#lost = { error };
      this.#stop();
    }
  }
}
