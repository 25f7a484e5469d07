/** The store on a Redis. Changes of several keys are scripts, which the server runs in one step. */
import { z } from 'zod';
import type { Note } from '../../machines/types.ts';
import { StoreDamaged, StoreLost } from './errors.ts';
import {
  BLANK_MEMORY,
  KEPT_VERSIONS,
  type PersonaMemory,
  personaId,
  sealMemory,
  unsealMemory,
} from './persona.ts';
import {
  defineScript,
  encodeKeyPart,
  KEY_PREFIX,
  type RedisConnection,
  readInfo,
} from './redis.ts';
import {
  auditResults,
  countCareers,
  encodeResult,
  expectResult,
  type GameResult,
  hasSameCounters,
  Recount,
} from './result.ts';
import { readCount, seal, UNFIT, unseal } from './seal.ts';
import type { LeagueLead, Rebuilt, Store, StoreHealth } from './store.ts';

const PAGE = 100;

/** Times that a recount is begun again because results come in. */
const MOST_RECOUNTS = 20;

export class RedisStore implements Store {
  readonly #link: RedisConnection;

  constructor(link: RedisConnection) {
    this.#link = link;
  }

  /** Throws a store error if a newer version keeps its store there, or if this store's names hold other values. */
  static async open(link: RedisConnection): Promise<RedisStore> {
    const store = new RedisStore(link);
    try {
      await store.#judge();
    } catch (error) {
      link.close();
      throw error;
    }
    return store;
  }

  async #judge(): Promise<void> {
    if ((await this.#link.ask(COUNT, (client) => client.exists(...NEWER))) > 0) {
      const text = `Redis at ${this.#link.shown} holds the store of a newer version of this program: read it with that one, or name another database of it`;
      throw new StoreDamaged(text, 'store/version');
    }
    const leagues = await this.leagues();
    const ids = await this.personas();
    // The server refuses a question to a value of another type.
    await this.#link.ask(z.array(COUNT), (client) =>
      Promise.all([
        client.strlen(KEYS.recorded),
        ...LEAGUE_HASHES.flatMap((keyOf) => leagues.map((name) => client.hlen(keyOf(name)))),
        ...PERSONA_HASHES.flatMap((keyOf) => ids.map((id) => client.hlen(keyOf(id)))),
      ]),
    );
  }

  readonly enrol: Store['enrol'] = async (persona) => {
    const id = personaId(persona);
    const touched = [KEYS.personas, sheetKey(id)];
    const said = await this.#link.run(SCRIPTS.enrol, touched, [id, persona.model, persona.name]);
    return expectWord(['new', 'known', 'taken'], said);
  };

  readonly career: Store['career'] = async (id) => {
    const { model, name } = await this.#link.ask(TABLE, (client) => client.hgetall(sheetKey(id)));
    if (model === undefined || name === undefined) return null;
    return { persona: { model, name }, counters: await this.#readCounters(id) };
  };

  readonly personas: Store['personas'] = async () =>
    (await this.#link.ask(TEXTS, (client) => client.smembers(KEYS.personas))).toSorted();

  readonly memory: Store['memory'] = async (id, version) => {
    const key = memoryKey(id);
    const latest = (await this.#link.ask(TEXT, (client) => client.hget(key, 'latest'))) ?? '0';
    const asked = version ?? readCount(latest);
    if (asked === null) throw this.#damaged(`the memory of ${id}`);
    if (asked === 0) return BLANK_MEMORY;
    const change = await this.#link.ask(TEXT, (client) => client.hget(key, String(asked)));
    if (change !== null) return this.#expectMemory(id, asked, change);
    if (version !== undefined) return null;
    throw this.#damaged(`the memory of ${id}`);
  };

  readonly history: Store['history'] = async (id) => {
    const { latest: _latest, ...changes } = await this.#link.ask(TABLE, (client) =>
      client.hgetall(memoryKey(id)),
    );
    return Object.entries(changes)
      .map(([version, change]) => this.#expectMemory(id, Number(version), change))
      .toSorted((one, other) => one.version - other.version);
  };

  readonly teach: Store['teach'] = async (id, seen, change, fence = null) => {
    const text = sealMemory(id, seen + 1, change);
    const values = [seen, text, KEPT_VERSIONS, ...(fence ? [fence.term] : [])];
    const touched = [memoryKey(id), ...(fence ? [leadKey(fence.league)] : [])];
    const said = await this.#link.run(SCRIPTS.teach, touched, values);
    const [type, version] = Array.isArray(said) ? said : [];
    return { type: expectWord(['taught', 'stale', 'fenced'], type), version: Number(version) };
  };

  readonly leagues: Store['leagues'] = async () => {
    const leagues = await this.#link.ask(TEXTS, (client) => client.smembers(KEYS.leagues));
    const recorded = await this.#link.ask(TEXTS, (client) => client.hkeys(KEYS.recordedByLeague));
    return [...new Set([...leagues, ...recorded])].toSorted();
  };

  readonly settle: Store['settle'] = async (league, matter, value) => {
    const text = seal(['matter', league, matter], value);
    const touched = [KEYS.leagues, mattersKey(league)];
    const held = await this.#link.run(SCRIPTS.settle, touched, [league, matter, text]);
    return this.#expectMatter(league, matter, String(held));
  };

  readonly settled: Store['settled'] = async (league, matter) => {
    const held = await this.#link.ask(TEXT, (client) => client.hget(mattersKey(league), matter));
    return held === null ? null : this.#expectMatter(league, matter, held);
  };

  readonly claim: Store['claim'] = ({ league, slot }) =>
    this.#link.ask(COUNT, (client) => client.hincrby(epochsKey(league), String(slot), 1));

  readonly append: Store['append'] = async ({ league, slot }, epoch, at, text) => {
    const touched = [epochsKey(league), journalKey(league, slot)];
    const said = await this.#link.run(SCRIPTS.append, touched, [slot, epoch, at, text]);
    return expectWord(['appended', 'fenced', 'gap'], said);
  };

  readonly pieces: Store['pieces'] = async ({ league, slot }) => {
    const pieces = await this.#link.ask(TEXTS, (client) =>
      client.lrange(journalKey(league, slot), 0, -1),
    );
    return { pieces: pieces.length, text: pieces.join('') };
  };

  readonly record: Store['record'] = async (result, epoch, journal = null) => {
    const { league, slot } = result;
    const { body, clock } = encodeResult(result);
    const careers = [...countCareers(result)];
    const touched = [
      ...[KEYS.leagues, resultsKey(league), epochsKey(league), KEYS.recorded],
      ...[KEYS.recordedByLeague, KEYS.personas, journalKey(league, slot)],
      ...[keptKey(league), digestsKey(league)],
      ...careers.flatMap(([id]) => [sheetKey(id), countersKey(id)]),
    ];
    const counts = careers.flatMap(([id, { persona, counters }]) => {
      const fields = Object.entries(counters).flat();
      return [id, persona.model, persona.name, fields.length / 2, ...fields];
    });
    const kept = [journal?.digest ?? '', Buffer.from(journal?.packed ?? [])];
    const values = [league, slot, epoch ?? '', body, clock, ...kept, ...counts];
    const said = await this.#link.run(SCRIPTS.record, touched, values);
    return expectWord(['recorded', 'duplicate', 'conflict', 'fenced', 'taken'], said);
  };

  readonly slots: Store['slots'] = async (league) => {
    const slots = await this.#link.ask(TEXTS, (client) => client.hkeys(resultsKey(league)));
    return slots.map(Number).toSorted((one, other) => one - other);
  };

  async *results(league: string, least = 0, most = Infinity): AsyncIterable<GameResult> {
    const slots = (await this.slots(league)).filter((slot) => slot >= least && slot < most);
    for (let at = 0; at < slots.length; at += PAGE) {
      const page = slots.slice(at, at + PAGE);
      const kept = await this.#link.ask(z.array(TEXT), (client) =>
        client.hmget(resultsKey(league), ...page.map(String)),
      );
      for (const [index, slot] of page.entries()) {
        const text = kept[index] ?? null;
        if (text !== null) yield expectResult({ league, slot }, splitResult(text));
      }
    }
  }

  readonly audit: Store['audit'] = async (league) => {
    // A result that is recorded meanwhile is in the second number at the latest.
    const least = await this.#countRecorded(league);
    const kept = await this.#link.ask(TABLE, (client) => client.hgetall(resultsKey(league)));
    const most = await this.#countRecorded(league);
    const rows = Object.entries(kept).map(([slot, text]) => {
      return { slot: Number(slot), ...splitResult(text) };
    });
    return auditResults(league, rows, { least, most });
  };

  readonly discard: Store['discard'] = async (league, slots) => {
    const results = [resultsKey(league), KEYS.recordedByLeague, KEYS.recorded];
    const touched = [...results, KEYS.leagues, mattersKey(league)];
    await this.#link.run(SCRIPTS.discard, touched, [league, ...slots]);
  };

  readonly lead: Store['lead'] = async (league, lead, ms) => {
    const values = [lead.term, lead.runner, ms];
    return toLead(await this.#link.run(SCRIPTS.lead, [leadKey(league)], values)) ?? lead;
  };

  readonly renewLead: Store['renewLead'] = async ({ league, term }, ms) =>
    (await this.#link.run(SCRIPTS.renewLead, [leadKey(league)], [term, ms])) === 1;

  readonly resignLead: Store['resignLead'] = async ({ league, term }) => {
    await this.#link.run(SCRIPTS.resignLead, [leadKey(league)], [term]);
  };

  readonly leader: Store['leader'] = async (league) =>
    toLead(await this.#link.run(SCRIPTS.leader, [leadKey(league)], []));

  readonly journals: Store['journals'] = async (league) => {
    const digests = await this.#link.ask(TABLE, (client) => client.hgetall(digestsKey(league)));
    const kept = new Set(await this.#link.ask(TEXTS, (client) => client.hkeys(keptKey(league))));
    return new Map(
      Object.entries(digests).map(
        ([slot, digest]) => [Number(slot), { digest, isKept: kept.has(slot) }] as const,
      ),
    );
  };

  readonly journal: Store['journal'] = async ({ league, slot }) => {
    const [digest, packed] = await this.#link.ask(
      z.tuple([TEXT, z.instanceof(Buffer).nullable()]),
      (client) =>
        Promise.all([
          client.hget(digestsKey(league), String(slot)),
          client.hgetBuffer(keptKey(league), String(slot)),
        ]),
    );
    return digest === null || packed === null ? null : { digest, packed };
  };

  readonly dropJournals: Store['dropJournals'] = async (league) => {
    await this.#link.ask(COUNT, (client) => client.unlink(keptKey(league)));
  };

  readonly rebuild: Store['rebuild'] = async (isLeftOut = () => false) => {
    for (let time = 0; time < MOST_RECOUNTS; time++) {
      const done = await this.#recount(isLeftOut);
      if (done !== null) return done;
    }
    throw new StoreLost(
      `results came in all the time, ${MOST_RECOUNTS} times: count again when the league is over`,
    );
  };

  readonly health: Store['health'] = async () => {
    const info = await this.#link.ask(z.string(), (client) => client.info());
    // Not everybody may ask for the configuration.
    const fsync = await this.#link
      .ask(z.unknown(), (client) => client.config('GET', 'appendfsync'))
      .catch(() => null);
    const { shown } = this.#link;
    const health = readRedisHealth(info, shown, Array.isArray(fsync) ? String(fsync[1]) : null);
    if ((await this.#link.ask(COUNT, (client) => client.exists(EARLIER_PERSONAS))) === 0)
      return health;
    const text = `Redis at ${shown} also holds personas and leagues of an earlier version, which this one does not read: they are left as they are`;
    return { ...health, warnings: [...health.warnings, { code: 'store/earlier-version', text }] };
  };

  readonly close: Store['close'] = async () => this.#link.close();

  async #countRecorded(league: string): Promise<number | null> {
    const text = await this.#link.ask(TEXT, (client) => client.hget(KEYS.recordedByLeague, league));
    return readCount(text ?? '0');
  }

  async #readCounters(id: string): Promise<Readonly<Record<string, number>>> {
    const counters = await this.#link.ask(TABLE, (client) => client.hgetall(countersKey(id)));
    return Object.fromEntries(
      Object.entries(counters).map(([name, text]) => {
        const value = readCount(text);
        if (value !== null) return [name, value];
        const words = `the career of ${id} on Redis at ${this.#link.shown} ${UNFIT}: league rebuild counts it anew from the results`;
        throw new StoreDamaged(words);
      }),
    );
  }

  #expectMemory(id: string, version: number, sealed: string): PersonaMemory {
    const memory = unsealMemory(id, version, sealed);
    if (memory === null) throw this.#damaged(`version ${version} of the memory of ${id}`);
    return memory;
  }

  #expectMatter(league: string, matter: string, sealed: string): string {
    const text = unseal(['matter', league, matter], sealed);
    if (text !== null) return text;
    throw this.#damaged(`what was settled for the league ${JSON.stringify(league)}`);
  }

  #damaged(what: string): StoreDamaged {
    return new StoreDamaged(
      `the store on Redis at ${this.#link.shown} is damaged: ${what} ${UNFIT}; restore it from a copy, or begin under another name`,
    );
  }

  /** Null when a result came in between. */
  async #recount(isLeftOut: (result: GameResult) => boolean): Promise<Rebuilt | null> {
    const before = (await this.#link.ask(TEXT, (client) => client.get(KEYS.recorded))) ?? '0';
    const counted = new Recount();
    for (const league of await this.leagues()) {
      for await (const result of this.results(league)) if (!isLeftOut(result)) counted.add(result);
    }
    const there = new Set(await this.personas());
    const ids = new Set([...there, ...counted.keys()]);
    let changed = 0;
    for (const id of ids) {
      const { persona = null, counters = {} } = counted.get(id) ?? {};
      const isNamed = there.has(id) && (await this.career(id)) !== null;
      const hasSheet = isNamed || persona === null;
      if (hasSheet && hasSameCounters(await this.#readCounters(id), counters)) continue;
      const who = [persona === null ? '' : id, persona?.model ?? '', persona?.name ?? ''];
      const said = await this.#link.run(
        SCRIPTS.recount,
        [KEYS.recorded, countersKey(id), KEYS.personas, sheetKey(id)],
        [before, ...who, ...Object.entries(counters).flat()],
      );
      if (said === 'moved') return null;
      changed += 1;
    }
    return { personas: ids.size, changed };
  }
}

function splitResult(text: string) {
  const [body = '', clock = ''] = text.split('\n');
  return { body, clock };
}

function toLead(said: unknown): LeagueLead | null {
  const [term, runner] = Array.isArray(said) ? said : [];
  return term === undefined ? null : { term: String(term), runner: String(runner) };
}

/** Where the version before results were sealed kept its personas. */
const EARLIER_PERSONAS = '{glassbox}:v1:personas';

function expectWord<const T extends string>(words: readonly T[], said: unknown): T {
  const found = words.find((word) => word === said);
  if (found === undefined) throw new StoreLost(`Redis gave an unexpected answer: ${String(said)}`);
  return found;
}

const COUNT = z.number();
const TEXT = z.string().nullable();
const TEXTS = z.array(z.string());
const TABLE = z.record(z.string(), z.string());

const KEYS = {
  personas: `${KEY_PREFIX}:personas`,
  leagues: `${KEY_PREFIX}:leagues`,
  /** How many results were ever recorded: a recount sees by it that another one came. */
  recorded: `${KEY_PREFIX}:recorded`,
  /** Hash: how many results each league has; one that gets lost is missed by it. */
  recordedByLeague: `${KEY_PREFIX}:recorded-by-league`,
} as const;

function keyOf(owner: 'persona' | 'league', part: string): (name: string) => string {
  return (name) => `${KEY_PREFIX}:${owner}:${encodeKeyPart(name)}:${part}`;
}

const sheetKey = keyOf('persona', 'sheet');
const countersKey = keyOf('persona', 'counters');
/** Hash: changes by version, and the latest version under "latest". */
const memoryKey = keyOf('persona', 'memory');

const mattersKey = keyOf('league', 'matters');
const epochsKey = keyOf('league', 'epochs');
/** Hash: results by slot, the body and the clock in a line each. */
const resultsKey = keyOf('league', 'results');
/** Hash: the lead of a league: its term, its runner, and when it ends in milliseconds of the server. */
const leadKey = keyOf('league', 'lead');
const keptKey = keyOf('league', 'kept');
/** Hash: the hashes of journals by slot, also of those that were dropped. */
const digestsKey = keyOf('league', 'digests');
/** List: the pieces of a journal in the making. */
const journalKey = (league: string, slot: number) => keyOf('league', `journal:${slot}`)(league);

const PERSONA_HASHES = [sheetKey, countersKey, memoryKey];
const LEAGUE_HASHES = [mattersKey, epochsKey, resultsKey, leadKey, keptKey, digestsKey];

/** Every version keeps its personas and leagues under these names. */
const NEWER = [3, 4, 5, 6, 7, 8, 9].flatMap((version) =>
  ['personas', 'leagues'].map((name) => `{glassbox}:v${version}:${name}`),
);

const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)`;

const SCRIPTS = {
  /** Enrols a pair of model and name. Keys: ids, sheet. Values: id, model, name. */
  enrol: defineScript(`
local model = redis.call('HGET', KEYS[2], 'model')
if model then
  if model == ARGV[2] and redis.call('HGET', KEYS[2], 'name') == ARGV[3] then return 'known' end
  return 'taken'
end
redis.call('HSET', KEYS[2], 'model', ARGV[2], 'name', ARGV[3])
redis.call('SADD', KEYS[1], ARGV[1])
return 'new'`),

  /** Keys: memory, and the lead of a league as a fence, if any. Values: version seen, change, versions kept, term. */
  teach: defineScript(`
local latest = tonumber(redis.call('HGET', KEYS[1], 'latest') or '0')
if KEYS[2] and redis.call('HGET', KEYS[2], 'term') ~= ARGV[4] then return {'fenced', latest} end
if latest ~= tonumber(ARGV[1]) then return {'stale', latest} end
redis.call('HSET', KEYS[1], 'latest', latest + 1, latest + 1, ARGV[2])
redis.call('HDEL', KEYS[1], latest + 1 - tonumber(ARGV[3]))
return {'taught', latest + 1}`),

  /** Settles a matter. Keys: leagues, matters. Values: league, matter, value. */
  settle: defineScript(`
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
return redis.call('HGET', KEYS[2], ARGV[2])`),

  /** Adds a piece to a journal. Keys: epochs, journal. Values: slot, epoch, pieces that should be there, piece. */
  append: defineScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 'fenced' end
if ARGV[3] == '0' then redis.call('DEL', KEYS[2]) end
if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[3]) then return 'gap' end
redis.call('RPUSH', KEYS[2], ARGV[4])
return 'appended'`),

  /** Takes a lead that is free, or keeps it. Keys: lead. Values: term, runner, milliseconds. */
  lead: defineScript(`${NOW}
local held = redis.call('HMGET', KEYS[1], 'term', 'runner', 'ends')
if held[1] and held[1] ~= ARGV[1] and tonumber(held[3]) > now then return {held[1], held[2]} end
local ends = string.format('%.0f', now + tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'term', ARGV[1], 'runner', ARGV[2], 'ends', ends)
return {ARGV[1], ARGV[2]}`),

  /** Keeps a lead that is held. Keys: lead. Values: term, milliseconds. */
  renewLead: defineScript(`${NOW}
if redis.call('HGET', KEYS[1], 'term') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'ends', string.format('%.0f', now + tonumber(ARGV[2])))
return 1`),

  /** Frees a lead that is held. Keys: lead. Values: term. */
  resignLead: defineScript(`
if redis.call('HGET', KEYS[1], 'term') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 'resigned'`),

  /** The term and the runner of a lead that has not run out. Keys: lead. */
  leader: defineScript(`${NOW}
local held = redis.call('HMGET', KEYS[1], 'term', 'runner', 'ends')
if held[1] and tonumber(held[3]) > now then return {held[1], held[2]} end
return {}`),

  /**
   * Keeps a result with its journal and counts it. Keys: leagues, results, epochs, recorded, recorded by league, ids, pieces,
   * packed journals, hashes of journals, then sheet and counters of each persona. Values: league, slot, epoch or '', body,
   * clock, hash of the journal or '', packed journal, then for each persona id, model, name, how many counters, and these.
   */
  record: defineScript(`
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
return 'recorded'`),

  /**
   * Takes results out; a league is forgotten that has none left, and nothing settled. Keys: results, recorded by league,
   * recorded, leagues, matters. Values: league, slots.
   */
  discard: defineScript(`
for at = 2, #ARGV do redis.call('HDEL', KEYS[1], ARGV[at]) end
local left = redis.call('HLEN', KEYS[1])
if left > 0 then
  redis.call('HSET', KEYS[2], ARGV[1], left)
else
  redis.call('HDEL', KEYS[2], ARGV[1])
  if redis.call('EXISTS', KEYS[5]) == 0 then redis.call('SREM', KEYS[4], ARGV[1]) end
end
redis.call('INCR', KEYS[3])
return 'discarded'`),

  /**
   * Replaces counters, and enters a persona that has results, unless a result came meanwhile. Keys: recorded,
   * counters, ids, sheet. Values: recorded before, id or '' where there is no result, model, name, counters.
   */
  recount: defineScript(`
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then return 'moved' end
if ARGV[2] ~= '' then
  redis.call('SADD', KEYS[3], ARGV[2])
  redis.call('HSET', KEYS[4], 'model', ARGV[3], 'name', ARGV[4])
end
redis.call('DEL', KEYS[2])
for field = 5, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[field], ARGV[field + 1]) end
return 'recounted'`),
} as const;

/** `fsync` is the server's appendfsync setting. Null when the server does not report it. */
export function readRedisHealth(info: string, shown: string, fsync: string | null): StoreHealth {
  const fields = readInfo(info);
  const warnings: Note[] = [];
  const warn = (code: string, words: string) =>
    warnings.push({ code: `store/${code}`, text: `Redis at ${shown} ${words}` });
  if (fields.get('aof_enabled') !== '1') {
    const loss = 'keeps no append-only file: what it has acknowledged is lost when it ends';
    warn('no-aof', `${loss}; set "appendonly yes"`);
  }
  const policy = fields.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    const loss = `throws keys away when its memory is full (${policy})`;
    warn('eviction', `${loss}; set "maxmemory-policy noeviction"`);
  }
  if (fields.get('aof_last_write_status') === 'err')
    warn('aof-fails', "can't write its append-only file: is its disk full?");
  if (fsync === 'no')
    warn('fsync', 'leaves it to the system when it writes to the disk; set "appendfsync everysec"');
  return { what: `Redis ${fields.get('redis_version') ?? '?'} at ${shown}`, warnings };
}
