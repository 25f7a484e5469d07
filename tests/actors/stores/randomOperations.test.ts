import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis as Client } from 'ioredis';
import { describe, onTestFinished, test } from 'vitest';
import type { Store } from '../../../actors/stores/store.ts';
import { Chance } from '../../support/chance.ts';
import { findFirstDifference } from '../../support/difference.ts';
import { expectNoDifference } from '../../support/histories.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { SEED, seeds } from '../../support/seeds.ts';
import { opened } from './kept.ts';
import { CLIENTS, drawOperations, History, readState, type StoreOperation } from './operations.ts';
import { HAS_REDIS, RedisServer } from './redisServer.ts';

const LENGTH = 200;

type EmptiedPlace = {
  readonly begin: () => Promise<() => Promise<Store>>;
  readonly end: () => Promise<void>;
};

/** In memory, if the system has such a folder: these tests are not about the disk. */
function beginFiles(): EmptiedPlace {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'glassbox-'));
  const empty = () => rmSync(folder, { recursive: true, force: true });
  return {
    begin: async () => {
      empty();
      return () => opened(join(folder, 'store.db'));
    },
    end: async () => empty(),
  };
}

async function beginRedis(): Promise<EmptiedPlace> {
  const server = await RedisServer.start({ durable: false });
  const client = new Client(server.url);
  return {
    begin: async () => {
      await client.flushall();
      return () => opened(server.url);
    },
    end: async () => {
      client.disconnect();
      await server.end();
    },
  };
}

const ALL = [
  { kind: 'node:sqlite', make: async () => beginFiles() },
  ...(HAS_REDIS ? [{ kind: 'Redis', make: beginRedis }] : []),
] as const;

/** Where a store does otherwise than the one in memory; null where it does not. */
async function findDifference(
  operations: readonly StoreOperation[],
  place: EmptiedPlace,
): Promise<string | null> {
  const open = await place.begin();
  const clients = await Promise.all(Array.from({ length: CLIENTS }, open));
  const model = new InMemoryStore();
  const history = new History();
  try {
    for (const [index, operation] of operations.entries()) {
      const { client, type } = operation;
      const store = clients[client];
      if (store === undefined) throw new Error(`no client ${client}`);
      if (type === 'reopen') {
        await store.close();
        clients[client] = await open();
        continue;
      }
      const { act, note } = history.prepare(operation);
      const expected = await act(model);
      note(expected);
      const difference = findFirstDifference(expected, await act(store));
      if (difference !== null) return `operation ${index + 1}: ${difference}`;
    }
    const [store] = clients;
    if (store === undefined) throw new Error('no client');
    const difference = findFirstDifference(await readState(model), await readState(store));
    return difference === null ? null : `the state at the end: ${difference}`;
  } finally {
    for (const store of clients) await store.close();
  }
}

describe.each(ALL)('$kind', ({ make }) => {
  const count = seeds(3_000, 1_000_000);

  test(`the store agrees with the store in memory in ${count} operations of three clients`, async () => {
    const place = await make();
    onTestFinished(place.end);
    for (let history = 0; history * LENGTH < count; history++) {
      const operations = drawOperations(new Chance(`${SEED} ${history}`), LENGTH);
      await expectNoDifference(`history ${history}`, operations, (some) =>
        findDifference(some, place),
      );
    }
  });
});
