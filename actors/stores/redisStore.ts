/**
 * The store on a Redis: for production, and for leagues on many machines.
 *
 * Changes of several keys are scripts, which the server runs in one step.
 */
import type { Note } from '../../machines/types.ts';
import type { KeptJournal } from './journal.ts';
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
import { defineScript, encodeKeyPart, KEY_PREFIX, type RedisConnection } from './redis.ts';
import {
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
import {
  type AppendOutcome,
  type EnrolOutcome,
  type JournalPieces,
  type JournalState,
  type LeadFence,
  type LeagueLead,
  type RecordOutcome,
  type Slot,
  type Store,
  type StoreHealth,
  StoreLost,
  type TeachOutcome,
} from './store.ts';

/** Results that are read at once. */
const PAGE = 100;

/** Times that a recount is begun again because results come in. */
const MOST_RECOUNTS = 20;

export class RedisStore implements Store {
  readonly #link: RedisConnection;

  constructor(link: RedisConnection) {
    this.#link = link;
  }

  async enrol(persona: PersonaName): Promise<EnrolOutcome> {
    const id = personaId(persona);
    const said = await this.#link.run(
      SCRIPTS.enrol,
      [KEYS.personas, sheetKey(id)],
      [id, persona.model, persona.name],
    );
    return expectWord(['new', 'known', 'taken'], said);
  }

  async career(id: string): Promise<Career | null> {
    const { model, name } = await this.#link.ask((client) => client.hgetall(sheetKey(id)));
    if (model === undefined || name === undefined) return null;
    return { persona: { model, name }, counters: await this.#counters(id) };
  }

  async personas(): Promise<readonly string[]> {
    const ids = await this.#link.ask((client) => client.smembers(KEYS.personas));
    return ids.toSorted();
  }

  async memory(id: string, version?: number): Promise<PersonaMemory | null> {
    if (version === 0) return BLANK_MEMORY;
    const key = memoryKey(id);
    const asked =
      version ?? Number((await this.#link.ask((client) => client.hget(key, 'latest'))) ?? 0);
    if (asked === 0) return BLANK_MEMORY;
    const change = await this.#link.ask((client) => client.hget(key, String(asked)));
    if (change !== null) return this.#unsealMemory(id, asked, change);
    if (version !== undefined) return null;
    throw this.#damaged(`the memory of ${id}`);
  }

  async history(id: string): Promise<readonly PersonaMemory[]> {
    const { latest: _latest, ...changes } = await this.#link.ask((client) =>
      client.hgetall(memoryKey(id)),
    );
    return Object.entries(changes)
      .map(([version, change]) => this.#unsealMemory(id, Number(version), change))
      .toSorted((one, other) => one.version - other.version);
  }

  async teach(
    id: string,
    seen: number,
    change: MemoryChange,
    fence: LeadFence | null = null,
  ): Promise<TeachOutcome> {
    const text = seal(['memory', id, seen + 1], encodeMemory(change));
    const values = [seen, text, KEPT_VERSIONS, ...(fence ? [fence.term] : [])];
    const touched = [memoryKey(id), ...(fence ? [leadKey(fence.league)] : [])];
    const said = await this.#link.run(SCRIPTS.teach, touched, values);
    const [type, version] = Array.isArray(said) ? said : [];
    return { type: expectWord(['taught', 'stale', 'fenced'], type), version: Number(version) };
  }

  async leagues(): Promise<readonly string[]> {
    const leagues = await this.#link.ask((client) => client.smembers(KEYS.leagues));
    const recorded = await this.#link.ask((client) => client.hkeys(KEYS.recordedByLeague));
    return [...new Set([...leagues, ...recorded])].toSorted();
  }

  async settle(league: string, matter: string, value: string): Promise<string> {
    const touched = [KEYS.leagues, mattersKey(league)];
    const text = seal(['matter', league, matter], value);
    const held = await this.#link.run(SCRIPTS.settle, touched, [league, matter, text]);
    return this.#unsealMatter(league, matter, String(held));
  }

  async settled(league: string, matter: string): Promise<string | null> {
    const held = await this.#link.ask((client) => client.hget(mattersKey(league), matter));
    return held === null ? null : this.#unsealMatter(league, matter, held);
  }

  async claim({ league, slot }: Slot): Promise<number> {
    return await this.#link.ask((client) => client.hincrby(epochsKey(league), String(slot), 1));
  }

  async append(
    { league, slot }: Slot,
    epoch: number,
    at: number,
    text: string,
  ): Promise<AppendOutcome> {
    const touched = [epochsKey(league), journalKey(league, slot)];
    const said = await this.#link.run(SCRIPTS.append, touched, [slot, epoch, at, text]);
    return expectWord(['appended', 'fenced', 'gap'], said);
  }

  async pieces({ league, slot }: Slot): Promise<JournalPieces> {
    const pieces = await this.#link.ask((client) => client.lrange(journalKey(league, slot), 0, -1));
    return { pieces: pieces.length, text: pieces.join('') };
  }

  async record(
    result: GameResult,
    epoch: number | null,
    journal: KeptJournal | null = null,
  ): Promise<RecordOutcome> {
    const { league, slot } = result;
    const { body, clock } = encodeResult(result);
    const careers = [...countCareers(result)];
    const said = await this.#link.run(
      SCRIPTS.record,
      [
        KEYS.leagues,
        resultsKey(league),
        epochsKey(league),
        KEYS.recorded,
        KEYS.recordedByLeague,
        KEYS.personas,
        journalKey(league, slot),
        keptKey(league),
        digestsKey(league),
        ...careers.flatMap(([id]) => [sheetKey(id), countersKey(id)]),
      ],
      [
        league,
        slot,
        epoch ?? '',
        body,
        clock,
        journal?.digest ?? '',
        Buffer.from(journal?.packed ?? []),
        ...careers.flatMap(([id, { persona, counters }]) => {
          const fields = Object.entries(counters).flat();
          return [id, persona.model, persona.name, fields.length / 2, ...fields];
        }),
      ],
    );
    return expectWord(['recorded', 'duplicate', 'conflict', 'fenced', 'taken'], said);
  }

  async slots(league: string): Promise<readonly number[]> {
    const slots = await this.#link.ask((client) => client.hkeys(resultsKey(league)));
    return slots.map(Number).toSorted((one, other) => one - other);
  }

  async *results(league: string, least = 0, most = Infinity): AsyncIterable<GameResult> {
    const all = await this.slots(league);
    const slots = all.filter((slot) => slot >= least && slot < most);
    for (let at = 0; at < slots.length; at += PAGE) {
      const page = slots.slice(at, at + PAGE).map(String);
      const kept = await this.#link.ask((client) => client.hmget(resultsKey(league), ...page));
      for (const [index, text] of kept.entries()) {
        const slot = Number(page[index]);
        if (text !== null) yield expectResult({ league, slot }, splitResult(text));
      }
    }
  }

  async audit(league: string): Promise<ResultAudit> {
    // A result that is recorded meanwhile is in the second number at the latest.
    const least = await this.#countRecorded(league);
    const kept = await this.#link.ask((client) => client.hgetall(resultsKey(league)));
    const most = await this.#countRecorded(league);
    const rows = Object.entries(kept).map(([slot, text]) => ({
      slot: Number(slot),
      ...splitResult(text),
    }));
    return auditResults(league, rows, { least, most });
  }

  async discard(league: string, slots: readonly number[]): Promise<void> {
    const results = [resultsKey(league), KEYS.recordedByLeague, KEYS.recorded];
    const touched = [...results, KEYS.leagues, mattersKey(league)];
    await this.#link.run(SCRIPTS.discard, touched, [league, ...slots]);
  }

  /** Null where it is no number any more. */
  async #countRecorded(league: string): Promise<number | null> {
    const text = await this.#link.ask((client) => client.hget(KEYS.recordedByLeague, league));
    return /^\d+$/.test(text ?? '0') ? Number(text ?? 0) : null;
  }

  #unsealMemory(id: string, version: number, change: string): PersonaMemory {
    const text = unseal(['memory', id, version], change);
    if (text === null) throw this.#damaged(`version ${version} of the memory of ${id}`);
    return decodeMemory(version, text);
  }

  #unsealMatter(league: string, matter: string, held: string): string {
    const text = unseal(['matter', league, matter], held);
    if (text !== null) return text;
    throw this.#damaged(`what was settled for the league ${JSON.stringify(league)}`);
  }

  #damaged(what: string): StoreDamaged {
    return new StoreDamaged(
      `the store on Redis at ${this.#link.shown} is damaged: ${what} does not fit its hash; restore it from a copy, or begin under another name`,
    );
  }

  async lead(league: string, lead: LeagueLead, ms: number): Promise<LeagueLead> {
    const said = await this.#link.run(
      SCRIPTS.lead,
      [leadKey(league)],
      [lead.term, lead.runner, ms],
    );
    const [term, runner] = Array.isArray(said) ? said : [];
    return { term: String(term), runner: String(runner) };
  }

  async renewLead({ league, term }: LeadFence, ms: number): Promise<boolean> {
    return (await this.#link.run(SCRIPTS.renewLead, [leadKey(league)], [term, ms])) === 1;
  }

  async resignLead({ league, term }: LeadFence): Promise<void> {
    await this.#link.run(SCRIPTS.resignLead, [leadKey(league)], [term]);
  }

  async leader(league: string): Promise<LeagueLead | null> {
    const said = await this.#link.run(SCRIPTS.leader, [leadKey(league)], []);
    const [term, runner] = Array.isArray(said) ? said : [];
    return term === undefined ? null : { term: String(term), runner: String(runner) };
  }

  async journals(league: string): Promise<ReadonlyMap<number, JournalState>> {
    const digests = await this.#link.ask((client) => client.hgetall(digestsKey(league)));
    const kept = new Set(await this.#link.ask((client) => client.hkeys(keptKey(league))));
    return new Map(
      Object.entries(digests).map(
        ([slot, digest]) => [Number(slot), { digest, isKept: kept.has(slot) }] as const,
      ),
    );
  }

  async journal({ league, slot }: Slot): Promise<KeptJournal | null> {
    const [digest, packed] = await this.#link.ask((client) =>
      Promise.all([
        client.hget(digestsKey(league), String(slot)),
        client.hgetBuffer(keptKey(league), String(slot)),
      ]),
    );
    return digest === null || packed === null ? null : { digest, packed };
  }

  async dropJournals(league: string): Promise<void> {
    await this.#link.ask((client) => client.unlink(keptKey(league)));
  }

  async rebuild(): Promise<{ readonly personas: number; readonly changed: number }> {
    for (let time = 0; time < MOST_RECOUNTS; time++) {
      const done = await this.#recount();
      if (done !== null) return done;
    }
    throw new StoreLost(
      `results came in all the time, ${MOST_RECOUNTS} times: count again when the league is over`,
    );
  }

  async health(): Promise<StoreHealth> {
    const info = await this.#link.ask((client) => client.info());
    // Not everybody may ask for the configuration.
    const fsync = await this.#link
      .ask((client) => client.config('GET', 'appendfsync'))
      .catch(() => null);
    const { shown } = this.#link;
    const health = readRedisHealth(info, shown, Array.isArray(fsync) ? String(fsync[1]) : null);
    if ((await this.#link.ask((client) => client.exists(EARLIER_PERSONAS))) === 0) return health;
    const text = `Redis at ${shown} also holds personas and leagues of an earlier version, which this one does not read: they are left as they are`;
    return { ...health, warnings: [...health.warnings, { code: 'store/earlier-version', text }] };
  }

  async close(): Promise<void> {
    this.#link.close();
  }

  /** Null when a result came in between. */
  async #recount(): Promise<{ readonly personas: number; readonly changed: number } | null> {
    const before = (await this.#link.ask((client) => client.get(KEYS.recorded))) ?? '0';
    const counted: Recount = new Map();
    for (const league of await this.leagues()) {
      for await (const result of this.results(league)) addToRecount(counted, result);
    }
    const there = new Set(await this.personas());
    const ids = new Set([...there, ...counted.keys()]);
    let changed = 0;
    for (const id of ids) {
      const { persona = null, counters = {} } = counted.get(id) ?? {};
      const isNamed = there.has(id) && (await this.career(id)) !== null;
      if ((isNamed || persona === null) && hasSameCounters(await this.#counters(id), counters)) {
        continue;
      }
      const said = await this.#link.run(
        SCRIPTS.recount,
        [KEYS.recorded, countersKey(id), KEYS.personas, sheetKey(id)],
        [
          ...[before, persona === null ? '' : id, persona?.model ?? '', persona?.name ?? ''],
          ...Object.entries(counters).flat(),
        ],
      );
      if (said === 'moved') return null;
      changed += 1;
    }
    return { personas: ids.size, changed };
  }

  async #counters(id: string): Promise<Career['counters']> {
    const counters = await this.#link.ask((client) => client.hgetall(countersKey(id)));
    return Object.fromEntries(
      Object.entries(counters).map(([name, value]) => [name, Number(value)]),
    );
  }
}

function splitResult(text: string) {
  const [body = '', clock = ''] = text.split('\n');
  return { body, clock };
}

/** Where the version before results were sealed kept its personas. */
const EARLIER_PERSONAS = '{glassbox}:v1:personas';

function expectWord<const T extends string>(words: readonly T[], said: unknown): T {
  const found = words.find((word) => word === said);
  if (found === undefined) throw new StoreLost(`Redis gave an unexpected answer: ${String(said)}`);
  return found;
}

const KEYS = {
  /** Set of all ids. */
  personas: `${KEY_PREFIX}:personas`,
  /** Set of all leagues. */
  leagues: `${KEY_PREFIX}:leagues`,
  /** How many results were ever recorded: a recount sees by it that another one came. */
  recorded: `${KEY_PREFIX}:recorded`,
  /** Hash: how many results each league has; one that gets lost is missed by it. */
  recordedByLeague: `${KEY_PREFIX}:recorded-by-league`,
} as const;

/** Hash: the pair of model and name. */
function sheetKey(id: string): string {
  return `${KEY_PREFIX}:persona:${encodeKeyPart(id)}:sheet`;
}

/** Hash: counters. */
function countersKey(id: string): string {
  return `${KEY_PREFIX}:persona:${encodeKeyPart(id)}:counters`;
}

/** Hash: changes by version, and the latest version under "latest". */
function memoryKey(id: string): string {
  return `${KEY_PREFIX}:persona:${encodeKeyPart(id)}:memory`;
}

/** Hash: settled values by matter. */
function mattersKey(league: string): string {
  return `${KEY_PREFIX}:league:${encodeKeyPart(league)}:matters`;
}

/** Hash: epochs by slot. */
function epochsKey(league: string): string {
  return `${KEY_PREFIX}:league:${encodeKeyPart(league)}:epochs`;
}

/** Hash: results by slot, the body and the clock in a line each. */
function resultsKey(league: string): string {
  return `${KEY_PREFIX}:league:${encodeKeyPart(league)}:results`;
}

/** Hash: the lead of a league: its term, its runner, and when it ends in milliseconds of the server. */
function leadKey(league: string): string {
  return `${KEY_PREFIX}:league:${encodeKeyPart(league)}:lead`;
}

/** Hash: packed journals by slot. */
function keptKey(league: string): string {
  return `${KEY_PREFIX}:league:${encodeKeyPart(league)}:kept`;
}

/** Hash: the hashes of journals by slot, also of those that were dropped. */
function digestsKey(league: string): string {
  return `${KEY_PREFIX}:league:${encodeKeyPart(league)}:digests`;
}

/** List: the pieces of a journal in the making. */
function journalKey(league: string, slot: number): string {
  return `${KEY_PREFIX}:league:${encodeKeyPart(league)}:journal:${slot}`;
}

/** Enrols a pair of model and name. Keys: ids, sheet. Values: id, model, name. */
const enrol = defineScript(`
local model = redis.call('HGET', KEYS[2], 'model')
if model then
  if model == ARGV[2] and redis.call('HGET', KEYS[2], 'name') == ARGV[3] then return 'known' end
  return 'taken'
end
redis.call('HSET', KEYS[2], 'model', ARGV[2], 'name', ARGV[3])
redis.call('SADD', KEYS[1], ARGV[1])
return 'new'`);

/**
 * Adds a version to a memory. Keys: memory, and the lead of a league if it is a fence. Values: the version that was seen,
 * the change, versions to keep, and the term of the lead.
 */
const teach = defineScript(`
local latest = tonumber(redis.call('HGET', KEYS[1], 'latest') or '0')
if KEYS[2] and redis.call('HGET', KEYS[2], 'term') ~= ARGV[4] then return {'fenced', latest} end
if latest ~= tonumber(ARGV[1]) then return {'stale', latest} end
redis.call('HSET', KEYS[1], 'latest', latest + 1, latest + 1, ARGV[2])
redis.call('HDEL', KEYS[1], latest + 1 - tonumber(ARGV[3]))
return {'taught', latest + 1}`);

/** Settles a matter. Keys: leagues, matters. Values: league, matter, value. */
const settle = defineScript(`
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
return redis.call('HGET', KEYS[2], ARGV[2])`);

/** Adds a piece to a journal. Keys: epochs, journal. Values: slot, epoch, pieces that should be there, piece. */
const append = defineScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 'fenced' end
if ARGV[3] == '0' then redis.call('DEL', KEYS[2]) end
if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[3]) then return 'gap' end
redis.call('RPUSH', KEYS[2], ARGV[4])
return 'appended'`);

/** The time of the server in milliseconds. */
const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)`;

/** Takes a lead that is free. Keys: lead. Values: term, runner, milliseconds. */
const lead = defineScript(`${NOW}
local held = redis.call('HMGET', KEYS[1], 'term', 'runner', 'ends')
if held[1] and tonumber(held[3]) > now then return {held[1], held[2]} end
local ends = string.format('%.0f', now + tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'term', ARGV[1], 'runner', ARGV[2], 'ends', ends)
return {ARGV[1], ARGV[2]}`);

/** Keeps a lead that is held. Keys: lead. Values: term, milliseconds. */
const renewLead = defineScript(`${NOW}
if redis.call('HGET', KEYS[1], 'term') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'ends', string.format('%.0f', now + tonumber(ARGV[2])))
return 1`);

/** Frees a lead that is held. Keys: lead. Values: term. */
const resignLead = defineScript(`
if redis.call('HGET', KEYS[1], 'term') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 'resigned'`);

/** The term and the runner of a lead that has not run out. Keys: lead. */
const leader = defineScript(`${NOW}
local held = redis.call('HMGET', KEYS[1], 'term', 'runner', 'ends')
if held[1] and tonumber(held[3]) > now then return {held[1], held[2]} end
return {}`);

/**
 * Keeps a result with its journal and counts it. Keys: leagues, results, epochs, recorded, recorded by league, ids, pieces,
 * packed journals, hashes of journals, then sheet and counters of each persona. Values: league, slot, epoch or '', body,
 * clock, hash of the journal or '', packed journal, then for each persona id, model, name, how many counters, and these.
 */
const record = defineScript(`
local known = redis.call('HGET', KEYS[2], ARGV[2])
if known then
  if string.sub(known, 1, #ARGV[4] + 1) == ARGV[4] .. '\\n' then return 'duplicate' end
  return 'conflict'
end
if ARGV[3] ~= '' and redis.call('HGET', KEYS[3], ARGV[2]) ~= ARGV[3] then return 'fenced' end
local at = 8
for key = 10, #KEYS, 2 do
  local model = redis.call('HGET', KEYS[key], 'model')
  if model and (model ~= ARGV[at + 1] or redis.call('HGET', KEYS[key], 'name') ~= ARGV[at + 2]) then
    return 'taken'
  end
  at = at + 4 + 2 * tonumber(ARGV[at + 3])
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[4] .. '\\n' .. ARGV[5])
redis.call('INCR', KEYS[4])
redis.call('HINCRBY', KEYS[5], ARGV[1], 1)
redis.call('DEL', KEYS[7])
if ARGV[6] ~= '' then
  redis.call('HSET', KEYS[8], ARGV[2], ARGV[7])
  redis.call('HSET', KEYS[9], ARGV[2], ARGV[6])
end
at = 8
for key = 10, #KEYS, 2 do
  redis.call('HSET', KEYS[key], 'model', ARGV[at + 1], 'name', ARGV[at + 2])
  redis.call('SADD', KEYS[6], ARGV[at])
  local last = at + 3 + 2 * tonumber(ARGV[at + 3])
  for field = at + 4, last, 2 do
    redis.call('HINCRBY', KEYS[key + 1], ARGV[field], ARGV[field + 1])
  end
  at = last + 1
end
return 'recorded'`);

/**
 * Takes results out; a league is forgotten that has none left, and nothing settled. Keys: results, recorded by league,
 * recorded, leagues, matters. Values: league, slots.
 */
const discard = defineScript(`
for at = 2, #ARGV do redis.call('HDEL', KEYS[1], ARGV[at]) end
local left = redis.call('HLEN', KEYS[1])
if left > 0 then
  redis.call('HSET', KEYS[2], ARGV[1], left)
else
  redis.call('HDEL', KEYS[2], ARGV[1])
  if redis.call('EXISTS', KEYS[5]) == 0 then redis.call('SREM', KEYS[4], ARGV[1]) end
end
redis.call('INCR', KEYS[3])
return 'discarded'`);

/**
 * Replaces counters, and enters a persona that has results, unless a result came meanwhile. Keys: recorded,
 * counters, ids, sheet. Values: recorded before, id or '' where there is no result, model, name, counters.
 */
const recount = defineScript(`
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then return 'moved' end
if ARGV[2] ~= '' then
  redis.call('SADD', KEYS[3], ARGV[2])
  redis.call('HSET', KEYS[4], 'model', ARGV[3], 'name', ARGV[4])
end
redis.call('DEL', KEYS[2])
for field = 5, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[field], ARGV[field + 1]) end
return 'recounted'`);

const SCRIPTS = {
  enrol,
  teach,
  lead,
  renewLead,
  resignLead,
  leader,
  settle,
  append,
  record,
  discard,
  recount,
} as const;

/** `fsync` is the server's appendfsync setting. Null when the server does not report it. */
export function readRedisHealth(info: string, shown: string, fsync: string | null): StoreHealth {
  const fields = parseInfo(info);
  const warnings: Note[] = [];
  const warn = (code: string, text: string) => warnings.push({ code: `store/${code}`, text });
  if (fields.get('role') === 'slave') {
    warn(
      'replica',
      `Redis at ${shown} is a replica, which keeps nothing of its own: name its master`,
    );
  }
  if (fields.get('aof_enabled') !== '1') {
    warn(
      'no-aof',
      `Redis at ${shown} keeps no append-only file: what it has acknowledged is lost when it ends; set "appendonly yes"`,
    );
  }
  const policy = fields.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    warn(
      'eviction',
      `Redis at ${shown} throws keys away when its memory is full (${policy}); set "maxmemory-policy noeviction"`,
    );
  }
  if (fields.get('aof_last_write_status') === 'err') {
    warn('aof-fails', `Redis at ${shown} can't write its append-only file: is its disk full?`);
  }
  if (fsync === 'no') {
    warn(
      'fsync',
      `Redis at ${shown} leaves it to the system when it writes to the disk; set "appendfsync everysec"`,
    );
  }
  return { what: `Redis ${fields.get('redis_version') ?? '?'} at ${shown}`, warnings };
}

function parseInfo(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line): (readonly [string, string])[] => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
    }),
  );
}
