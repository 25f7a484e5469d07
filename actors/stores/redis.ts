/**
 * The link to a Redis: connects, runs commands and scripts, and says in a sentence when nobody answers.
 *
 * A script that is sent again because its answer got lost changes nothing the second time.
 */
import { createHash } from 'node:crypto';
import { Redis as Client } from 'ioredis';
import type { Note } from '../../machines/types.ts';
import { redisAddress } from './redisAddress.ts';
import { reasonOf, storeLost } from './redisReasons.ts';
import { SCRIPTS, type ScriptName } from './redisScripts.ts';

export type RedisManners = {
  /** Waits for a server that goes away as long as it takes; otherwise it is reported at once. */
  readonly isPatient: boolean;
  /** Hears when the server goes away and comes back. */
  readonly onAway?: (isAway: boolean) => void;
};

export type Linking =
  | { readonly ok: true; readonly link: Link }
  | { readonly ok: false; readonly note: Note };

/** Milliseconds in which a server must answer at first. */
const PROBE_MS = 1100;
/** Milliseconds that a server has to hang up. */
const GOODBYE_MS = 100;
/** Milliseconds for which somebody who is not patient waits for an answer. */
const ANSWER_MS = 10_000;

const HASHES = new Map<string, string>(
  Object.values(SCRIPTS).map((lua) => [lua, createHash('sha1').update(lua).digest('hex')]),
);

/** Connects, or says within two seconds why that can't be. */
export async function linkTo(text: string, manners: RedisManners): Promise<Linking> {
  const address = redisAddress(text);
  if (!address.ok) return address;
  const { url, shown } = address;
  const reason = await probed(url);
  if (reason !== null) {
    const advice =
      'is it running, is the address right (rediss:// for TLS), and may this user connect?';
    const text = `Redis at ${shown} does not answer (${reason}): ${advice}`;
    return { ok: false, note: { code: 'store/unreachable', text } };
  }
  return { ok: true, link: new Link(clientFor(url, manners), shown) };
}

/** Why a server does not answer; null when it does. It is asked once, and not waited for. */
async function probed(url: string): Promise<string | null> {
  const options = {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: PROBE_MS,
    disconnectTimeout: GOODBYE_MS,
  };
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
  const client = isPatient
    ? new Client(url, { maxRetriesPerRequest: null, disconnectTimeout: GOODBYE_MS })
    : new Client(url, {
        maxRetriesPerRequest: 1,
        commandTimeout: ANSWER_MS,
        disconnectTimeout: GOODBYE_MS,
      });
  // Without anybody who hears of it the library prints it; commands that fail say so themselves.
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

function isClosing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Connection is closed');
}

export class Link {
  /** Where it leads, without a password. */
  readonly shown: string;
  readonly #client: Client;

  constructor(client: Client, shown: string) {
    this.#client = client;
    this.shown = shown;
  }

  /** Runs a script; the server keeps those that it has seen. */
  async run(
    name: ScriptName,
    touched: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    const lua = SCRIPTS[name];
    const all = [...touched, ...values];
    return await this.ask(async (client) => {
      try {
        return await client.evalsha(HASHES.get(lua) ?? '', touched.length, ...all);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return await client.eval(lua, touched.length, ...all);
      }
    });
  }

  /** A server that does not answer is a sentence, and not what a library says of it. */
  async ask<T>(command: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await command(this.#client);
    } catch (error) {
      throw storeLost(error, this.shown);
    }
  }

  close(): void {
    this.#client.disconnect();
  }
}
