/**
 * The file of the embedded store: opened or made, and changed in transactions.
 *
 * A transaction takes the file for itself from its first word, and is on the disk before it is acknowledged. The
 * library works in step, so transactions are short. Not for file systems of a network.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { STEPS } from './sqliteTables.ts';
import { StoreLost } from './store.ts';

/** Milliseconds for which a writer waits for others. */
const PATIENCE_MS = 10_000;

/**
 * Holds a file for this process alone, until it lets go or ends in whatever way; null when another one holds it. The
 * function that is returned lets go.
 */
export function heldAlone(path: string): (() => void) | null {
  const file = new DatabaseSync(path);
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch {
    file.close();
    return null;
  }
  return () => {
    file.close();
    rmSync(path, { force: true });
  };
}

export type Row = Readonly<Record<string, unknown>>;

export class SqliteFile {
  readonly path: string;
  readonly #file: DatabaseSync;
  /** Of the file that was opened; undefined where the system has none. */
  readonly #inode: number | undefined;
  /** Queries are few and written once; each is prepared once. */
  readonly #prepared = new Map<string, StatementSync>();

  /** Opens the file, or makes it; throws what the system says when that can't be. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.#file = new DatabaseSync(path, { timeout: PATIENCE_MS });
    this.#file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    this.#inode = inodeOf(path);
    this.alone(() => this.#bringUp());
  }

  close(): void {
    if (this.#file.isOpen) this.#file.close();
  }

  /** One transaction, with the file to itself. */
  alone<T>(act: () => T): T {
    this.#mustBeThere();
    this.#file.exec('BEGIN IMMEDIATE');
    try {
      const done = act();
      this.#file.exec('COMMIT');
      return done;
    } catch (error) {
      // A full disk has ended it already.
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK');
      throw error;
    }
  }

  /** A file that was removed can be written to as long as it is open, and all of that is lost. */
  #mustBeThere(): void {
    if (inodeOf(this.path) === this.#inode) return;
    throw new StoreLost(
      `the store in ${this.path} was removed or replaced while it was used: leave it where it is, and run this again`,
      'store/emptied',
    );
  }

  #bringUp(): void {
    const row = this.row('PRAGMA user_version');
    const version = row === null ? 0 : numberIn(row, 'user_version');
    if (version > STEPS.length) {
      throw new Error(`${this.path} was written by a newer version of this program`);
    }
    for (const step of STEPS.slice(version)) this.#file.exec(step);
    this.#file.exec(`PRAGMA user_version = ${STEPS.length}`);
  }

  /** How many rows it changed. */
  change(query: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#statement(query).run(...values).changes);
  }

  row(query: string, ...values: readonly SQLInputValue[]): Row | null {
    return this.#statement(query).get(...values) ?? null;
  }

  rows(query: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#statement(query).all(...values);
  }

  #statement(query: string): StatementSync {
    const known = this.#prepared.get(query) ?? this.#file.prepare(query);
    this.#prepared.set(query, known);
    return known;
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

export function textIn(row: Row, name: string): string {
  return String(row[name]);
}

export function numberIn(row: Row, name: string): number {
  return Number(row[name] ?? 0);
}
