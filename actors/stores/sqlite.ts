/**
 * An SQLite file. A transaction locks it from its first statement, and is on the disk before it is acknowledged. A file
 * without write permission can still be read. Errors of the library become errors of stores.
 */

import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { canWrite, identifyFile, pinFile, readStamp, realDisk } from '../ports/disk.ts';
import { inspectPath, refuseNoFile } from '../ports/reading.ts';
import { StoreDamaged, StoreLost, StoreUnreadable, StoreUnwritable } from './errors.ts';

const PATIENCE_MS = 10_000;

/** Locks of this process: opening and closing such a file again would release it. */
const heldFiles = new Set<string>();

/** Returns what unlocks the file; null if it is locked already. Throws if no file can be there, or if it is no lock. */
export function lockFile(path: string): (() => void) | null {
  for (;;) {
    refuseNoFile(inspectPath(path));
    if (heldFiles.has(identifyFile(path) ?? '')) return null;
    // Open as long as the lock: the system gives the number of a file that is removed and open nowhere to the next new one.
    const pin = pinFile(path);
    const file = new DatabaseSync(path);
    let failure: unknown = null;
    try {
      file.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      failure = error;
    }
    const close = () => {
      file.close();
      pin.close();
    };
    // If the process that held the file has removed it meanwhile, a lock on it keeps out nobody.
    const isThere = identifyFile(path) === pin.identity;
    if (isThere && failure === null) {
      heldFiles.add(pin.identity);
      return () => {
        remove(path);
        close();
        heldFiles.delete(pin.identity);
      };
    }
    close();
    if (!isThere) continue;
    if (codeOf(failure) === CODES.busy) return null;
    throw new Error(`${path} is no lock of this program (${wordsOf(failure)}): remove it`);
  }
}

/** Before the lock is released: another process that takes it next sees that the file is gone. */
function remove(path: string): void {
  try {
    realDisk.remove(path);
  } catch {
    // Windows does not remove an open file. It stays, and the next process takes it.
  }
}

export type SqliteRow = Readonly<Record<string, unknown>>;

/** One step for each version; a file of version n has been through the first n. */
export type SqliteSteps = readonly (string | ((file: SqliteFile) => void))[];

/** Bytes of the largest file whose pages are all read when it is opened, which takes a tenth of a second. */
const MOST_CHECKED = 2 ** 26;

/** `frozen`: the file is read as if nobody could change it, and is looked at again before each reading. */
type Access = 'writing' | 'reading' | 'frozen';

export class SqliteFile {
  readonly path: string;
  readonly #steps: SqliteSteps;
  readonly #file: DatabaseSync;
  readonly #access: Access;
  /** Identifies the opened file among later ones of the same name; for a frozen one, its state. */
  readonly #identity: number | string | null;
  readonly #prepared = new Map<string, StatementSync>();

  /** Throws an error of stores if it can't be opened. A reader takes a file that can't be written, and makes none. */
  constructor(path: string, steps: SqliteSteps, isReader = false) {
    this.path = path;
    this.#steps = steps;
    const { file, access } = isReader ? openToRead(path) : openToWrite(path);
    this.#file = file;
    this.#access = access;
    this.#identity = this.#identify();
    try {
      // Before anything is written to it.
      this.#expectOurs();
      if (!isReader) this.#exec('PRAGMA journal_mode = WAL');
      this.#exec('PRAGMA synchronous = FULL');
      this.#bringUp();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    if (this.#file.isOpen) this.#file.close();
  }

  /** One transaction, with the file to itself. */
  alone<T>(act: () => T): T {
    this.#mustBeThere();
    this.#exec(this.#access === 'writing' ? 'BEGIN IMMEDIATE' : 'BEGIN');
    try {
      const done = act();
      this.#exec('COMMIT');
      return done;
    } catch (error) {
      // A full disk has ended it already.
      if (this.#file.isTransaction) this.#exec('ROLLBACK');
      throw error;
    }
  }

  change(query: string, ...values: readonly SQLInputValue[]): number {
    return this.#translate(() => Number(this.#statement(query).run(...values).changes));
  }

  row(query: string, ...values: readonly SQLInputValue[]): SqliteRow | null {
    if (this.#access === 'frozen') this.#mustBeThere();
    return this.#translate(() => this.#statement(query).get(...values) ?? null);
  }

  rows(query: string, ...values: readonly SQLInputValue[]): readonly SqliteRow[] {
    if (this.#access === 'frozen') this.#mustBeThere();
    return this.#translate(() => this.#statement(query).all(...values));
  }

  #statement(query: string): StatementSync {
    const known = this.#prepared.get(query) ?? this.#file.prepare(query);
    this.#prepared.set(query, known);
    return known;
  }

  #identify(): number | string | null {
    if (this.#access !== 'frozen') return realDisk.identify(this.path);
    return `${readStamp(this.path)} ${readStamp(this.path + CHANGES)}`;
  }

  /** A removed file can be written to while it is open, and everything written is lost. */
  #mustBeThere(): void {
    if (this.#identify() === this.#identity) return;
    const text =
      this.#access === 'frozen'
        ? `the store in ${this.path} was changed while it was read: run this again`
        : `the store in ${this.path} was removed or replaced while it was used: leave it where it is, and run this again`;
    throw new StoreLost(text, 'store/emptied');
  }

  /** Another program's file is left unchanged. Everything is read at one moment: another process may be making it. */
  #expectOurs(): void {
    this.#exec('BEGIN');
    try {
      this.#judge();
    } finally {
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK');
    }
  }

  #judge(): void {
    const version = this.#version;
    const found = this.#readTables();
    if (version === 0 && found.size === 0) return;
    if (version > this.#steps.length) {
      const text = `the store in ${this.path} was written by a newer version of this program: read it with that one`;
      throw new StoreDamaged(text, 'store/version');
    }
    const steps = this.#steps.slice(0, Math.max(0, version));
    const expected = new SqliteFile(':memory:', steps).#readTables();
    const isOurs = [...found].every(([name, columns]) => expected.get(name) === columns);
    if (found.size === 0 || !isOurs) {
      const text = `expected a store in ${this.path}, found a database of another program, which is left as it is`;
      throw new StoreUnreadable(text, 'store/no-store');
    }
    const missing = [...expected.keys()].find((name) => !found.has(name));
    if (missing !== undefined) throw damagedFile(this.path, `it has no table ${missing}`);
    const file = inspectPath(this.path);
    if (file.type === 'file' && file.bytes > MOST_CHECKED) return;
    const problem = textOf(this.row('PRAGMA quick_check(1)') ?? {}, 'quick_check');
    if (problem !== 'ok') throw damagedFile(this.path, problem.replaceAll('\n', ' '));
  }

  #readTables(): ReadonlyMap<string, string> {
    return new Map(
      this.rows(TABLES).map((row) => [textOf(row, 'name'), textOf(row, 'columns')] as const),
    );
  }

  get #version(): number {
    return numberOf(this.row('PRAGMA user_version') ?? {}, 'user_version');
  }

  #bringUp(): void {
    const steps = this.#steps;
    if (this.#version === steps.length) return;
    if (this.#access !== 'writing') {
      if (this.#version === 0) {
        const text = `expected a store in ${this.path}, found an empty file`;
        throw new StoreUnreadable(text, 'store/no-store');
      }
      const text = `the store in ${this.path} was written by an earlier version of this program, and has to be written anew before it is read, which this user may not: copy it into a folder of your own and name the copy with --store`;
      throw new StoreUnreadable(text, 'store/version');
    }
    this.alone(() => {
      for (const step of steps.slice(this.#version)) {
        if (typeof step === 'string') this.#exec(step);
        else step(this);
      }
      this.#exec(`PRAGMA user_version = ${steps.length}`);
    });
  }

  #exec(statements: string): void {
    this.#translate(() => this.#file.exec(statements));
  }

  #translate<T>(act: () => T): T {
    return translate(act, this.path);
  }
}

const TABLES = `SELECT name, (SELECT group_concat(name) FROM pragma_table_info(main.name)) AS columns
  FROM sqlite_master AS main WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`;

/** Suffix of a file with the latest changes, which processes share. */
const CHANGES = '-wal';
const SHARED = '-shm';

type OpenedFile = { readonly file: DatabaseSync; readonly access: Access };

function openToWrite(path: string): OpenedFile {
  try {
    realDisk.makeFolder(dirname(path));
  } catch (error) {
    throw unmade(path, error);
  }
  const isNew = inspectPath(path).type === 'nothing';
  // The library would open it all the same, and leave files beside it.
  if (!isNew && !canWrite(path)) throw unwritable(path);
  try {
    return { file: new DatabaseSync(path, { timeout: PATIENCE_MS }), access: 'writing' };
  } catch (error) {
    throw isNew ? unmade(path, error) : explain(error, path);
  }
}

/** Opens a file for reading. It is opened for writing if possible, because that cleans up after killed processes. */
function openToRead(path: string): OpenedFile {
  if (canWrite(path)) {
    const file = translate(() => new DatabaseSync(path, { timeout: PATIENCE_MS }), path);
    try {
      file.exec('BEGIN IMMEDIATE; ROLLBACK');
      return { file, access: 'writing' };
    } catch (error) {
      file.close();
      if (!SHUT.includes(codeOf(error) ?? 0)) throw explain(error, path);
    }
  }
  return openUnwritable(path);
}

/**
 * A file without write permission for it or its folder. Processes share a file beside it, which must exist or be made.
 * Without it only the file itself is read, which is complete as long as there are no changes beside it.
 */
function openUnwritable(path: string): OpenedFile {
  const changes = inspectPath(path + CHANGES);
  const isWhole = changes.type === 'nothing' || (changes.type === 'file' && changes.bytes === 0);
  if (!isWhole || inspectPath(path + SHARED).type === 'file') {
    const file = translate(() => new DatabaseSync(path, { readOnly: true }), path);
    try {
      file.prepare('SELECT count(*) FROM sqlite_master').get();
      return { file, access: 'reading' };
    } catch (error) {
      file.close();
      if (!SHUT.includes(codeOf(error) ?? 0)) throw explain(error, path);
    }
  }
  if (!isWhole) {
    const text = `the latest changes of the store in ${path} are in ${path}${CHANGES}, which can't be read without writing beside it: copy both files into a folder of your own and name the copy with --store`;
    throw new StoreUnreadable(text, 'store/cannot-open');
  }
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const file = translate(() => new DatabaseSync(url, { readOnly: true }), path);
  return { file, access: 'frozen' };
}

function translate<T>(act: () => T, path: string): T {
  try {
    return act();
  } catch (error) {
    throw explain(error, path);
  }
}

/** Result codes of SQLite, https://www.sqlite.org/rescode.html; the lowest byte is the primary one. */
const PRIMARY = 0xff;
const CODES = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
} as const;
const SHUT: readonly number[] = [CODES.readOnly, CODES.cannotOpen];

function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return Number(error.errcode) & PRIMARY;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function explain(error: unknown, path: string): unknown {
  const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
  let words = wordsOf(error);
  switch (isTooLarge ? 0 : codeOf(error)) {
    case null:
      return error;
    case CODES.busy:
    case CODES.locked:
    case CODES.protocol:
      words = `the store in ${path} is locked by another process for too long: ${words}; run this again when that one is done`;
      return new StoreLost(words, 'store/busy');
    case CODES.readOnly:
      return unwritable(path);
    case CODES.full:
      words = `the store in ${path} can't be written: the disk is full`;
      return new StoreUnwritable(words, 'store/cannot-write');
    case CODES.cannotOpen:
    case CODES.ioError:
      words = `the store in ${path} can't be opened: ${words}`;
      return new StoreUnreadable(words, 'store/cannot-open');
    default:
      // All queries are prepared here. If one fails, the file does not have the expected tables.
      return damagedFile(path, words);
  }
}

export function damagedFile(path: string, why: string): StoreDamaged {
  return new StoreDamaged(
    `the store in ${path} is damaged: ${why}; take a copy of the file, and begin with another one or repair this one`,
  );
}

function unwritable(path: string): StoreUnwritable {
  const text = `the store in ${path} can't be written: the file or its folder is read-only for this user`;
  return new StoreUnwritable(text, 'store/read-only');
}

function unmade(path: string, error: unknown): StoreUnwritable {
  const text = `the store in ${path} can't be made: ${wordsOf(error)}`;
  return new StoreUnwritable(text, 'store/cannot-write');
}

export function textOf(row: SqliteRow, name: string): string {
  return String(row[name]);
}

export function numberOf(row: SqliteRow, name: string): number {
  return Number(row[name] ?? 0);
}
