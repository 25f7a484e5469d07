import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { identifyFile, pinFile } from '../../../actors/ports/disk.ts';
import { personaId } from '../../../actors/stores/persona.ts';
import { lockFile } from '../../../actors/stores/sqlite.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { describeLong } from '../../support/seeds.ts';
import { gathered, opened, PLACES } from './kept.ts';
import { HAS_REDIS, RedisServer } from './redisServer.ts';
import { Writing } from './writing.ts';

const SHARED = PLACES.filter(({ isShared }) => isShared);
const LEADER = personaId({ model: 'scripted', name: 'leader' });

/** Every counted write was kept, and every acknowledged one is there. */
async function isWhole(store: Store, writings: readonly Writing[]): Promise<number> {
  const slots = await store.slots('spring');
  expect((await gathered(store.results('spring'))).map(({ slot }) => slot)).toEqual(slots);
  expect((await store.career(LEADER))?.counters).toMatchObject({
    games: slots.length,
    'crewmate.votes_impostor': 2 * slots.length,
  });
  expect((await store.rebuild()).changed).toBe(0);
  for (const { acknowledged } of writings) {
    for (const slot of acknowledged.keys()) expect(slots).toContain(slot);
  }
  return slots.length;
}

describe.each(SHARED)('$kind', ({ place: make }) => {
  test('eight writers in two processes record each slot once', async () => {
    const place = await make();
    const address = place.address ?? '';
    const writings = [new Writing(address, 0, 150, 4), new Writing(address, 50, 200, 4)];
    await Promise.all(writings.map(({ ended }) => ended));
    const said = writings.flatMap(({ acknowledged }) => [...acknowledged.values()]);
    expect(said.filter((word) => word === 'recorded').length).toBe(200);
    expect(said.filter((word) => word === 'duplicate').length).toBe(100);
    const store = await place.open();
    expect(await isWhole(store, writings)).toBe(200);
    await store.close();
    await place.end();
  });

  test('a killed writer loses no acknowledged data', async () => {
    const place = await make();
    const writing = new Writing(place.address ?? '', 0, 100_000, 8);
    await writing.reached(60);
    await writing.kill();
    const store = await place.open();
    const count = await isWhole(store, [writing]);
    expect(count).toBeGreaterThanOrEqual(60);
    // Another one goes on where it ended.
    const other = new Writing(place.address ?? '', 0, count + 40, 8);
    await other.ended;
    expect(await isWhole(store, [writing, other])).toBe(count + 40);
    await store.close();
    await place.end();
  });
});

describeLong.skipIf(!HAS_REDIS)('a Redis that is killed', () => {
  test('comes back with all that was acknowledged, and writers wait for it', async () => {
    const server = await RedisServer.start();
    const writing = new Writing(server.url, 0, 1500, 8);
    await writing.reached(300);
    await server.kill();
    await server.again();
    await writing.ended;
    expect(writing.acknowledged.size).toBe(1500);
    const store = await opened(server.url);
    expect(await isWhole(store, [writing])).toBe(1500);
    await store.close();
    await server.end();
  });

  test('a store that may lose its last seconds comes back whole, and repeated results count once', async () => {
    const server = await RedisServer.start({ fsync: 'everysec' });
    const writing = new Writing(server.url, 0, 3000, 8);
    await writing.reached(500);
    await server.kill();
    await server.again();
    await writing.ended;
    const store = await opened(server.url);
    await isWhole(store, []);
    await new Writing(server.url, 0, 3000, 8).ended;
    expect(await isWhole(store, [])).toBe(3000);
    await store.close();
    await server.end();
  });
});

const runNode = promisify(execFile);

/** Has several processes try to hold one file at the same time; returns how often each held it, and shared it. */
async function lockers(path: string, { processes, times }: Record<'processes' | 'times', number>) {
  const words = [fileURLToPath(new URL('./locker.ts', import.meta.url)), path, `${times}`];
  const ended = await Promise.all(
    Array.from({ length: processes }, () => runNode(process.execPath, words)),
  );
  return ended.map(({ stdout }): Record<'held' | 'shared', number> => JSON.parse(stdout));
}

describe('a file that is held', () => {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-lock-'));
  const path = join(folder, 'lock');
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is never held by two of the processes that take it and let go of it all the time', async () => {
    const counts = await lockers(path, { processes: 4, times: 2000 });
    expect(counts.map(({ shared }) => shared)).toEqual([0, 0, 0, 0]);
    expect(counts.reduce((sum, { held }) => sum + held, 0)).toBeGreaterThan(4);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is held until it is let go of, also where the same process asks for it again', async () => {
    const unlock = lockFile(path);
    expect(unlock).not.toBeNull();
    expect(lockFile(path)).toBeNull();
    expect(await lockers(path, { processes: 1, times: 3 })).toEqual([{ held: 0, shared: 0 }]);
    unlock?.();
    expect(await lockers(path, { processes: 1, times: 3 })).toEqual([{ held: 3, shared: 0 }]);
  });

  test('a removed game is distinguished from later ones while it is pinned', () => {
    const pin = pinFile(path);
    expect(identifyFile(path)).toBe(pin.identity);
    for (let time = 0; time < 100; time++) {
      rmSync(path);
      expect(identifyFile(path)).toBeNull();
      writeFileSync(path, '');
      expect(identifyFile(path)).not.toBe(pin.identity);
    }
    pin.close();
    rmSync(path);
  });

  test('is left as it is and named where it is of another program', () => {
    writeFileSync(path, 'A list of things to buy, which is no database at all.'.repeat(20));
    expect(() => lockFile(path)).toThrow(`${path} is no lock of this program`);
    expect(readFileSync(path, 'utf8')).toContain('A list of things to buy');
    rmSync(path);
  });
});
