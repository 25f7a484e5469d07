/**
 * The store on a Redis: for real use, and for leagues on many machines.
 *
 * Whatever touches more than one key is a script, which the server runs in one step.
 */
import { type Career, careersIn } from './career.ts';
import {
  BLANK_MEMORY,
  type Change,
  KEPT_VERSIONS,
  type Memory,
  memoryText,
  readMemory,
} from './memory.ts';
import { type PersonaName, personaId } from './personaId.ts';
import { isSameCount, type Recount, recounted } from './recount.ts';
import type { Link } from './redis.ts';
import { healthOf } from './redisHealth.ts';
import * as keys from './redisKeys.ts';
import { keptResult, type Result, readResult } from './result.ts';
import {
  type Appended,
  type Enrolment,
  type Health,
  type Pieces,
  type Recording,
  type Slot,
  type Store,
  StoreLost,
  type Taught,
} from './store.ts';

/** Results that are read at once. */
const PAGE = 100;
/** Times that a recount is begun again because results come in. */
const MOST_RECOUNTS = 20;

export class RedisStore implements Store {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  async enrol(persona: PersonaName): Promise<Enrolment> {
    const id = personaId(persona);
    const said = await this.#link.run(
      'enrol',
      [keys.KEYS.personas, keys.sheetKey(id)],
      [id, persona.model, persona.name],
    );
    return oneOf(['new', 'known', 'taken'], said);
  }

  async career(id: string): Promise<Career | null> {
    const { model, name } = await this.#link.ask((client) => client.hgetall(keys.sheetKey(id)));
    if (model === undefined || name === undefined) return null;
    return { persona: { model, name }, counters: await this.#counters(id) };
  }

  async personas(): Promise<readonly string[]> {
    const ids = await this.#link.ask((client) => client.smembers(keys.KEYS.personas));
    return ids.toSorted();
  }

  async memory(id: string, version?: number): Promise<Memory | null> {
    if (version === 0) return BLANK_MEMORY;
    const key = keys.memoryKey(id);
    const asked =
      version ?? Number((await this.#link.ask((client) => client.hget(key, 'latest'))) ?? 0);
    if (asked === 0) return BLANK_MEMORY;
    const change = await this.#link.ask((client) => client.hget(key, String(asked)));
    return change === null ? null : readMemory(asked, change);
  }

  async history(id: string): Promise<readonly Memory[]> {
    const { latest: _latest, ...changes } = await this.#link.ask((client) =>
      client.hgetall(keys.memoryKey(id)),
    );
    return Object.entries(changes)
      .map(([version, change]) => readMemory(Number(version), change))
      .toSorted((one, other) => one.version - other.version);
  }

  async teach(id: string, seen: number, change: Change): Promise<Taught> {
    const values = [seen, memoryText(change), KEPT_VERSIONS];
    const said = await this.#link.run('teach', [keys.memoryKey(id)], values);
    const [type, version] = Array.isArray(said) ? said : [];
    return { type: oneOf(['taught', 'stale'], type), version: Number(version) };
  }

  async leagues(): Promise<readonly string[]> {
    const leagues = await this.#link.ask((client) => client.smembers(keys.KEYS.leagues));
    return leagues.toSorted();
  }

  async settle(league: string, matter: string, value: string): Promise<string> {
    const touched = [keys.KEYS.leagues, keys.mattersKey(league)];
    return String(await this.#link.run('settle', touched, [league, matter, value]));
  }

  async settled(league: string, matter: string): Promise<string | null> {
    return await this.#link.ask((client) => client.hget(keys.mattersKey(league), matter));
  }

  async claim({ league, slot }: Slot): Promise<number> {
    return await this.#link.ask((client) =>
      client.hincrby(keys.epochsKey(league), String(slot), 1),
    );
  }

  async append({ league, slot }: Slot, epoch: number, at: number, text: string): Promise<Appended> {
    const touched = [keys.epochsKey(league), keys.journalKey(league, slot)];
    const said = await this.#link.run('append', touched, [slot, epoch, at, text]);
    return oneOf(['appended', 'fenced', 'gap'], said);
  }

  async pieces({ league, slot }: Slot): Promise<Pieces> {
    const pieces = await this.#link.ask((client) =>
      client.lrange(keys.journalKey(league, slot), 0, -1),
    );
    return { pieces: pieces.length, text: pieces.join('') };
  }

  async dropPieces({ league, slot }: Slot): Promise<void> {
    await this.#link.ask((client) => client.del(keys.journalKey(league, slot)));
  }

  async record(result: Result, epoch: number | null): Promise<Recording> {
    const { league, slot } = result;
    const { body, clock } = keptResult(result);
    const careers = [...careersIn(result)];
    const said = await this.#link.run(
      'record',
      [
        keys.KEYS.leagues,
        keys.resultsKey(league),
        keys.epochsKey(league),
        keys.KEYS.recorded,
        keys.KEYS.personas,
        ...careers.flatMap(([id]) => [keys.sheetKey(id), keys.countersKey(id)]),
      ],
      [
        league,
        slot,
        epoch ?? '',
        body,
        clock,
        ...careers.flatMap(([id, { persona, counters }]) => {
          const fields = Object.entries(counters).flat();
          return [id, persona.model, persona.name, fields.length / 2, ...fields];
        }),
      ],
    );
    return oneOf(['recorded', 'duplicate', 'conflict', 'fenced', 'taken'], said);
  }

  async slots(league: string): Promise<readonly number[]> {
    const slots = await this.#link.ask((client) => client.hkeys(keys.resultsKey(league)));
    return slots.map(Number).toSorted((one, other) => one - other);
  }

  async *results(league: string, least = 0, most = Infinity): AsyncIterable<Result> {
    const all = await this.slots(league);
    const slots = all.filter((slot) => slot >= least && slot < most);
    for (let at = 0; at < slots.length; at += PAGE) {
      const page = slots.slice(at, at + PAGE).map(String);
      const kept = await this.#link.ask((client) => client.hmget(keys.resultsKey(league), ...page));
      for (const text of kept) {
        const [body = '', clock = ''] = (text ?? '').split('\n');
        if (body !== '') yield readResult({ body, clock });
      }
    }
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

  async health(): Promise<Health> {
    const info = await this.#link.ask((client) => client.info());
    // Not everybody may ask for the configuration.
    const fsync = await this.#link
      .ask((client) => client.config('GET', 'appendfsync'))
      .catch(() => null);
    return healthOf(info, this.#link.shown, Array.isArray(fsync) ? String(fsync[1]) : null);
  }

  async close(): Promise<void> {
    this.#link.close();
  }

  /** Null when a result came in between. */
  async #recount(): Promise<{ readonly personas: number; readonly changed: number } | null> {
    const before = (await this.#link.ask((client) => client.get(keys.KEYS.recorded))) ?? '0';
    const counted: Recount = new Map();
    for (const league of await this.leagues()) {
      for await (const result of this.results(league)) recounted(counted, result);
    }
    const ids = await this.personas();
    let changed = 0;
    for (const id of ids) {
      const right = counted.get(id)?.counters ?? {};
      if (isSameCount(await this.#counters(id), right)) continue;
      const touched = [keys.KEYS.recorded, keys.countersKey(id)];
      const said = await this.#link.run('recount', touched, [
        before,
        ...Object.entries(right).flat(),
      ]);
      if (said === 'moved') return null;
      changed += 1;
    }
    return { personas: ids.length, changed };
  }

  async #counters(id: string): Promise<Career['counters']> {
    const counters = await this.#link.ask((client) => client.hgetall(keys.countersKey(id)));
    return Object.fromEntries(
      Object.entries(counters).map(([name, value]) => [name, Number(value)]),
    );
  }
}

function oneOf<const T extends string>(words: readonly T[], said: unknown): T {
  const found = words.find((word) => word === said);
  if (found === undefined)
    throw new StoreLost(`Redis gave an answer that nobody expected: ${String(said)}`);
  return found;
}
