/**
 * The embedded store: a file on this machine, which any number of processes may use at once.
 *
 * A transaction locks the file from its first statement, and is on the disk before it is acknowledged. The library is
 * synchronous, so transactions are short. Not for network file systems.
 */
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { realDisk } from '../ports/disk.ts';
import {
  BLANK_MEMORY,
  decodeMemory,
  encodeMemory,
  KEPT_VERSIONS,
  type MemoryChange,
  type PersonaMemory,
  type PersonaName,
  personaId,
} from './persona.ts';
import {
  addToRecount,
  type Career,
  type Counters,
  countCareers,
  decodeResult,
  encodeResult,
  type GameResult,
  hasSameCounters,
  type Recount,
} from './result.ts';
import {
  type AppendOutcome,
  type EnrolOutcome,
  type JournalPieces,
  type RecordOutcome,
  type Slot,
  type Store,
  type StoreHealth,
  StoreLost,
  type TeachOutcome,
} from './store.ts';

/** Milliseconds for which a writer waits for others. */
const PATIENCE_MS = 10_000;

/** Results that are read at once. */
const RESULTS_AT_ONCE = 100;

export class SqliteStore implements Store {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async enrol(persona: PersonaName): Promise<EnrolOutcome> {
    return this.#file.alone(() => enrolPersona(this.#file, persona));
  }

  async career(id: string): Promise<Career | null> {
    const row = this.#file.row('SELECT model, name FROM persona WHERE id = ?', id);
    if (row === null) return null;
    return {
      persona: { model: textOf(row, 'model'), name: textOf(row, 'name') },
      counters: readCounters(this.#file, id),
    };
  }

  async personas(): Promise<readonly string[]> {
    return this.#file
      .rows('SELECT id FROM persona')
      .map((row) => textOf(row, 'id'))
      .toSorted();
  }

  async memory(id: string, version?: number): Promise<PersonaMemory | null> {
    if (version === 0) return BLANK_MEMORY;
    if (version !== undefined) {
      const row = this.#file.row(
        'SELECT change FROM memory WHERE persona = ? AND version = ?',
        id,
        version,
      );
      return row === null ? null : decodeMemory(version, textOf(row, 'change'));
    }
    const row = this.#file.row(`${ALL_MEMORIES} DESC LIMIT 1`, id);
    return row === null ? BLANK_MEMORY : memoryInRow(row);
  }

  async history(id: string): Promise<readonly PersonaMemory[]> {
    return this.#file.rows(ALL_MEMORIES, id).map(memoryInRow);
  }

  async teach(id: string, seen: number, change: MemoryChange): Promise<TeachOutcome> {
    return this.#file.alone((): TeachOutcome => {
      const last = this.#file.row(
        'SELECT max(version) AS version FROM memory WHERE persona = ?',
        id,
      );
      const version = last === null ? 0 : numberOf(last, 'version');
      if (version !== seen) return { type: 'stale', version };
      this.#file.change(
        'INSERT INTO memory VALUES (?, ?, ?)',
        id,
        version + 1,
        encodeMemory(change),
      );
      const oldest = version + 1 - KEPT_VERSIONS;
      this.#file.change('DELETE FROM memory WHERE persona = ? AND version <= ?', id, oldest);
      return { type: 'taught', version: version + 1 };
    });
  }

  async leagues(): Promise<readonly string[]> {
    const rows = this.#file.rows('SELECT league FROM matter UNION SELECT league FROM result');
    return rows.map((row) => textOf(row, 'league')).toSorted();
  }

  async settle(league: string, matter: string, value: string): Promise<string> {
    return this.#file.alone(() => {
      this.#file.change(
        'INSERT INTO matter VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        league,
        matter,
        value,
      );
      return this.#settled(league, matter) ?? value;
    });
  }

  async settled(league: string, matter: string): Promise<string | null> {
    return this.#settled(league, matter);
  }

  async claim(game: Slot): Promise<number> {
    return this.#file.alone(() => {
      const epoch = this.#epoch(game) + 1;
      this.#file.change(
        'INSERT OR REPLACE INTO epoch VALUES (?, ?, ?)',
        game.league,
        game.slot,
        epoch,
      );
      return epoch;
    });
  }

  async append(game: Slot, epoch: number, at: number, piece: string): Promise<AppendOutcome> {
    const { league, slot } = game;
    return this.#file.alone((): AppendOutcome => {
      if (epoch !== this.#epoch(game)) return 'fenced';
      if (at === 0)
        this.#file.change('DELETE FROM piece WHERE league = ? AND slot = ?', league, slot);
      else if (this.#count(game) !== at) return 'gap';
      this.#file.change('INSERT INTO piece VALUES (?, ?, ?, ?)', league, slot, at, piece);
      return 'appended';
    });
  }

  async pieces({ league, slot }: Slot): Promise<JournalPieces> {
    const query = 'SELECT text FROM piece WHERE league = ? AND slot = ? ORDER BY at';
    const pieces = this.#file.rows(query, league, slot).map((row) => textOf(row, 'text'));
    return { pieces: pieces.length, text: pieces.join('') };
  }

  async dropPieces({ league, slot }: Slot): Promise<void> {
    this.#file.change('DELETE FROM piece WHERE league = ? AND slot = ?', league, slot);
  }

  async record(result: GameResult, epoch: number | null): Promise<RecordOutcome> {
    const { league, slot } = result;
    const { body, clock } = encodeResult(result);
    return this.#file.alone((): RecordOutcome => {
      const known = this.#file.row(
        'SELECT body FROM result WHERE league = ? AND slot = ?',
        league,
        slot,
      );
      if (known !== null) return textOf(known, 'body') === body ? 'duplicate' : 'conflict';
      if (epoch !== null && epoch !== this.#epoch({ league, slot })) return 'fenced';
      const careers = [...countCareers(result)];
      if (careers.some(([, { persona }]) => isIdTaken(this.#file, persona))) return 'taken';
      this.#file.change('INSERT INTO result VALUES (?, ?, ?, ?)', league, slot, body, clock);
      for (const [id, { persona, counters }] of careers) {
        enrolPersona(this.#file, persona);
        addToCounters(this.#file, id, counters);
      }
      return 'recorded';
    });
  }

  async slots(league: string): Promise<readonly number[]> {
    const rows = this.#file.rows('SELECT slot FROM result WHERE league = ? ORDER BY slot', league);
    return rows.map((row) => numberOf(row, 'slot'));
  }

  async *results(
    league: string,
    least = 0,
    most = Number.MAX_SAFE_INTEGER,
  ): AsyncIterable<GameResult> {
    yield* this.#results(league, least, most);
  }

  async rebuild(): Promise<{ readonly personas: number; readonly changed: number }> {
    return this.#file.alone(() => {
      const counted: Recount = new Map();
      const leagues = this.#file.rows('SELECT DISTINCT league FROM result');
      for (const row of leagues) {
        for (const result of this.#results(textOf(row, 'league'))) addToRecount(counted, result);
      }
      const ids = this.#file.rows('SELECT id FROM persona').map((row) => textOf(row, 'id'));
      const wrong = ids.filter(
        (id) => !hasSameCounters(readCounters(this.#file, id), counted.get(id)?.counters ?? {}),
      );
      for (const id of wrong) {
        this.#file.change('DELETE FROM counter WHERE persona = ?', id);
        addToCounters(this.#file, id, counted.get(id)?.counters ?? {});
      }
      return { personas: ids.length, changed: wrong.length };
    });
  }

  async health(): Promise<StoreHealth> {
    return { what: `the file ${this.#file.path}`, warnings: [] };
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  #settled(league: string, matter: string): string | null {
    const row = this.#file.row(
      'SELECT value FROM matter WHERE league = ? AND name = ?',
      league,
      matter,
    );
    return row === null ? null : textOf(row, 'value');
  }

  #epoch({ league, slot }: Slot): number {
    const row = this.#file.row(
      'SELECT epoch FROM epoch WHERE league = ? AND slot = ?',
      league,
      slot,
    );
    return row === null ? 0 : numberOf(row, 'epoch');
  }

  #count({ league, slot }: Slot): number {
    const query = 'SELECT count(*) AS pieces FROM piece WHERE league = ? AND slot = ?';
    const row = this.#file.row(query, league, slot);
    return row === null ? 0 : numberOf(row, 'pieces');
  }

  *#results(league: string, least = 0, most = Number.MAX_SAFE_INTEGER): Iterable<GameResult> {
    for (let last = least - 1; ; ) {
      const rows = this.#file.rows(PAGE_OF_RESULTS, league, last, most, RESULTS_AT_ONCE);
      for (const row of rows) {
        last = numberOf(row, 'slot');
        yield decodeResult({ body: textOf(row, 'body'), clock: textOf(row, 'clock') });
      }
      if (rows.length < RESULTS_AT_ONCE) return;
    }
  }
}

const ALL_MEMORIES = 'SELECT version, change FROM memory WHERE persona = ? ORDER BY version';

const PAGE_OF_RESULTS =
  'SELECT slot, body, clock FROM result WHERE league = ? AND slot > ? AND slot < ? ORDER BY slot LIMIT ?';

function memoryInRow(row: SqliteRow): PersonaMemory {
  return decodeMemory(numberOf(row, 'version'), textOf(row, 'change'));
}

/** Within a transaction of the caller. */
function enrolPersona(file: SqliteFile, persona: PersonaName): EnrolOutcome {
  if (isIdTaken(file, persona)) return 'taken';
  const { model, name } = persona;
  const query = 'INSERT INTO persona VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  return file.change(query, personaId(persona), model, name) === 0 ? 'known' : 'new';
}

/** Whether the id belongs to another pair of model and name. */
function isIdTaken(file: SqliteFile, { model, name }: PersonaName): boolean {
  const row = file.row('SELECT model, name FROM persona WHERE id = ?', personaId({ model, name }));
  return row !== null && (row['model'] !== model || row['name'] !== name);
}

function readCounters(file: SqliteFile, id: string): Counters {
  const rows = file.rows('SELECT name, value FROM counter WHERE persona = ?', id);
  return Object.fromEntries(rows.map((row) => [textOf(row, 'name'), numberOf(row, 'value')]));
}

/** Adds to counters; one that is not there begins at 0. */
function addToCounters(file: SqliteFile, id: string, added: Counters): void {
  for (const [name, value] of Object.entries(added)) file.change(ADD, id, name, value);
}

const ADD =
  'INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT (persona, name) DO UPDATE SET value = value + excluded.value';

/**
 * Holds a file for this process alone, until it lets go or ends in whatever way; null when another one holds it. The
 * function that is returned lets go.
 */
export function lockFile(path: string): (() => void) | null {
  const file = new DatabaseSync(path);
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch {
    file.close();
    return null;
  }
  return () => {
    file.close();
    realDisk.remove(path);
  };
}

export type SqliteRow = Readonly<Record<string, unknown>>;

export class SqliteFile {
  readonly path: string;
  readonly #file: DatabaseSync;
  /** What tells the file that was opened from a later one of the same name. */
  readonly #identity: number | null;
  /** Queries are few and written once; each is prepared once. */
  readonly #prepared = new Map<string, StatementSync>();

  /** Opens the file, or makes it; throws what the system says when that can't be. */
  constructor(path: string) {
    realDisk.makeFolder(dirname(path));
    this.path = path;
    this.#file = new DatabaseSync(path, { timeout: PATIENCE_MS });
    this.#file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    this.#identity = realDisk.identify(path);
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
    if (realDisk.identify(this.path) === this.#identity) return;
    throw new StoreLost(
      `the store in ${this.path} was removed or replaced while it was used: leave it where it is, and run this again`,
      'store/emptied',
    );
  }

  #bringUp(): void {
    const row = this.row('PRAGMA user_version');
    const version = row === null ? 0 : numberOf(row, 'user_version');
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

  row(query: string, ...values: readonly SQLInputValue[]): SqliteRow | null {
    return this.#statement(query).get(...values) ?? null;
  }

  rows(query: string, ...values: readonly SQLInputValue[]): readonly SqliteRow[] {
    return this.#statement(query).all(...values);
  }

  #statement(query: string): StatementSync {
    const known = this.#prepared.get(query) ?? this.#file.prepare(query);
    this.#prepared.set(query, known);
    return known;
  }
}

function textOf(row: SqliteRow, name: string): string {
  return String(row[name]);
}

function numberOf(row: SqliteRow, name: string): number {
  return Number(row[name] ?? 0);
}

/** The tables of the embedded store, and how an older file becomes one of today. */

/** One step for each version of the file; a file of version n has been through the first n. */
const STEPS: readonly string[] = [
  `
  CREATE TABLE persona (id TEXT PRIMARY KEY, model TEXT NOT NULL, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE counter (
    persona TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY (persona, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE memory (
    persona TEXT NOT NULL, version INTEGER NOT NULL, change TEXT NOT NULL,
    PRIMARY KEY (persona, version)
  ) STRICT;
  CREATE TABLE matter (
    league TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (league, name)
  ) STRICT;
  CREATE TABLE epoch (
    league TEXT NOT NULL, slot INTEGER NOT NULL, epoch INTEGER NOT NULL,
    PRIMARY KEY (league, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE piece (
    league TEXT NOT NULL, slot INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (league, slot, at)
  ) STRICT;
  CREATE TABLE result (
    league TEXT NOT NULL, slot INTEGER NOT NULL, body TEXT NOT NULL, clock TEXT NOT NULL,
    PRIMARY KEY (league, slot)
  ) STRICT;
  `,
];
