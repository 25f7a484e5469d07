/** The stores of a storm: the real ones, on SQLite in memory or on a real Redis, with the time of the storm. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis as Client } from 'ioredis';
import { z } from 'zod';
import { defineScript, RedisConnection } from '../../actors/stores/redis.ts';
import { RedisStore } from '../../actors/stores/redisStore.ts';
import { SqliteFile } from '../../actors/stores/sqlite.ts';
import { SqliteStore } from '../../actors/stores/sqliteStore.ts';
import { STORE_STEPS } from '../../actors/stores/sqliteVersions.ts';
import type { Store } from '../../actors/stores/store.ts';
import { tieToThisProcess } from '../support/tied.ts';

/** Tests put faults into each store that is made, and into each store as a process reaches it. */
export const planted = {
  into: (store: Store): Store => store,
  reached: (store: Store): Store => store,
};

export function createSqliteStore(now: () => number): Store {
  const store = new SqliteStore(new SqliteFile(':memory:', STORE_STEPS), now);
  return planted.into(store);
}

export function createRedisStore(connection: RedisConnection): Store {
  return planted.into(new RedisStore(connection));
}

type Server = { readonly client: Client; readonly child: ChildProcess; readonly folder: string };
let server: Server | null = null;

function openServer(): Server {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-storm-'));
  const path = join(folder, 'redis');
  const child = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '']);
  tieToThisProcess(child);
  const client = new Client({ path, maxRetriesPerRequest: null, retryStrategy: () => 20 });
  client.on('error', () => {});
  return { client, child, folder };
}

/** Ends the Redis of this process, if one was needed. */
export function closeStores(): void {
  if (server === null) return;
  server.client.disconnect();
  server.child.kill('SIGKILL');
  rmSync(server.folder, { recursive: true, force: true });
  server = null;
}

const TIME = "redis.call('TIME')";
const STORM_TIME = "redis.call('HMGET', 'storm-time', 's', 'us')";

/** An empty database of the Redis of this process. Each one takes the place of the one before it. */
export class StormConnection extends RedisConnection {
  readonly #client: Client;
  readonly #now: () => number;
  readonly #isEmpty: Promise<unknown>;

  constructor(now: () => number) {
    server ??= openServer();
    super(server.client, 'server:6379');
    this.#client = server.client;
    this.#now = now;
    this.#isEmpty = server.client.flushall();
  }

  override async run(...[{ lua }, ...rest]: Parameters<RedisConnection['run']>): Promise<unknown> {
    if (lua.includes(TIME)) {
      const ms = EPOCH + this.#now();
      const [s, us] = [Math.floor(ms / 1000), (ms % 1000) * 1000];
      // The commands of one connection keep their order.
      void this.ask(z.unknown(), (client) => client.hset('storm-time', { s, us }));
    }
    return await super.run(defineScript(lua.replace(TIME, STORM_TIME)), ...rest);
  }

  override async ask<T>(...[answer, command]: Asked<T>): Promise<T> {
    await this.#isEmpty;
    return answer.parse(await command(this.#client));
  }
}

type Asked<T> = Parameters<typeof RedisConnection.prototype.ask<T>>;

const EPOCH = Date.UTC(2026, 0, 1);

type Reach = <T>(act: (redis: RedisConnection) => Promise<T>) => Promise<T>;

/** Each command of a store that reads is a call of its own, so faults come between two of them. */
export class LinkedConnection extends RedisConnection {
  readonly #reach: Reach;

  constructor(reach: Reach) {
    super(new Client({ lazyConnect: true }), 'server:6379');
    this.#reach = reach;
  }

  override run(...asked: Parameters<RedisConnection['run']>): Promise<unknown> {
    return this.#reach((redis) => redis.run(...asked));
  }

  override ask<T>(...asked: Asked<T>): Promise<T> {
    return this.#reach((redis) => redis.ask(...asked));
  }
}
