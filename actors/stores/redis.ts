/** The connection to a Redis. A script that is sent again because its answer got lost changes nothing the second time. */

import { createHash } from 'node:crypto';
import { Redis as Client } from 'ioredis';
import { z } from 'zod';
import { createFailure, EXIT, type Failure } from '../files/failure.ts';
import { realTime } from '../ports/time.ts';
import { StoreLost, StoreUnreadable } from './errors.ts';

export type RedisOptions = {
  /** Waits for a server that goes away as long as it takes; otherwise it is reported at once. */
  readonly isPatient: boolean;
  readonly onAway?: (isAway: boolean) => void;
  /** Milliseconds to wait for a server without a first answer. Default: none. */
  readonly waitMs?: number;
  /** Is called with the reason when the wait begins, and whenever the reason is another one. */
  readonly onWait?: (reason: string) => void;
};

/** Milliseconds for a server's first answer. */
const PROBE_MS = 1100;

const GOODBYE_MS = 100;

const ANSWER_MS = 10_000;

/** Milliseconds between two attempts to reach a server, and the timeout of one attempt. */
const RETRY_MS = 500;
const LATE_MS = 10_000;

/** Throws an error of stores where no Redis answers, or another server than the address means. */
export async function connectRedis(url: string, manners: RedisOptions): Promise<RedisConnection> {
  const shown = showRedisAddress(url);
  const failure = await waitForAnswer(url, shown, manners);
  if (failure === null) return new RedisConnection(createClient(url, manners), shown);
  if (failure.isOther === true) {
    const text = `Redis at ${shown} cannot be the store: ${failure.reason}`;
    throw new StoreLost(text, 'store/other-server');
  }
  const advice =
    'is it running, is the address right (rediss:// for TLS), and may this user connect?';
  throw new StoreLost(`Redis at ${shown} does not answer (${failure.reason}): ${advice}`);
}

async function waitForAnswer(
  url: string,
  shown: string,
  { waitMs = 0, onWait }: RedisOptions,
): Promise<ProbeFailure | null> {
  const until = realTime.now() + waitMs;
  let told = '';
  const tell = (reason: string) => {
    if (reason === told || realTime.now() >= until) return;
    told = reason;
    onWait?.(`Redis at ${shown} does not answer yet (${reason})`);
  };
  for (;;) {
    const leftMs = until - realTime.now();
    const failure = await probe(url, Math.min(Math.max(PROBE_MS, leftMs), LATE_MS), tell);
    if (failure === null) return null;
    if (!failure.isPassing || realTime.now() + RETRY_MS >= until) return failure;
    tell(failure.reason);
    await realTime.sleep(RETRY_MS);
  }
}

/** `isPassing`: it may answer later. `isOther`: it is not the server or database that the address means. */
type ProbeFailure = {
  readonly reason: string;
  readonly isPassing: boolean;
  readonly isOther?: boolean;
};

const LATE = 'no answer in time';

/** The reason for a server's silence; null if it answers. `onLate` is called when its answer takes long. */
async function probe(
  url: string,
  mostMs: number,
  onLate: (reason: string) => void,
): Promise<ProbeFailure | null> {
  const client = new Client(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: mostMs,
    disconnectTimeout: GOODBYE_MS,
    // A server that is loading its data says so to the question below.
    enableReadyCheck: false,
  });
  let failure: ProbeFailure = { reason: 'connection refused', isPassing: true };
  client.on('error', (error: Error) => {
    failure = toProbeFailure(error);
  });
  const answered = new AbortController();
  const { signal } = answered;
  const late = realTime.sleep(PROBE_MS, signal).then(async () => {
    if (!signal.aborted) onLate(LATE);
    await realTime.sleep(mostMs - PROBE_MS, signal);
    return { reason: LATE, isPassing: true };
  });
  const asked = client
    .connect()
    .then(() => client.ping())
    .then(() => findDifference(client))
    .then(
      (reason) => (reason === null ? null : { reason, isPassing: false, isOther: true }),
      (error: Error) =>
        error.message.startsWith('Connection is closed') ? failure : toProbeFailure(error),
    );
  try {
    return await Promise.race([asked, late]);
  } finally {
    answered.abort();
    client.disconnect();
  }
}

/** Why the server that answers is not what the address means; null if it is. */
async function findDifference(client: Client): Promise<string | null> {
  const { db = 0 } = client.options;
  const text = await client.info().catch(passRefusal);
  if (text === null)
    return 'it does not say what it is: allow this user the command INFO, or name a Redis that has it';
  const info = readInfo(String(text));
  if (!info.has('redis_version')) return NO_REDIS;
  if (info.get('redis_mode') === 'sentinel')
    return 'it is a Sentinel, which holds no data: name the master that it watches';
  if (info.get('redis_mode') === 'cluster')
    return 'it is a node of a cluster, and games and queue need one server: name a Redis outside of clusters';
  if (info.get('role') === 'slave')
    return `it is a replica, which takes no writes: name its master, ${info.get('master_host')}:${info.get('master_port')}`;
  // The library goes on in database 0 where there is no such database.
  if (db === 0 || (await client.select(db).catch(passRefusal)) !== null) return null;
  return `it has no database ${db} for this user: leave out /${db}, or raise "databases" in its configuration`;
}

function passRefusal(error: unknown): null {
  if (!isRefusal(error) || toProbeFailure(error).isPassing) throw error;
  return null;
}

export function readInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.matchAll(/^([^:\r\n]*):([^\r\n]*)/gm);
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}

function toProbeFailure(error: unknown): ProbeFailure {
  const message = error instanceof Error ? error.message : String(error);
  return {
    reason: explainRedisError(error),
    isPassing: PASSING.some((word) => message.includes(word)),
  };
}

function createClient(url: string, { isPatient, onAway }: RedisOptions): Client {
  const client = new Client(url, {
    disconnectTimeout: GOODBYE_MS,
    ...(isPatient
      ? { maxRetriesPerRequest: null }
      : { maxRetriesPerRequest: 1, commandTimeout: ANSWER_MS }),
  });
  // Without a listener the library prints it; commands that fail say so themselves.
  client.on('error', () => {});
  let isAway = false;
  const tell = (away: boolean) => {
    if (away !== isAway) onAway?.(away);
    isAway = away;
  };
  client.on('reconnecting', () => tell(true));
  client.on('ready', () => tell(false));
  return client;
}

export class RedisConnection {
  /** Where it leads, without a password. */
  readonly shown: string;
  readonly #client: Client;

  constructor(client: Client, shown: string) {
    this.#client = client;
    this.shown = shown;
  }

  async run(
    { lua, hash }: RedisScript,
    touched: readonly string[],
    values: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    const all = [...touched, ...values];
    return await this.ask(z.unknown(), async (client) => {
      try {
        return await client.evalsha(hash, touched.length, ...all);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return await client.eval(lua, touched.length, ...all);
      }
    });
  }

  /** Throws a store error if the server does not answer, or answers with anything else than `answer`. */
  async ask<T>(answer: z.ZodType<T>, command: (client: Client) => Promise<unknown>): Promise<T> {
    const said = await command(this.#client).catch((error: unknown) => {
      throw toStoreError(error, this.shown);
    });
    const { success, data } = answer.safeParse(said);
    if (success) return data;
    throw new StoreLost(`Redis at ${this.shown} gave an answer that no Redis gives: is it one?`);
  }

  close(): void {
    this.#client.disconnect();
  }
}

/** What all keys of this project on a server begin with. They share one hash tag, so that one script may touch several. */
export const KEY_PREFIX = '{glassbox}:v2';

/** A name as a part of a key. In percent encoding it has no colon, so no name can be spelled that reads as another key. */
export function encodeKeyPart(name: string): string {
  return encodeURIComponent(name);
}

export type RedisScript = { readonly lua: string; readonly hash: string };

export function defineScript(lua: string): RedisScript {
  return { lua, hash: createHash('sha1').update(lua).digest('hex') };
}

/** The address for sentences, "localhost:6379". Throws a failure for an address that is none. */
export function showRedisAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') {
    throw refuseAddress(
      'expected a URL such as redis://localhost:6379 or rediss://user:password@host:6380',
    );
  }
  if (!/^\/?\d*$/.test(url.pathname)) {
    throw refuseAddress(
      `expected the number of a database behind the port, found "${url.pathname}"`,
    );
  }
  return `${url.hostname}:${url.port || '6379'}`;
}

/** The text is not repeated: it may contain a password. */
function refuseAddress(text: string): Failure {
  return createFailure(EXIT.usage, 'store/bad-url', `the address of Redis: ${text}`);
}

const NO_REDIS = 'what answers there is no Redis';
const REASONS = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'it hung up',
  EPIPE: 'it hung up',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'no answer in time',
  LOADING: 'it is loading its data',
  MASTERDOWN: 'it has lost its master',
  BUSY: 'it is busy with a script',
  NOAUTH: 'it wants a user and a password',
  WRONGPASS: 'wrong user or password',
  'Unknown RESP type': NO_REDIS,
  'wrong version number': 'it does not speak TLS: is it redis:// instead of rediss://?',
  'certificate required':
    'it wants a certificate of the client, which this program has not: name a port without that ("tls-auth-clients no"), or a tunnel such as stunnel',
  READONLY: 'it is a replica, which takes no writes: name its master',
  'self-signed': 'its certificate is not trusted: name it in NODE_EXTRA_CA_CERTS',
};

/** Message parts of temporary troubles. A wrong password or port is not temporary. */
const PASSING = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'LOADING', 'MASTERDOWN', 'BUSY'],
];

function explainRedisError(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  const known = Object.entries(REASONS).find(([word]) => message.includes(word));
  return known?.[1] ?? message;
}

export function toStoreError(error: unknown, shown: string): StoreLost | StoreUnreadable {
  const reason = explainRedisError(error);
  if (error instanceof Error && error.message.includes('WRONGTYPE')) {
    const text = `Redis at ${shown} holds keys of another program, or of another version, under names that begin with ${KEY_PREFIX}: name another database of it, such as redis://host:6379/1, or another Redis`;
    return new StoreUnreadable(text, 'store/no-store');
  }
  if (isRefusal(error)) {
    const advice = 'may this user write, and has the server memory and disk left?';
    return new StoreLost(`Redis at ${shown} refuses: ${reason}; ${advice}`, 'store/refused');
  }
  return new StoreLost(`Redis at ${shown} does not answer: ${reason}; is it still running?`);
}

export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
