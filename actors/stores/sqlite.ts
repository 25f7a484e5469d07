/**
 * The file of the embedded store: opened or made, and changed in transactions.
 *
 * A transaction takes the file for itself from its first word, and is on the disk before it is acknowledged. The
 * library works in step, so transactions are short. Not for file systems of a network.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { STEPS } from './sqliteTables.ts';

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
  /** Queries are few and written once; each is prepared once. */
  readonly #prepared = new Map<string, StatementSync>();

  /** Opens the file, or makes it; throws what the system says when that can't be. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.#file = new DatabaseSync(path, { timeout: PATIENCE_MS });
    this.#file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    this.alone(() => this.#bringUp());
  }

  close(): void {
    if (this.#file.isOpen) this.#file.close();
  }

  /** One transaction, with the file to itself. */
  alone<T>(act: () => T): T {
    this.#file.exec('BEGIN IMMEDIATE');
    try {
      const done = act();
      this.#file.exec('COMMIT');
      return done;
    } catch (error) {
      this.#file.exec('ROLLBACK');
      throw error;
    }
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

export function textIn(row: Row, name: string): string {
  return String(row[name]);
}

export function numberIn(row: Row, name: string): number {
  return Number(row[name] ?? 0);
}
