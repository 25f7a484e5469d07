/** The embedded store: a file on this machine, which any number of processes may use at once. */
import { type Career, careersIn } from './career.ts';
import {
  BLANK_MEMORY,
  type Change,
  KEPT_VERSIONS,
  type Memory,
  memoryText,
  readMemory,
} from './memory.ts';
import type { PersonaName } from './personaId.ts';
import { isSameCount, type Recount, recounted } from './recount.ts';
import { keptResult, type Result, readResult } from './result.ts';
import { numberIn, type Row, type SqliteFile, textIn } from './sqlite.ts';
import { addTo, counters, enrol, isTaken } from './sqliteCareers.ts';
import type {
  Appended,
  Enrolment,
  Health,
  Pieces,
  Recording,
  Slot,
  Store,
  Taught,
} from './store.ts';

/** Results that are read at once. */
const PAGE = 100;

export class SqliteStore implements Store {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async enrol(persona: PersonaName): Promise<Enrolment> {
    return this.#file.alone(() => enrol(this.#file, persona));
  }

  async career(id: string): Promise<Career | null> {
    const row = this.#file.row('SELECT model, name FROM persona WHERE id = ?', id);
    if (row === null) return null;
    return {
      persona: { model: textIn(row, 'model'), name: textIn(row, 'name') },
      counters: counters(this.#file, id),
    };
  }

  async personas(): Promise<readonly string[]> {
    return this.#file
      .rows('SELECT id FROM persona')
      .map((row) => textIn(row, 'id'))
      .toSorted();
  }

  async memory(id: string, version?: number): Promise<Memory | null> {
    if (version === 0) return BLANK_MEMORY;
    if (version !== undefined) {
      const row = this.#file.row(
        'SELECT change FROM memory WHERE persona = ? AND version = ?',
        id,
        version,
      );
      return row === null ? null : readMemory(version, textIn(row, 'change'));
    }
    const row = this.#file.row(`${ALL_MEMORIES} DESC LIMIT 1`, id);
    return row === null ? BLANK_MEMORY : memoryOf(row);
  }

  async history(id: string): Promise<readonly Memory[]> {
    return this.#file.rows(ALL_MEMORIES, id).map(memoryOf);
  }

  async teach(id: string, seen: number, change: Change): Promise<Taught> {
    return this.#file.alone((): Taught => {
      const last = this.#file.row(
        'SELECT max(version) AS version FROM memory WHERE persona = ?',
        id,
      );
      const version = last === null ? 0 : numberIn(last, 'version');
      if (version !== seen) return { type: 'stale', version };
      this.#file.change('INSERT INTO memory VALUES (?, ?, ?)', id, version + 1, memoryText(change));
      const oldest = version + 1 - KEPT_VERSIONS;
      this.#file.change('DELETE FROM memory WHERE persona = ? AND version <= ?', id, oldest);
      return { type: 'taught', version: version + 1 };
    });
  }

  async leagues(): Promise<readonly string[]> {
    const rows = this.#file.rows('SELECT league FROM matter UNION SELECT league FROM result');
    return rows.map((row) => textIn(row, 'league')).toSorted();
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

  async append(game: Slot, epoch: number, at: number, piece: string): Promise<Appended> {
    const { league, slot } = game;
    return this.#file.alone((): Appended => {
      if (epoch !== this.#epoch(game)) return 'fenced';
      if (at === 0)
        this.#file.change('DELETE FROM piece WHERE league = ? AND slot = ?', league, slot);
      else if (this.#count(game) !== at) return 'gap';
      this.#file.change('INSERT INTO piece VALUES (?, ?, ?, ?)', league, slot, at, piece);
      return 'appended';
    });
  }

  async pieces({ league, slot }: Slot): Promise<Pieces> {
    const query = 'SELECT text FROM piece WHERE league = ? AND slot = ? ORDER BY at';
    const pieces = this.#file.rows(query, league, slot).map((row) => textIn(row, 'text'));
    return { pieces: pieces.length, text: pieces.join('') };
  }

  async dropPieces({ league, slot }: Slot): Promise<void> {
    this.#file.change('DELETE FROM piece WHERE league = ? AND slot = ?', league, slot);
  }

  async record(result: Result, epoch: number | null): Promise<Recording> {
    const { league, slot } = result;
    const { body, clock } = keptResult(result);
    return this.#file.alone((): Recording => {
      const known = this.#file.row(
        'SELECT body FROM result WHERE league = ? AND slot = ?',
        league,
        slot,
      );
      if (known !== null) return textIn(known, 'body') === body ? 'duplicate' : 'conflict';
      if (epoch !== null && epoch !== this.#epoch({ league, slot })) return 'fenced';
      const careers = [...careersIn(result)];
      if (careers.some(([, { persona }]) => isTaken(this.#file, persona))) return 'taken';
      this.#file.change('INSERT INTO result VALUES (?, ?, ?, ?)', league, slot, body, clock);
      for (const [id, { persona, counters }] of careers) {
        enrol(this.#file, persona);
        addTo(this.#file, id, counters);
      }
      return 'recorded';
    });
  }

  async slots(league: string): Promise<readonly number[]> {
    const rows = this.#file.rows('SELECT slot FROM result WHERE league = ? ORDER BY slot', league);
    return rows.map((row) => numberIn(row, 'slot'));
  }

  async *results(league: string, least = 0, most = Number.MAX_SAFE_INTEGER): AsyncIterable<Result> {
    yield* this.#results(league, least, most);
  }

  async rebuild(): Promise<{ readonly personas: number; readonly changed: number }> {
    return this.#file.alone(() => {
      const counted: Recount = new Map();
      const leagues = this.#file.rows('SELECT DISTINCT league FROM result');
      for (const row of leagues) {
        for (const result of this.#results(textIn(row, 'league'))) recounted(counted, result);
      }
      const ids = this.#file.rows('SELECT id FROM persona').map((row) => textIn(row, 'id'));
      const wrong = ids.filter(
        (id) => !isSameCount(counters(this.#file, id), counted.get(id)?.counters ?? {}),
      );
      for (const id of wrong) {
        this.#file.change('DELETE FROM counter WHERE persona = ?', id);
        addTo(this.#file, id, counted.get(id)?.counters ?? {});
      }
      return { personas: ids.length, changed: wrong.length };
    });
  }

  async health(): Promise<Health> {
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
    return row === null ? null : textIn(row, 'value');
  }

  #epoch({ league, slot }: Slot): number {
    const row = this.#file.row(
      'SELECT epoch FROM epoch WHERE league = ? AND slot = ?',
      league,
      slot,
    );
    return row === null ? 0 : numberIn(row, 'epoch');
  }

  #count({ league, slot }: Slot): number {
    const query = 'SELECT count(*) AS pieces FROM piece WHERE league = ? AND slot = ?';
    const row = this.#file.row(query, league, slot);
    return row === null ? 0 : numberIn(row, 'pieces');
  }

  *#results(league: string, least = 0, most = Number.MAX_SAFE_INTEGER): Iterable<Result> {
    for (let last = least - 1; ; ) {
      const rows = this.#file.rows(PAGE_OF_RESULTS, league, last, most, PAGE);
      for (const row of rows) {
        last = numberIn(row, 'slot');
        yield readResult({ body: textIn(row, 'body'), clock: textIn(row, 'clock') });
      }
      if (rows.length < PAGE) return;
    }
  }
}

const ALL_MEMORIES = 'SELECT version, change FROM memory WHERE persona = ? ORDER BY version';
const PAGE_OF_RESULTS =
  'SELECT slot, body, clock FROM result WHERE league = ? AND slot > ? AND slot < ? ORDER BY slot LIMIT ?';

function memoryOf(row: Row): Memory {
  return readMemory(numberIn(row, 'version'), textIn(row, 'change'));
}
