/**
 * The embedded store: a file on this machine, which any number of processes may use at once.
 *
 * Every change is one transaction, which is on the disk before it is acknowledged. Transactions are short, since the
 * library is synchronous. Not for network file systems.
 */
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { realTime } from '../ports/time.ts';
import type { KeptJournal } from './journal.ts';
import {
  BLANK_MEMORY,
  decodeMemory,
  encodeMemory,
  isSamePersona,
  KEPT_VERSIONS,
  type MemoryChange,
  type PersonaMemory,
  type PersonaName,
  personaId,
} from './persona.ts';
import {
  addCounters,
  addToRecount,
  auditResults,
  type Career,
  countCareers,
  encodeResult,
  expectResult,
  type GameResult,
  hasSameCounters,
  type Recount,
  type ResultAudit,
} from './result.ts';
import { StoreDamaged, seal, unseal } from './seal.ts';
import { damagedFile, numberOf, type SqliteFile, type SqliteRow, textOf } from './sqlite.ts';
import type {
  AppendOutcome,
  EnrolOutcome,
  JournalPieces,
  JournalState,
  LeadFence,
  LeagueLead,
  RecordOutcome,
  Slot,
  Store,
  StoreHealth,
  TeachOutcome,
} from './store.ts';

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
    return readCareer(this.#file, id);
  }

  async personas(): Promise<readonly string[]> {
    return this.#file
      .rows('SELECT id FROM career')
      .map((row) => textOf(row, 'id'))
      .toSorted();
  }

  async memory(id: string, version?: number): Promise<PersonaMemory | null> {
    const latest = readLatest(this.#file, id);
    const asked = version ?? latest;
    if (asked === 0) return BLANK_MEMORY;
    if (asked > latest || asked <= latest - KEPT_VERSIONS) return null;
    const [memory] = readMemories(this.#file, id, asked, asked);
    return memory ?? null;
  }

  async history(id: string): Promise<readonly PersonaMemory[]> {
    const latest = readLatest(this.#file, id);
    return readMemories(this.#file, id, Math.max(1, latest - KEPT_VERSIONS + 1), latest);
  }

  async teach(
    id: string,
    seen: number,
    change: MemoryChange,
    fence: LeadFence | null = null,
  ): Promise<TeachOutcome> {
    return this.#file.alone((): TeachOutcome => {
      const version = readLatest(this.#file, id);
      if (fence !== null && !this.#holds(fence)) return { type: 'fenced', version };
      if (version !== seen) return { type: 'stale', version };
      const latest = version + 1;
      const text = seal(['memory', id, latest], encodeMemory(change));
      this.#file.change('INSERT INTO memory VALUES (?, ?, ?)', id, latest, text);
      const head = seal(['latest', id], String(latest));
      this.#file.change('INSERT OR REPLACE INTO latest VALUES (?, ?)', id, head);
      const oldest = latest - KEPT_VERSIONS;
      this.#file.change('DELETE FROM memory WHERE persona = ? AND version <= ?', id, oldest);
      return { type: 'taught', version: latest };
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
        seal(['matter', league, matter], value),
      );
      return this.#settled(league, matter) ?? value;
    });
  }

  async settled(league: string, matter: string): Promise<string | null> {
    return this.#settled(league, matter);
  }

  async claim(game: Slot): Promise<number> {
    return this.#file.alone(() => {
      const epoch = (this.#epoch(game) ?? 0) + 1;
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

  async record(
    result: GameResult,
    epoch: number | null,
    journal: KeptJournal | null = null,
  ): Promise<RecordOutcome> {
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
      const careers = [...countCareers(result)].map(([id, added]) => ({
        there: readCareer(this.#file, id),
        added,
      }));
      const isTaken = careers.some(
        ({ there, added }) => there !== null && !isSamePersona(there.persona, added.persona),
      );
      if (isTaken) return 'taken';
      this.#file.change('INSERT INTO result VALUES (?, ?, ?, ?)', league, slot, body, clock);
      countRecorded(this.#file, league, expectRecorded(this.#file, league) + 1);
      this.#file.change('DELETE FROM piece WHERE league = ? AND slot = ?', league, slot);
      if (journal !== null) {
        const { digest, packed } = journal;
        const query = 'INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?)';
        this.#file.change(query, league, slot, digest, packed);
      }
      for (const { there, added } of careers) {
        const counters = addCounters(there?.counters ?? {}, added.counters);
        writeCareer(this.#file, { persona: added.persona, counters });
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

  async audit(league: string): Promise<ResultAudit> {
    return this.#file.alone(() => {
      const rows = this.#file
        .rows('SELECT slot, body, clock FROM result WHERE league = ?', league)
        .map((row) => ({
          slot: numberOf(row, 'slot'),
          body: textOf(row, 'body'),
          clock: textOf(row, 'clock'),
        }));
      const recorded = tryRecorded(this.#file, league);
      return auditResults(league, rows, { least: recorded, most: recorded });
    });
  }

  async discard(league: string, slots: readonly number[]): Promise<void> {
    this.#file.alone(() => {
      for (const slot of slots) {
        this.#file.change('DELETE FROM result WHERE league = ? AND slot = ?', league, slot);
      }
      const rows = this.#file.rows('SELECT slot FROM result WHERE league = ?', league);
      countRecorded(this.#file, league, rows.length);
    });
  }

  async lead(league: string, lead: LeagueLead, ms: number): Promise<LeagueLead> {
    return this.#file.alone(() => {
      const held = this.#leader(league);
      if (held !== null) return held;
      const { term, runner } = lead;
      const query = 'INSERT OR REPLACE INTO lead VALUES (?, ?, ?, ?)';
      this.#file.change(query, league, term, runner, realTime.date() + ms);
      return lead;
    });
  }

  async renewLead({ league, term }: LeadFence, ms: number): Promise<boolean> {
    const query = 'UPDATE lead SET ends = ? WHERE league = ? AND term = ?';
    return this.#file.alone(
      () => this.#file.change(query, realTime.date() + ms, league, term) === 1,
    );
  }

  async resignLead({ league, term }: LeadFence): Promise<void> {
    const query = 'DELETE FROM lead WHERE league = ? AND term = ?';
    this.#file.alone(() => this.#file.change(query, league, term));
  }

  async leader(league: string): Promise<LeagueLead | null> {
    return this.#leader(league);
  }

  async journals(league: string): Promise<ReadonlyMap<number, JournalState>> {
    const query = 'SELECT slot, digest, packed IS NOT NULL AS kept FROM journal WHERE league = ?';
    return new Map(
      this.#file.rows(query, league).map((row) => {
        const state = { digest: textOf(row, 'digest'), isKept: numberOf(row, 'kept') === 1 };
        return [numberOf(row, 'slot'), state] as const;
      }),
    );
  }

  async journal({ league, slot }: Slot): Promise<KeptJournal | null> {
    const query = 'SELECT digest, packed FROM journal WHERE league = ? AND slot = ?';
    const row = this.#file.row(query, league, slot);
    const packed = row?.['packed'];
    if (row === null || !(packed instanceof Uint8Array)) return null;
    return { digest: textOf(row, 'digest'), packed };
  }

  async dropJournals(league: string): Promise<void> {
    const query = 'UPDATE journal SET packed = NULL WHERE league = ?';
    this.#file.alone(() => this.#file.change(query, league));
  }

  async rebuild(): Promise<{ readonly personas: number; readonly changed: number }> {
    return this.#file.alone(() => {
      const counted: Recount = new Map();
      const leagues = this.#file.rows('SELECT DISTINCT league FROM result');
      for (const row of leagues) {
        for (const result of this.#results(textOf(row, 'league'))) addToRecount(counted, result);
      }
      const rows = this.#file.rows('SELECT id, text FROM career');
      const ids = new Set([...rows.map((row) => textOf(row, 'id')), ...counted.keys()]);
      let changed = 0;
      for (const id of ids) {
        const there = tryCareer(rows, id);
        const persona = there?.persona ?? counted.get(id)?.persona;
        const right = counted.get(id)?.counters ?? {};
        if (there !== null && hasSameCounters(there.counters, right)) continue;
        changed += 1;
        // A damaged career without a game can't be attributed any more.
        if (persona === undefined) this.#file.change('DELETE FROM career WHERE id = ?', id);
        else writeCareer(this.#file, { persona, counters: right });
      }
      return { personas: ids.size, changed };
    });
  }

  async health(): Promise<StoreHealth> {
    return { what: `the file ${this.#file.path}`, warnings: [] };
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  #leader(league: string): LeagueLead | null {
    const query = 'SELECT term, runner FROM lead WHERE league = ? AND ends > ?';
    const row = this.#file.row(query, league, realTime.date());
    return row === null ? null : { term: textOf(row, 'term'), runner: textOf(row, 'runner') };
  }

  #holds({ league, term }: LeadFence): boolean {
    const query = 'SELECT term FROM lead WHERE league = ? AND term = ?';
    return this.#file.row(query, league, term) !== null;
  }

  #settled(league: string, matter: string): string | null {
    const row = this.#file.row(
      'SELECT value FROM matter WHERE league = ? AND name = ?',
      league,
      matter,
    );
    if (row === null) return null;
    const text = unseal(['matter', league, matter], textOf(row, 'value'));
    if (text !== null) return text;
    throw damaged(this.#file, `what was settled for the league ${JSON.stringify(league)}`);
  }

  /** Null where the game was never claimed: no epoch is the right one then. */
  #epoch({ league, slot }: Slot): number | null {
    const row = this.#file.row(
      'SELECT epoch FROM epoch WHERE league = ? AND slot = ?',
      league,
      slot,
    );
    return row === null ? null : numberOf(row, 'epoch');
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
        const slot = numberOf(row, 'slot');
        // A damaged index could lead round in a circle.
        if (slot <= last) throw damaged(this.#file, `the results of ${JSON.stringify(league)}`);
        last = slot;
        const stored = { body: textOf(row, 'body'), clock: textOf(row, 'clock') };
        yield expectResult({ league, slot }, stored);
      }
      if (rows.length < RESULTS_AT_ONCE) return;
    }
  }
}

const PAGE_OF_RESULTS =
  'SELECT slot, body, clock FROM result WHERE league = ? AND slot > ? AND slot < ? ORDER BY slot LIMIT ?';

function damaged({ path }: Pick<SqliteFile, 'path'>, what: string): StoreDamaged {
  return damagedFile(path, `${what} does not fit its hash`);
}

/** Number of the latest version of a memory; 0 where nothing was learned. */
function readLatest(file: SqliteFile, id: string): number {
  const row = file.row('SELECT version FROM latest WHERE persona = ?', id);
  if (row === null) {
    const stray = file.row('SELECT version FROM memory WHERE persona = ? LIMIT 1', id);
    if (stray !== null) throw damaged(file, `the memory of ${id}`);
    return 0;
  }
  const text = unseal(['latest', id], textOf(row, 'version'));
  if (text === null) throw damaged(file, `the memory of ${id}`);
  return Number(text);
}

/** Versions of a memory, the first and the last included; each of them must be there. */
function readMemories(
  file: SqliteFile,
  id: string,
  first: number,
  last: number,
): readonly PersonaMemory[] {
  const rows = file.rows(MEMORIES, id, first, last);
  if (rows.length !== Math.max(0, last - first + 1)) throw damaged(file, `the memory of ${id}`);
  return rows.map((row, index) => {
    const version = first + index;
    const text = unseal(['memory', id, version], textOf(row, 'change'));
    if (text === null) throw damaged(file, `version ${version} of the memory of ${id}`);
    return decodeMemory(version, text);
  });
}

const MEMORIES =
  'SELECT change FROM memory WHERE persona = ? AND version BETWEEN ? AND ? ORDER BY version';

const careerSchema = z.strictObject({
  persona: z.strictObject({ model: z.string(), name: z.string() }),
  counters: z.record(z.string(), z.int()),
});

function readCareer(file: SqliteFile, id: string): Career | null {
  const row = file.row('SELECT id, text FROM career WHERE id = ?', id);
  if (row === null) return null;
  const career = tryCareer([row], id);
  if (career === null) {
    throw new StoreDamaged(
      `the career of ${id} in ${file.path} does not fit its hash: league rebuild counts it anew from the results`,
    );
  }
  return career;
}

/** The career in the row of that id; null where there is none, or it is damaged. */
function tryCareer(rows: readonly SqliteRow[], id: string): Career | null {
  const row = rows.find((one) => one['id'] === id);
  const text = row === undefined ? null : unseal(['career', id], textOf(row, 'text'));
  return text === null ? null : careerSchema.parse(JSON.parse(text));
}

export function writeCareer(file: SqliteFile, { persona, counters }: Career): void {
  const id = personaId(persona);
  const text = seal(['career', id], canonical({ persona, counters }));
  file.change('INSERT OR REPLACE INTO career VALUES (?, ?)', id, text);
}

/** Within a transaction of the caller. */
function enrolPersona(file: SqliteFile, persona: PersonaName): EnrolOutcome {
  const there = readCareer(file, personaId(persona));
  if (there !== null) return isSamePersona(there.persona, persona) ? 'known' : 'taken';
  writeCareer(file, { persona, counters: {} });
  return 'new';
}

/** How many results of a league were recorded: a row that gets lost is missed by it. Null where that is damaged. */
function tryRecorded(file: SqliteFile, league: string): number | null {
  const row = file.row('SELECT results FROM recorded WHERE league = ?', league);
  const text = row === null ? '0' : unseal(['recorded', league], textOf(row, 'results'));
  return text === null ? null : Number(text);
}

function expectRecorded(file: SqliteFile, league: string): number {
  const recorded = tryRecorded(file, league);
  if (recorded !== null) return recorded;
  throw new StoreDamaged(
    `the number of results of ${JSON.stringify(league)} in ${file.path} does not fit its hash: verify --discard counts them anew`,
  );
}

export function countRecorded(file: SqliteFile, league: string, results: number): void {
  const text = seal(['recorded', league], String(results));
  file.change('INSERT OR REPLACE INTO recorded VALUES (?, ?)', league, text);
}
