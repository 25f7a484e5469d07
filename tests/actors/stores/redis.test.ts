import { createServer } from 'node:net';
import { Redis as Client } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Failure } from '../../../actors/files/failure.ts';
import { StoreLost } from '../../../actors/stores/errors.ts';
import { openStore } from '../../../actors/stores/open.ts';
import { checkName } from '../../../actors/stores/persona.ts';
import { connectRedis, showRedisAddress } from '../../../actors/stores/redis.ts';
import { RedisStore, readRedisHealth } from '../../../actors/stores/redisStore.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import { checkCareers } from '../../../analysis/league/verify.ts';
import { aResult } from './kept.ts';
import { freePort, HAS_REDIS, listen, RedisServer } from './redisServer.ts';

const HASTY = { isPatient: false };

describe('an address', () => {
  test.each(['redis://', 'http://localhost', 'redis://localhost/keys', 'rediss://:x@'])(
    '%s is refused without being repeated',
    (text) => {
      expect(() => showRedisAddress(text)).toThrow(Failure);
      expect(() => showRedisAddress(text)).not.toThrow('//:x');
    },
  );

  test('is shown without its password', () => {
    const shown = showRedisAddress('rediss://me:secret@redis.example:6380/2');
    expect(shown).toBe('redis.example:6380');
  });
});

test('nobody at the address is a sentence with what to do', async () => {
  const opening = openStore(`redis://127.0.0.1:${await freePort()}`, HASTY);
  await expect(opening).rejects.toMatchObject({
    code: 'store/unreachable',
    message: expect.stringMatching(/connection refused.*is it running/),
  });
});

test('a server that says OK to everything is no Redis', async () => {
  const yes = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) =>
      socket.write('+OK\r\n'.repeat(bytes.toString().split('*').length - 1)),
    );
  });
  const opening = openStore(`redis://127.0.0.1:${await listen(yes)}`, HASTY);
  await expect(opening).rejects.toThrow('what answers there is no Redis');
  yes.close();
});

test('a server that is not Redis is reported as such', async () => {
  const page = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  const port = await listen(page);
  const open = (scheme: string) => openStore(`${scheme}://127.0.0.1:${port}`, HASTY);
  await expect(open('redis')).rejects.toThrow('(what answers there is no Redis)');
  await expect(open('rediss')).rejects.toThrow('(it does not speak TLS');
  page.close();
});

/** Milliseconds that no test comes near to. */
const LONG_MS = 600_000;

/** A server that says to each PING one of these lines, and the last one from then on. */
async function aServerThatSays(...lines: readonly string[]) {
  let asked = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (const command of bytes.toString().split(/(?=\*\d+\r\n)/)) {
        const isPing = /\$4\r\n(ping|info)/i.test(command);
        socket.write(
          `${isPing ? lines[Math.min(asked, lines.length - 1)] : "-ERR unknown command 'HELLO'"}\r\n`,
        );
        if (isPing) asked += 1;
      }
    });
  });
  const port = await listen(server);
  return { url: `redis://127.0.0.1:${port}`, end: () => server.close() };
}

/** Connects with patience; returns why that can't be, or an empty text, and the reasons to wait. */
async function waited(url: string, waitMs = LONG_MS) {
  const told: string[] = [];
  const onWait = (reason: string) => void told.push(reason);
  const failure = await connectRedis(url, { ...HASTY, waitMs, onWait }).then(
    (link) => {
      link.close();
      return '';
    },
    (error: Error) => error.message,
  );
  return { failure, told };
}

describe('a server that is waited for', () => {
  test('is waited for while it loads its data, and told so once', async () => {
    const loading = '-LOADING Redis is loading the dataset in memory';
    const server = await aServerThatSays(loading, loading, '+PONG', '+redis_version:7.2');
    expect(await waited(server.url)).toEqual({
      failure: '',
      told: [expect.stringContaining('does not answer yet (it is loading its data)')],
    });
    server.end();
  });

  test.skipIf(!HAS_REDIS).each([
    ['', 'it wants a user and a password'],
    ['default:wrong@', 'wrong user or password'],
    ['mute:word@', 'NOPERM'],
  ])('is not waited for when it lets nobody in as "%s"', async (user, reason) => {
    const server = await RedisServer.start();
    const client = new Client(server.url);
    await client.call('ACL', 'SETUSER', 'mute', 'on', '>word', '~*', '+@read');
    await client.config('SET', 'requirepass', 'right');
    client.disconnect();
    expect(await waited(server.url.replace('redis://', `redis://${user}`))).toEqual({
      failure: expect.stringContaining(reason),
      told: [],
    });
    await server.end();
  });

  test('is given up when it is not there in time', async () => {
    expect(await waited(`redis://127.0.0.1:${await freePort()}`, 700)).toEqual({
      failure: expect.stringContaining('does not answer (connection refused)'),
      told: [expect.stringContaining('does not answer yet (connection refused)')],
    });
  });
});

describe.skipIf(!HAS_REDIS)('a real server', () => {
  test.each([
    ['is started late', 'connection refused'],
    ['answers late', 'no answer in time'],
  ])('that %s is waited for', async (words, reason) => {
    const server = await RedisServer.start();
    const isDead = words === 'is started late';
    if (isDead) await server.kill();
    else server.freeze(true);
    const told: string[] = [];
    const { promise: isWaiting, resolve } = Promise.withResolvers<void>();
    const onWait = (text: string) => {
      told.push(text);
      resolve();
    };
    const opening = openStore(server.url, { ...HASTY, waitMs: LONG_MS, onWait });
    await isWaiting;
    if (isDead) await server.again();
    else server.freeze(false);
    const store = await opening;
    expect(told[0]).toContain(`(${reason})`);
    await store.close();
    await server.end();
  });

  test('that answers nothing is given up, not waited for', async () => {
    const server = await RedisServer.start();
    server.freeze(true);
    await expect(openStore(server.url, HASTY)).rejects.toThrow('no answer in time');
    server.freeze(false);
    await server.end();
  });

  test('that goes away is a sentence for who is in a hurry, and told to who waits', async () => {
    const server = await RedisServer.start();
    const hasty = await openStore(server.url, HASTY);
    const told: boolean[] = [];
    const onAway = (isAway: boolean) => void told.push(isAway);
    const patient = await openStore(server.url, { isPatient: true, onAway });
    await patient.personas();
    await server.kill();
    await expect(hasty.personas()).rejects.toThrow(StoreLost);
    const asked = patient.enrol({ model: 'm', name: 'n' });
    await server.again();
    expect(await asked).toBe('new');
    expect(told).toEqual([true, false]);
    await Promise.all([hasty.close(), patient.close()]);
    await server.end();
  });

  test.each([
    ['a database that it does not have', [], '/99', 'no database 99'],
    ['a replica', ['--replicaof', '127.0.0.1', '1'], '', 'name its master, 127.0.0.1:1'],
    ['a server without INFO', ['--rename-command', 'INFO', ''], '/3', 'the command INFO'],
    ['a node of a cluster', ['--cluster-enabled', 'yes'], '', 'a node of a cluster'],
  ])('%s is not used as the store', async (_what, flags, path, words) => {
    const server = await RedisServer.start({ flags });
    await expect(openStore(`${server.url}${path}`, HASTY)).rejects.toMatchObject({
      code: 'store/other-server',
      message: expect.stringContaining(words),
    });
    await server.end();
  });

  test('the store states whether it may lose acknowledged data', async () => {
    const [sound, forgetful] = [
      await RedisServer.start(),
      await RedisServer.start({ durable: false, policy: 'allkeys-lru' }),
    ];
    const codes = [];
    for (const { url } of [sound, forgetful]) {
      const store = await openStore(url, HASTY);
      const { warnings } = await store.health();
      codes.push(warnings.map(({ code }) => code));
      await store.close();
    }
    expect(codes).toEqual([[], ['store/no-aof', 'store/eviction']]);
    await Promise.all([sound.end(), forgetful.end()]);
  });
});

describe.skipIf(!HAS_REDIS)('a recount', () => {
  async function aServer() {
    const server = await RedisServer.start();
    const link = await connectRedis(server.url, HASTY);
    const store = new RedisStore(link);
    const end = async () => {
      await store.close();
      await server.end();
    };
    return { store, link, end };
  }

  test('begins again when a result comes in between, and loses none', async () => {
    const { store: other, link, end } = await aServer();
    let rounds = 0;
    class InterruptedStore extends RedisStore {
      override async *results(league: string): AsyncIterable<GameResult> {
        yield* super.results(league);
        rounds += 1;
        // One result while it counts the first time, none the second time.
        if (rounds === 1) await other.record(aResult({ slot: 1 }), null);
      }
    }
    const store = new InterruptedStore(link);
    await other.record(aResult({ slot: 0 }), null);
    const id = 'scripted_leader';
    // A wrong counter, so that there is something to replace.
    await link.ask(z.number(), (client) =>
      client.hset('{glassbox}:v2:persona:scripted_leader:counters', 'games', 7),
    );
    await store.rebuild();
    expect(rounds).toBe(2);
    expect((await store.career(id))?.counters['games']).toBe(2);
    await end();
  });

  test('enters personas and leagues again whose names were lost, and loses no game', async () => {
    const { store, link, end } = await aServer();
    await store.record(aResult(), null);
    const ids = await store.personas();
    const careers = () => Promise.all(ids.map((id) => store.career(id)));
    const before = await careers();
    const keys = ['leagues', 'personas', ...ids.map((id) => `persona:${id}:sheet`)];
    for (const key of keys) {
      await link.ask(z.number(), (client) => client.del(`{glassbox}:v2:${key}`));
    }
    await link.ask(z.number(), (client) => client.del(`{glassbox}:v2:persona:${ids[0]}:counters`));
    expect((await checkCareers(store)).length).toBeGreaterThan(0);
    expect(await store.rebuild()).toEqual({ personas: ids.length, changed: ids.length });
    expect([await store.personas(), await careers()]).toEqual([ids, before]);
    expect(await store.rebuild()).toEqual({ personas: ids.length, changed: 0 });
    expect(await checkCareers(store)).toEqual([]);
    await end();
  });

  test('an answer that no Redis gives is a failure of the server', async () => {
    const { link, end } = await aServer();
    await expect(link.ask(z.array(z.string()), (client) => client.ping())).rejects.toMatchObject({
      code: 'store/unreachable',
      message: expect.stringContaining('an answer that no Redis gives'),
    });
    await end();
  });

  test('data of an earlier version is reported and stays', async () => {
    const { store, link, end } = await aServer();
    expect((await store.health()).warnings).toEqual([]);
    await link.ask(z.number(), (client) => client.sadd('{glassbox}:v1:personas', 'm_n'));
    expect((await store.health()).warnings.map(({ code }) => code)).toEqual([
      'store/earlier-version',
    ]);
    expect(await store.personas()).toEqual([]);
    await end();
  });
});

test('an append-only file that cannot be written, or is synced by the system, is reported', () => {
  const info = 'redis_version:7.0.15\r\naof_enabled:1\r\naof_last_write_status:err\r\n';
  const { warnings } = readRedisHealth(info, 'here:1', 'no');
  expect(warnings.map(({ code }) => code)).toEqual(['store/aof-fails', 'store/fsync']);
});

describe('a name', () => {
  test.each([
    ['', 'nothing that can be seen'],
    ['  ', 'nothing that can be seen'],
    [' a', 'no spaces'],
    ['a\nb', 'cannot'],
    ['a\u200bb', 'cannot'],
    ['a\ud83d', 'cannot'],
    ['x'.repeat(301), 'found 301'],
    ['__proto__', 'another name'],
    ['m_a\u2800b', 'can be seen'],
    ['m_a  b', 'one at a time'],
    ['m_a\u00a0b', 'plain spaces'],
  ])('%j is refused in a sentence', (text, words) => {
    expect(checkName('persona', text)?.text).toContain(words);
  });

  test.each(['gpt-4o:free_aggressive leader', 'модель_😀', 'x'.repeat(300)])('%j will do', (text) =>
    expect(checkName('persona', text)).toBeNull(),
  );
});
