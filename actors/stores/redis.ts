/**
 * The store on a Redis: for real use, and for leagues on many machines.
 *
 * Whatever touches more than one key is a script, which the server runs in one step. A script that is sent again
 * because its answer got lost changes nothing the second time.
 */
import { createHash } from 'node:crypto';
import { Redis as Client, type RedisOptions } from 'ioredis';
import type { Note } from '../../machines/types.ts';
import { type Career, careersIn } from './career.ts';
import { BLANK_MEMORY, type Change, KEPT_VERSIONS, type Memory, memoryText, readMemory } from './memory.ts';
import { type PersonaName, personaId } from './personaId.ts';
import { isSameCount, type Recount, recounted } from './recount.ts';
import { redisAddress } from './redisAddress.ts';
import { healthOf } from './redisHealth.ts';
import * as keys from './redisKeys.ts';
import { SCRIPTS, type ScriptName } from './redisScripts.ts';
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

export type RedisManners = {
  /** Waits for a server that goes away as long as it takes; otherwise it is reported at once. */
  readonly isPatient: boolean;
  /** Hears when the server goes away and comes back. */
  readonly onAway?: (isAway: boolean) => void;
};

export type Opening =
  | { readonly ok: true; readonly store: Redis }
  | { readonly ok: false; readonly note: Note };

/** Milliseconds in which a server must answer at first. */
const PROBE_MS = 1800;
/** Milliseconds for which somebody who is not patient waits for an answer. */
const ANSWER_MS = 10_000;
/** Results that are read at once. */
const PAGE = 100;
/** Times that a recount is begun again because results come in. */
const MOST_RECOUNTS = 20;

const HASHES = new Map<string, string>(
  Object.values(SCRIPTS).map((lua) => [lua, createHash('sha1').update(lua).digest('hex')]),
);

/** Connects, or says within two seconds why that can't be. */
export async function openRedis(text: string, manners: RedisManners): Promise<Opening> {
  const address = redisAddress(text);
  if (!address.ok) return address;
  const { url, shown } = address;
  const reason = await probed(url);
  if (reason !== null) {
    const advice = 'is it running, is the address right, and may this user connect?';
    const text = `Redis at ${shown} does not answer (${reason}): ${advice}`;
    return { ok: false, note: { code: 'store/unreachable', text } };
  }
  return { ok: true, store: new Redis(clientFor(url, manners), shown) };
}

/** Why a server does not answer; null when it does. It is asked once, and not waited for. */
async function probed(url: string): Promise<string | null> {
  const options = { lazyConnect: true, retryStrategy: () => null, connectTimeout: PROBE_MS };
  const client = new Client(url, options);
  let reason = 'connection refused';
  client.on('error', (error: Error) => {
    reason = reasonOf(error);
  });
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('no answer in time'), PROBE_MS);
  const asked = client
    .connect()
    .then(() => client.ping())
    .then(
      () => null,
      (error) => (isClosing(error) ? reason : reasonOf(error)),
    );
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
    client.disconnect();
  }
}

function clientFor(url: string, { isPatient, onAway }: RedisManners): Client {
  const options: RedisOptions = isPatient
    ? { maxRetriesPerRequest: null }
    : { maxRetriesPerRequest: 1, commandTimeout: ANSWER_MS };
  const client = new Client(url, options);
  // Without anybody who hears of it the library prints it; commands that fail say so themselves.
  client.on('error', () => {});
  let isAway = false;
  const tell = (away: boolean) => {
    if (away !== isAway) onAway?.(away);
    isAway = away;
  };
  client.on('close', () => tell(true));
  client.on('ready', () => tell(false));
  return client;
}

function isClosing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Connection is closed');
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return /ECONNREFUSED/.test(message) ? 'connection refused' : message;
}

export class Redis implements Store {
  readonly #client: Client;
  readonly #shown: string;

  constructor(client: Client, shown: string) {
    this.#client = client;
    this.#shown = shown;
  }

  async enrol(persona: PersonaName): Promise<Enrolment> {
    const id = personaId(persona);
    const said = await this.#run('enrol', [keys.KEYS.personas, keys.sheetKey(id)], [id, persona.model, persona.name]);
    return oneOf(['new', 'known', 'taken'], said);
  }

  async career(id: string): Promise<Career | null> {
    const { model, name } = await this.#ask(() => this.#client.hgetall(keys.sheetKey(id)));
    if (model === undefined || name === undefined) return null;
    return { persona: { model, name }, counters: await this.#counters(id) };
  }

  async personas(): Promise<readonly string[]> {
    const ids = await this.#ask(() => this.#client.smembers(keys.KEYS.personas));
    return ids.toSorted();
  }

  async memory(id: string, version?: number): Promise<Memory | null> {
    if (version === 0) return BLANK_MEMORY;
    const key = keys.memoryKey(id);
    const asked = version ?? Number((await this.#ask(() => this.#client.hget(key, 'latest'))) ?? 0);
    if (asked === 0) return BLANK_MEMORY;
    const change = await this.#ask(() => this.#client.hget(key, String(asked)));
    return change === null ? null : readMemory(asked, change);
  }

  async history(id: string): Promise<readonly Memory[]> {
    const { latest: _latest, ...changes } = await this.#ask(() => this.#client.hgetall(keys.memoryKey(id)));
    return Object.entries(changes)
      .map(([version, change]) => readMemory(Number(version), change))
      .toSorted((one, other) => one.version - other.version);
  }

  async teach(id: string, seen: number, change: Change): Promise<Taught> {
    const values = [seen, memoryText(change), KEPT_VERSIONS];
    const said = await this.#run('teach', [keys.memoryKey(id)], values);
    const [type, version] = Array.isArray(said) ? said : [];
    return { type: oneOf(['taught', 'stale'], type), version: Number(version) };
  }

  async leagues(): Promise<readonly string[]> {
    const leagues = await this.#ask(() => this.#client.smembers(keys.KEYS.leagues));
    return leagues.toSorted();
  }

  async settle(league: string, matter: string, value: string): Promise<string> {
    const touched = [keys.KEYS.leagues, keys.mattersKey(league)];
    return String(await this.#run('settle', touched, [league, matter, value]));
  }

  async settled(league: string, matter: string): Promise<string | null> {
    return await this.#ask(() => this.#client.hget(keys.mattersKey(league), matter));
  }

  async claim({ league, slot }: Slot): Promise<number> {
    return await this.#ask(() => this.#client.hincrby(keys.epochsKey(league), String(slot), 1));
  }

  async append({ league, slot }: Slot, epoch: number, at: number, text: string): Promise<Appended> {
    const touched = [keys.epochsKey(league), keys.journalKey(league, slot)];
    const said = await this.#run('append', touched, [slot, epoch, at, text]);
    return oneOf(['appended', 'fenced', 'gap'], said);
  }

  async pieces({ league, slot }: Slot): Promise<Pieces> {
    const pieces = await this.#ask(() => this.#client.lrange(keys.journalKey(league, slot), 0, -1));
    return { pieces: pieces.length, text: pieces.join('') };
  }

  async dropPieces({ league, slot }: Slot): Promise<void> {
    await this.#ask(() => this.#client.del(keys.journalKey(league, slot)));
  }

  async record(result: Result, epoch: number | null): Promise<Recording> {
    const { league, slot } = result;
    const { body, clock } = keptResult(result);
    const careers = [...careersIn(result)];
    const said = await this.#run(
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
    const slots = await this.#ask(() => this.#client.hkeys(keys.resultsKey(league)));
    return slots.map(Number).toSorted((one, other) => one - other);
  }

  async *results(league: string): AsyncIterable<Result> {
    const slots = await this.slots(league);
    for (let at = 0; at < slots.length; at += PAGE) {
      const page = slots.slice(at, at + PAGE).map(String);
      const kept = await this.#ask(() => this.#client.hmget(keys.resultsKey(league), ...page));
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
    throw new StoreLost(`results came in all the time, ${MOST_RECOUNTS} times: count again when the league is over`);
  }

  async health(): Promise<Health> {
    const info = await this.#ask(() => this.#client.info());
    // Not everybody may ask for the configuration.
    const fsync = await this.#client.config('GET', 'appendfsync').catch(() => null);
    return healthOf(info, this.#shown, Array.isArray(fsync) ? String(fsync[1]) : null);
  }

  async close(): Promise<void> {
    this.#client.disconnect();
  }

  /** Null when a result came in between. */
  async #recount(): Promise<{ readonly personas: number; readonly changed: number } | null> {
    const before = (await this.#ask(() => this.#client.get(keys.KEYS.recorded))) ?? '0';
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
      const said = await this.#run('recount', touched, [before, ...Object.entries(right).flat()]);
      if (said === 'moved') return null;
      changed += 1;
    }
    return { personas: ids.length, changed };
  }

  async #counters(id: string): Promise<Career['counters']> {
    const counters = await this.#ask(() => this.#client.hgetall(keys.countersKey(id)));
    return Object.fromEntries(Object.entries(counters).map(([name, value]) => [name, Number(value)]));
  }

  /** Runs a script; the server keeps those that it has seen. */
  async #run(
    name: ScriptName,
    touched: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    const lua = SCRIPTS[name];
    const all = [...touched, ...values];
    return await this.#ask(async () => {
      try {
        return await this.#client.evalsha(HASHES.get(lua) ?? '', touched.length, ...all);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return await this.#client.eval(lua, touched.length, ...all);
      }
    });
  }

  /** A server that does not answer is a sentence, and not what a library says of it. */
  async #ask<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await command();
    } catch (error) {
      throw new StoreLost(`Redis at ${this.#shown} does not answer: ${reasonOf(error)}`);
    }
  }
}

function oneOf<const T extends string>(words: readonly T[], said: unknown): T {
  const found = words.find((word) => word === said);
  if (found === undefined) throw new StoreLost(`Redis gave an answer that nobody expected: ${String(said)}`);
  return found;
}
