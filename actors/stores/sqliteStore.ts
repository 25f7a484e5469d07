/** The store in a file, for any number of processes at once, but not on network file systems. Every change is one transaction. */

import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { parseJson } from '../../machines/text.ts';
import { realTime } from '../ports/time.ts';
import { StoreDamaged } from './errors.ts';
import {
  BLANK_MEMORY,
  isSamePersona,
  KEPT_VERSIONS,
  type PersonaMemory,
  personaId,
  sealMemory,
  unsealMemory,
} from './persona.ts';
import {
  addCounters,
  auditResults,
  type Career,
  countCareers,
  encodeResult,
  expectResult,
  type GameResult,
  hasSameCounters,
  Recount,
} from './result.ts';
import { readCount, seal, UNFIT, unseal } from './seal.ts';
import { damagedFile, numberOf, type SqliteFile, type SqliteRow, textOf } from './sqlite.ts';
import type { LeagueLead, Slot, Store } from './store.ts';

const RESULTS_AT_ONCE = 100;

export class SqliteStore implements Store {
  readonly #file: SqliteFile;
  readonly #now: () => number;

  /** `now` is the time of its leases, in milliseconds. */
  constructor(file: SqliteFile, now = realTime.date) {
    this.#file = file;
    this.#now = now;
  }

  readonly enrol: Store['enrol'] = async (persona) =>
    this.#file.alone(() => {
      const there = readCareer(this.#file, personaId(persona));
      if (there !== null) return isSamePersona(there.persona, persona) ? 'known' : 'taken';
      writeCareer(this.#file, { persona, counters: {} });
      return 'new';
    });

  readonly career: Store['career'] = async (id) => readCareer(this.#file, id);

  readonly personas: Store['personas'] = async () =>
    listTexts(this.#file, 'SELECT id AS text FROM career').toSorted();

  readonly memory: Store['memory'] = async (id, version) => {
    const latest = readLatest(this.#file, id);
    const asked = version ?? latest;
    if (asked === 0) return BLANK_MEMORY;
    if (asked > latest || asked <= latest - KEPT_VERSIONS) return null;
    const [memory] = readMemories(this.#file, id, asked, asked);
    return memory ?? null;
  };

  readonly history: Store['history'] = async (id) => {
    const latest = readLatest(this.#file, id);
    return readMemories(this.#file, id, Math.max(1, latest - KEPT_VERSIONS + 1), latest);
  };

  readonly teach: Store['teach'] = async (id, seen, change, fence = null) =>
    this.#file.alone(() => {
      const version = readLatest(this.#file, id);
      const leads = 'SELECT 1 FROM lead WHERE league = ? AND term = ?';
      if (fence !== null && this.#file.row(leads, fence.league, fence.term) === null)
        return { type: 'fenced', version };
      if (version !== seen) return { type: 'stale', version };
      const latest = version + 1;
      const text = sealMemory(id, latest, change);
      this.#file.change('INSERT INTO memory VALUES (?, ?, ?)', id, latest, text);
      const head = seal(['latest', id], String(latest));
      this.#file.change('INSERT OR REPLACE INTO latest VALUES (?, ?)', id, head);
      const oldest = latest - KEPT_VERSIONS;
      this.#file.change('DELETE FROM memory WHERE persona = ? AND version <= ?', id, oldest);
      return { type: 'taught', version: latest };
    });

  readonly leagues: Store['leagues'] = async () => {
    const query = 'SELECT league AS text FROM matter UNION SELECT league FROM result';
    return listTexts(this.#file, query).toSorted();
  };

  readonly settle: Store['settle'] = async (league, matter, value) =>
    this.#file.alone(() => {
      const query = 'INSERT INTO matter VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
      this.#file.change(query, league, matter, seal(['matter', league, matter], value));
      return findSettled(this.#file, league, matter) ?? value;
    });

  readonly settled: Store['settled'] = async (league, matter) =>
    findSettled(this.#file, league, matter);

  readonly claim: Store['claim'] = async (game) =>
    this.#file.alone(() => {
      const epoch = (findEpoch(this.#file, game) ?? 0) + 1;
      const query = 'INSERT OR REPLACE INTO epoch VALUES (?, ?, ?)';
      this.#file.change(query, game.league, game.slot, epoch);
      return epoch;
    });

  readonly append: Store['append'] = async (game, epoch, at, piece) =>
    this.#file.alone(() => {
      if (epoch !== findEpoch(this.#file, game)) return 'fenced';
      const { league, slot } = game;
      const query = 'SELECT count(*) AS pieces FROM piece WHERE league = ? AND slot = ?';
      if (at === 0) removePieces(this.#file, game);
      else if (numberOf(this.#file.row(query, league, slot) ?? {}, 'pieces') !== at) return 'gap';
      this.#file.change('INSERT INTO piece VALUES (?, ?, ?, ?)', league, slot, at, piece);
      return 'appended';
    });

  readonly pieces: Store['pieces'] = async ({ league, slot }) => {
    const query = 'SELECT text FROM piece WHERE league = ? AND slot = ? ORDER BY at';
    const pieces = listTexts(this.#file, query, league, slot);
    return { pieces: pieces.length, text: pieces.join('') };
  };

  readonly record: Store['record'] = async (result, epoch, journal = null) => {
    const { league, slot } = result;
    const { body, clock } = encodeResult(result);
    return this.#file.alone(() => {
      const query = 'SELECT body FROM result WHERE league = ? AND slot = ?';
      const known = this.#file.row(query, league, slot);
      if (known !== null) return textOf(known, 'body') === body ? 'duplicate' : 'conflict';
      if (epoch !== null && epoch !== findEpoch(this.#file, { league, slot })) return 'fenced';
      const careers = [...countCareers(result)].map(([id, added]) => {
        return { there: readCareer(this.#file, id), added };
      });
      const isTaken = careers.some(
        ({ there, added }) => there !== null && !isSamePersona(there.persona, added.persona),
      );
      if (isTaken) return 'taken';
      this.#file.change('INSERT INTO result VALUES (?, ?, ?, ?)', league, slot, body, clock);
      countRecorded(this.#file, league, expectRecorded(this.#file, league) + 1);
      removePieces(this.#file, { league, slot });
      if (journal !== null) {
        const insert = 'INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?)';
        this.#file.change(insert, league, slot, journal.digest, journal.packed);
      }
      for (const { there, added } of careers) {
        const counters = addCounters(there?.counters ?? {}, added.counters);
        writeCareer(this.#file, { persona: added.persona, counters });
      }
      return 'recorded';
    });
  };

  readonly slots: Store['slots'] = async (league) => listSlots(this.#file, league);

  async *results(league: string, least?: number, most?: number): AsyncIterable<GameResult> {
    yield* readResults(this.#file, league, least, most);
  }

  readonly audit: Store['audit'] = async (league) =>
    this.#file.alone(() => {
      const query = 'SELECT slot, body, clock FROM result WHERE league = ?';
      const recorded = tryRecorded(this.#file, league);
      const rows = this.#file.rows(query, league).map(storedIn);
      return auditResults(league, rows, { least: recorded, most: recorded });
    });

  readonly discard: Store['discard'] = async (league, slots) =>
    this.#file.alone(() => {
      for (const slot of slots)
        this.#file.change('DELETE FROM result WHERE league = ? AND slot = ?', league, slot);
      countRecorded(this.#file, league, listSlots(this.#file, league).length);
    });

  readonly lead: Store['lead'] = async (league, lead, ms) =>
    this.#file.alone(() => {
      const held = findLeader(this.#file, league, this.#now());
      if (held !== null && held.term !== lead.term) return held;
      const query = 'INSERT OR REPLACE INTO lead VALUES (?, ?, ?, ?)';
      this.#file.change(query, league, lead.term, lead.runner, this.#now() + ms);
      return lead;
    });

  readonly renewLead: Store['renewLead'] = async ({ league, term }, ms) => {
    const query = 'UPDATE lead SET ends = ? WHERE league = ? AND term = ?';
    const change = () => this.#file.change(query, this.#now() + ms, league, term);
    return this.#file.alone(change) === 1;
  };

  readonly resignLead: Store['resignLead'] = async ({ league, term }) => {
    const query = 'DELETE FROM lead WHERE league = ? AND term = ?';
    this.#file.alone(() => this.#file.change(query, league, term));
  };

  readonly leader: Store['leader'] = async (league) => findLeader(this.#file, league, this.#now());

  readonly journals: Store['journals'] = async (league) => {
    const query = 'SELECT slot, digest, packed IS NOT NULL AS kept FROM journal WHERE league = ?';
    return new Map(
      this.#file.rows(query, league).map((row) => {
        const state = { digest: textOf(row, 'digest'), isKept: numberOf(row, 'kept') === 1 };
        return [numberOf(row, 'slot'), state] as const;
      }),
    );
  };

  readonly journal: Store['journal'] = async ({ league, slot }) => {
    const query = 'SELECT digest, packed FROM journal WHERE league = ? AND slot = ?';
    const row = this.#file.row(query, league, slot);
    const packed = row?.['packed'];
    if (row === null || !(packed instanceof Uint8Array)) return null;
    return { digest: textOf(row, 'digest'), packed };
  };

  readonly dropJournals: Store['dropJournals'] = async (league) => {
    const query = 'UPDATE journal SET packed = NULL WHERE league = ?';
    this.#file.alone(() => this.#file.change(query, league));
  };

  readonly rebuild: Store['rebuild'] = async (isLeftOut = () => false) =>
    this.#file.alone(() => {
      const counted = new Recount();
      for (const league of listTexts(this.#file, 'SELECT DISTINCT league AS text FROM result'))
        for (const result of readResults(this.#file, league))
          if (!isLeftOut(result)) counted.add(result);
      const rows = this.#file.rows('SELECT id, text FROM career');
      const ids = new Set([...rows.map((row) => textOf(row, 'id')), ...counted.keys()]);
      let changed = 0;
      for (const id of ids) {
        const there = tryCareer(rows, id);
        const persona = there?.persona ?? counted.get(id)?.persona;
        const counters = counted.get(id)?.counters ?? {};
        if (there !== null && hasSameCounters(there.counters, counters)) continue;
        changed += 1;
        // A damaged career without a game can't be attributed any more.
        if (persona === undefined) this.#file.change('DELETE FROM career WHERE id = ?', id);
        else writeCareer(this.#file, { persona, counters });
      }
      return { personas: ids.size, changed };
    });

  readonly health: Store['health'] = async () => {
    const { path } = this.#file;
    if (path !== ':memory:') return { what: `the file ${path}`, warnings: [] };
    const text =
      'the store is in memory (:memory:): results and careers are gone when this command ends, journals are not';
    return { what: 'memory', warnings: [{ code: 'store/in-memory', text }] };
  };

  readonly close: Store['close'] = async () => this.#file.close();
}

function findLeader(file: SqliteFile, league: string, now: number): LeagueLead | null {
  const query = 'SELECT term, runner FROM lead WHERE league = ? AND ends > ?';
  const row = file.row(query, league, now);
  return row === null ? null : { term: textOf(row, 'term'), runner: textOf(row, 'runner') };
}

function findSettled(file: SqliteFile, league: string, matter: string): string | null {
  const query = 'SELECT value FROM matter WHERE league = ? AND name = ?';
  const row = file.row(query, league, matter);
  if (row === null) return null;
  const text = unseal(['matter', league, matter], textOf(row, 'value'));
  if (text !== null) return text;
  throw damaged(file, `what was settled for the league ${JSON.stringify(league)}`);
}

/** Null where the game was never claimed: no epoch is the right one then. */
function findEpoch(file: SqliteFile, { league, slot }: Slot): number | null {
  const row = file.row('SELECT epoch FROM epoch WHERE league = ? AND slot = ?', league, slot);
  return row === null ? null : numberOf(row, 'epoch');
}

function removePieces(file: SqliteFile, { league, slot }: Slot): void {
  file.change('DELETE FROM piece WHERE league = ? AND slot = ?', league, slot);
}

function* readResults(
  file: SqliteFile,
  league: string,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
): Iterable<GameResult> {
  for (let last = least - 1; ; ) {
    const rows = file.rows(PAGE_OF_RESULTS, league, last, most, RESULTS_AT_ONCE);
    for (const row of rows) {
      const stored = storedIn(row);
      const { slot } = stored;
      // A damaged index could lead round in a circle.
      if (slot <= last) throw damaged(file, `the results of ${JSON.stringify(league)}`);
      last = slot;
      yield expectResult({ league, slot }, stored);
    }
    if (rows.length < RESULTS_AT_ONCE) return;
  }
}

function listTexts(file: SqliteFile, query: string, ...values: readonly (string | number)[]) {
  return file.rows(query, ...values).map((row) => textOf(row, 'text'));
}

function listSlots(file: SqliteFile, league: string): readonly number[] {
  const rows = file.rows('SELECT slot FROM result WHERE league = ? ORDER BY slot', league);
  return rows.map((row) => numberOf(row, 'slot'));
}

function storedIn(row: SqliteRow) {
  return { slot: numberOf(row, 'slot'), body: textOf(row, 'body'), clock: textOf(row, 'clock') };
}

const PAGE_OF_RESULTS =
  'SELECT slot, body, clock FROM result WHERE league = ? AND slot > ? AND slot < ? ORDER BY slot LIMIT ?';

function damaged({ path }: Pick<SqliteFile, 'path'>, what: string): StoreDamaged {
  return damagedFile(path, `${what} ${UNFIT}`);
}

/** Number of the latest version of a memory; 0 where nothing was learned. */
function readLatest(file: SqliteFile, id: string): number {
  const row = file.row('SELECT version FROM latest WHERE persona = ?', id);
  if (row === null) {
    const stray = file.row('SELECT version FROM memory WHERE persona = ? LIMIT 1', id);
    if (stray !== null) throw damaged(file, `the memory of ${id}`);
    return 0;
  }
  const latest = readCount(unseal(['latest', id], textOf(row, 'version')));
  if (latest === null) throw damaged(file, `the memory of ${id}`);
  return latest;
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
    const memory = unsealMemory(id, version, textOf(row, 'change'));
    if (memory === null) throw damaged(file, `version ${version} of the memory of ${id}`);
    return memory;
  });
}

const MEMORIES =
  'SELECT change FROM memory WHERE persona = ? AND version BETWEEN ? AND ? ORDER BY version';

const careerSchema = z.strictObject({
  persona: z.strictObject({ model: z.string(), name: z.string() }),
  counters: z.record(z.string(), z.int().nonnegative()),
});

function readCareer(file: SqliteFile, id: string): Career | null {
  const row = file.row('SELECT id, text FROM career WHERE id = ?', id);
  if (row === null) return null;
  const career = tryCareer([row], id);
  if (career !== null) return career;
  throw new StoreDamaged(
    `the career of ${id} in ${file.path} ${UNFIT}: league rebuild counts it anew from the results`,
  );
}

function tryCareer(rows: readonly SqliteRow[], id: string): Career | null {
  const row = rows.find((one) => one['id'] === id);
  const text = row === undefined ? null : unseal(['career', id], textOf(row, 'text'));
  return careerSchema.safeParse(text === null ? null : parseJson(text)).data ?? null;
}

export function writeCareer(file: SqliteFile, { persona, counters }: Career): void {
  const id = personaId(persona);
  const text = seal(['career', id], canonical({ persona, counters }));
  file.change('INSERT OR REPLACE INTO career VALUES (?, ?)', id, text);
}

/** How many results of a league were recorded: a row that gets lost is missed by it. Null where that is damaged. */
function tryRecorded(file: SqliteFile, league: string): number | null {
  const row = file.row('SELECT results FROM recorded WHERE league = ?', league);
  return row === null ? 0 : readCount(unseal(['recorded', league], textOf(row, 'results')));
}

function expectRecorded(file: SqliteFile, league: string): number {
  const recorded = tryRecorded(file, league);
  if (recorded !== null) return recorded;
  throw new StoreDamaged(
    `the number of results of ${JSON.stringify(league)} in ${file.path} ${UNFIT}: verify --discard counts them anew`,
  );
}

export function countRecorded(file: SqliteFile, league: string, results: number): void {
  const text = seal(['recorded', league], String(results));
  file.change('INSERT OR REPLACE INTO recorded VALUES (?, ?)', league, text);
}
