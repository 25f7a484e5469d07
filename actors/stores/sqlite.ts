/**
 * The embedded store: a file on this machine, which any number of processes may use at once.
 *
 * Every change is one transaction that takes the file for itself from its first word, and is on the disk before it is
 * acknowledged. The library works in step, so transactions are short. Not for file systems of a network.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Career, type Counters, careersIn } from './career.ts';
import { BLANK_MEMORY, type Change, KEPT_VERSIONS, type Memory, memoryText, readMemory } from './memory.ts';
import { type PersonaName, personaId } from './personaId.ts';
import { isSameCount, type Recount, recounted } from './recount.ts';
import { keptResult, type Result, readResult } from './result.ts';
import { STEPS } from './sqliteTables.ts';
import type { Appended, Enrolment, Health, Pieces, Recording, Slot, Store, Taught } from './store.ts';

/** Milliseconds for which a writer waits for others. */
const PATIENCE_MS = 10_000;
/** Results that are read at once. */
const PAGE = 100;

type Row = Readonly<Record<string, unknown>>;

export class Sqlite implements Store {
  readonly #path: string;
  readonly #file: DatabaseSync;

  /** Opens the file, or makes it; throws what the system says when that can't be. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#path = path;
    this.#file = new DatabaseSync(path, { timeout: PATIENCE_MS });
    this.#file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    this.#alone(() => this.#bringUp());
  }

  async enrol(persona: PersonaName): Promise<Enrolment> {
    return this.#alone(() => this.#enrol(persona));
  }

  async career(id: string): Promise<Career | null> {
    const row = this.#row('SELECT model, name FROM persona WHERE id = ?', id);
    if (row === null) return null;
    return { persona: { model: text(row, 'model'), name: text(row, 'name') }, counters: this.#counters(id) };
  }

  async personas(): Promise<readonly string[]> {
    return this.#rows('SELECT id FROM persona').map((row) => text(row, 'id')).toSorted();
  }

  async memory(id: string, version?: number): Promise<Memory | null> {
    if (version === 0) return BLANK_MEMORY;
    if (version !== undefined) {
      const row = this.#row('SELECT change FROM memory WHERE persona = ? AND version = ?', id, version);
      return row === null ? null : readMemory(version, text(row, 'change'));
    }
    const row = this.#row(`${ALL_MEMORIES} DESC LIMIT 1`, id);
    return row === null ? BLANK_MEMORY : memoryOf(row);
  }

  async history(id: string): Promise<readonly Memory[]> {
    return this.#rows(ALL_MEMORIES, id).map(memoryOf);
  }

  async teach(id: string, seen: number, change: Change): Promise<Taught> {
    return this.#alone((): Taught => {
      const last = this.#row('SELECT max(version) AS version FROM memory WHERE persona = ?', id);
      const version = last === null ? 0 : number(last, 'version');
      if (version !== seen) return { type: 'stale', version };
      this.#do('INSERT INTO memory VALUES (?, ?, ?)', id, version + 1, memoryText(change));
      const oldest = version + 1 - KEPT_VERSIONS;
      this.#do('DELETE FROM memory WHERE persona = ? AND version <= ?', id, oldest);
      return { type: 'taught', version: version + 1 };
    });
  }

  async leagues(): Promise<readonly string[]> {
    const rows = this.#rows('SELECT league FROM matter UNION SELECT league FROM result');
    return rows.map((row) => text(row, 'league')).toSorted();
  }

  async settle(league: string, matter: string, value: string): Promise<string> {
    return this.#alone(() => {
      this.#do('INSERT INTO matter VALUES (?, ?, ?) ON CONFLICT DO NOTHING', league, matter, value);
      return this.#settled(league, matter) ?? value;
    });
  }

  async settled(league: string, matter: string): Promise<string | null> {
    return this.#settled(league, matter);
  }

  async claim(game: Slot): Promise<number> {
    return this.#alone(() => {
      const epoch = this.#epoch(game) + 1;
      this.#do('INSERT OR REPLACE INTO epoch VALUES (?, ?, ?)', game.league, game.slot, epoch);
      return epoch;
    });
  }

  async append(game: Slot, epoch: number, at: number, piece: string): Promise<Appended> {
    const { league, slot } = game;
    return this.#alone((): Appended => {
      if (epoch !== this.#epoch(game)) return 'fenced';
      if (at === 0) this.#do('DELETE FROM piece WHERE league = ? AND slot = ?', league, slot);
      else if (this.#count(game) !== at) return 'gap';
      this.#do('INSERT INTO piece VALUES (?, ?, ?, ?)', league, slot, at, piece);
      return 'appended';
    });
  }

  async pieces({ league, slot }: Slot): Promise<Pieces> {
    const query = 'SELECT text FROM piece WHERE league = ? AND slot = ? ORDER BY at';
    const pieces = this.#rows(query, league, slot).map((row) => text(row, 'text'));
    return { pieces: pieces.length, text: pieces.join('') };
  }

  async dropPieces({ league, slot }: Slot): Promise<void> {
    this.#do('DELETE FROM piece WHERE league = ? AND slot = ?', league, slot);
  }

  async record(result: Result, epoch: number | null): Promise<Recording> {
    const { league, slot } = result;
    const { body, clock } = keptResult(result);
    return this.#alone((): Recording => {
      const known = this.#row('SELECT body FROM result WHERE league = ? AND slot = ?', league, slot);
      if (known !== null) return text(known, 'body') === body ? 'duplicate' : 'conflict';
      if (epoch !== null && epoch !== this.#epoch({ league, slot })) return 'fenced';
      const careers = [...careersIn(result)];
      if (careers.some(([, { persona }]) => this.#isTaken(persona))) return 'taken';
      this.#do('INSERT INTO result VALUES (?, ?, ?, ?)', league, slot, body, clock);
      for (const [id, { persona, counters }] of careers) {
        this.#enrol(persona);
        this.#add(id, counters);
      }
      return 'recorded';
    });
  }

  async slots(league: string): Promise<readonly number[]> {
    const rows = this.#rows('SELECT slot FROM result WHERE league = ? ORDER BY slot', league);
    return rows.map((row) => number(row, 'slot'));
  }

  async *results(league: string): AsyncIterable<Result> {
    yield* this.#results(league);
  }

  async rebuild(): Promise<{ readonly personas: number; readonly changed: number }> {
    return this.#alone(() => {
      const counted: Recount = new Map();
      const leagues = this.#rows('SELECT DISTINCT league FROM result');
      for (const row of leagues) {
        for (const result of this.#results(text(row, 'league'))) recounted(counted, result);
      }
      const ids = this.#rows('SELECT id FROM persona').map((row) => text(row, 'id'));
      const wrong = ids.filter(
        (id) => !isSameCount(this.#counters(id), counted.get(id)?.counters ?? {}),
      );
      for (const id of wrong) {
        this.#do('DELETE FROM counter WHERE persona = ?', id);
        this.#add(id, counted.get(id)?.counters ?? {});
      }
      return { personas: ids.length, changed: wrong.length };
    });
  }

  async health(): Promise<Health> {
    return { what: `the file ${this.#path}`, warnings: [] };
  }

  async close(): Promise<void> {
    if (this.#file.isOpen) this.#file.close();
  }

  #enrol(persona: PersonaName): Enrolment {
    const id = personaId(persona);
    if (this.#isTaken(persona)) return 'taken';
    const query = 'INSERT INTO persona VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
    return this.#do(query, id, persona.model, persona.name) === 0 ? 'known' : 'new';
  }

  #isTaken(persona: PersonaName): boolean {
    const row = this.#row('SELECT model, name FROM persona WHERE id = ?', personaId(persona));
    return row !== null && (row['model'] !== persona.model || row['name'] !== persona.name);
  }

  #counters(id: string): Counters {
    const rows = this.#rows('SELECT name, value FROM counter WHERE persona = ?', id);
    return Object.fromEntries(rows.map((row) => [text(row, 'name'), number(row, 'value')]));
  }

  #add(id: string, counters: Counters): void {
    for (const [name, value] of Object.entries(counters)) {
      this.#do(ADD, id, name, value);
    }
  }

  #settled(league: string, matter: string): string | null {
    const row = this.#row('SELECT value FROM matter WHERE league = ? AND name = ?', league, matter);
    return row === null ? null : text(row, 'value');
  }

  #epoch({ league, slot }: Slot): number {
    const row = this.#row('SELECT epoch FROM epoch WHERE league = ? AND slot = ?', league, slot);
    return row === null ? 0 : number(row, 'epoch');
  }

  #count({ league, slot }: Slot): number {
    const query = 'SELECT count(*) AS pieces FROM piece WHERE league = ? AND slot = ?';
    const row = this.#row(query, league, slot);
    return row === null ? 0 : number(row, 'pieces');
  }

  *#results(league: string): Iterable<Result> {
    for (let last = -1; ; ) {
      const rows = this.#rows(PAGE_OF_RESULTS, league, last, PAGE);
      for (const row of rows) {
        last = number(row, 'slot');
        yield readResult({ body: text(row, 'body'), clock: text(row, 'clock') });
      }
      if (rows.length < PAGE) return;
    }
  }

  /** One transaction, with the file to itself. */
  #alone<T>(act: () => T): T {
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
    const row = this.#row('PRAGMA user_version');
    const version = row === null ? 0 : number(row, 'user_version');
    if (version > STEPS.length) {
      throw new Error(`${this.#path} was written by a newer version of this program`);
    }
    for (const step of STEPS.slice(version)) this.#file.exec(step);
    this.#file.exec(`PRAGMA user_version = ${STEPS.length}`);
  }

  /** How many rows it changed. */
  #do(query: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#file.prepare(query).run(...values).changes);
  }

  #row(query: string, ...values: readonly SQLInputValue[]): Row | null {
    return this.#file.prepare(query).get(...values) ?? null;
  }

  #rows(query: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#file.prepare(query).all(...values);
  }
}

const ALL_MEMORIES = 'SELECT version, change FROM memory WHERE persona = ? ORDER BY version';
const ADD =
  'INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT (persona, name) DO UPDATE SET value = value + excluded.value';
const PAGE_OF_RESULTS =
  'SELECT slot, body, clock FROM result WHERE league = ? AND slot > ? ORDER BY slot LIMIT ?';

function memoryOf(row: Row): Memory {
  return readMemory(number(row, 'version'), text(row, 'change'));
}

function text(row: Row, name: string): string {
  return String(row[name]);
}

function number(row: Row, name: string): number {
  return Number(row[name] ?? 0);
}
