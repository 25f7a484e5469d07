import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RequestRank } from '../../../actors/minds/openai/limiter.ts';
import { limiterKeys, SharedLimiter } from '../../../actors/stores/limiter.ts';
import { connectRedis } from '../../../actors/stores/redis.ts';
import { testLong } from '../../support/seeds.ts';
import { HAS_REDIS, listen, RedisServer } from './redisServer.ts';

const ASKER = fileURLToPath(new URL('asker.ts', import.meta.url));
const LOOK_SECONDS = 0.02;
const NEVER = new AbortController().signal;

class Counting {
  url = '';
  asked = 0;
  most = 0;
  readonly #held: ServerResponse[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((_, response) => {
      this.asked += 1;
      response.on('close', () => {
        const at = this.#held.indexOf(response);
        if (at >= 0) this.#held.splice(at, 1);
      });
      this.#held.push(response);
      this.most = Math.max(this.most, this.#held.length);
    });
  }

  async open(): Promise<this> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}/`;
    return this;
  }

  get held(): number {
    return this.#held.length;
  }

  answerOne(): void {
    this.#held.shift()?.end('answered');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

type Asking = {
  readonly process: ChildProcess;
  readonly ready: Promise<void>;
  readonly ended: Promise<number | null>;
};

function asking(args: readonly (string | number)[]): Asking {
  const child = spawn(process.execPath, [ASKER, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('ready')) resolve();
    });
  });
  return { process: child, ready, ended: new Promise((resolve) => child.on('exit', resolve)) };
}

async function scene() {
  const server = await RedisServer.start();
  const endpoint = await new Counting().open();
  const redis = new Redis(server.url);
  redis.on('error', () => {});
  const keys = limiterKeys({ baseUrl: endpoint.url, model: 'fake' });
  return {
    server,
    endpoint,
    redis,
    keys,
    /** Looks until something holds; between two looks the server is asked for what never comes. */
    until: async (holds: () => boolean | Promise<boolean>) => {
      while (!(await holds())) await redis.blpop('nothing', LOOK_SECONDS).catch(() => {});
    },
    /** So many questions of everybody who waits, that whoever could pass has passed. */
    settle: async () => {
      for (let look = 0; look < 500; look++) await redis.ping();
    },
    end: async () => {
      redis.disconnect();
      endpoint.close();
      await server.end();
    },
  };
}

describe.skipIf(!HAS_REDIS)('two processes', () => {
  testLong(
    'never have more under way together than may be, and all come to their turn',
    async () => {
      const { server, endpoint, until, settle, end } = await scene();
      const args = [server.url, endpoint.url, 3, '', 10];
      const both = [asking(args), asking(args)];
      for (let answered = 0; answered < 20; answered++) {
        await until(() => endpoint.held === Math.min(3, 20 - answered));
        if (answered === 0) await settle();
        endpoint.answerOne();
      }
      expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
      expect([endpoint.asked, endpoint.most]).toEqual([20, 3]);
      await end();
    },
  );

  test('begin no more together within a minute than may be', async () => {
    const { server, endpoint, redis, keys, until, settle, end } = await scene();
    const args = [server.url, endpoint.url, 100, 4, 5];
    const both = [asking(args), asking(args)];
    for (const asked of [4, 8, 10]) {
      await until(() => endpoint.asked === asked);
      if (asked < 10) await until(async () => (await redis.zcard(keys.line)) >= 1);
      await settle();
      expect(endpoint.asked).toBe(asked);
      // The minute is over.
      await redis.del(keys.begun);
    }
    while (endpoint.held > 0) endpoint.answerOne();
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
    await end();
  });

  test('take turns: one that comes later does not wait until the other has finished', async () => {
    const { server, endpoint, redis, keys, until, end } = await scene();
    const first = asking([server.url, endpoint.url, 1, '', 8]);
    await until(() => endpoint.held === 1);
    const second = asking([server.url, endpoint.url, 1, '', 1]);
    await until(async () => (await redis.zcard(keys.line)) === 2);
    let answered = 0;
    let isOver = false;
    void second.ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await until(() => isOver || endpoint.held === 1);
      if (isOver) break;
      endpoint.answerOne();
      answered += 1;
    }
    expect(answered).toBeLessThan(6);
    first.process.kill('SIGKILL');
    await first.ended;
    await end();
  });

  testLong('one of which is killed leaves its room to the other', async () => {
    const { server, endpoint, until, end } = await scene();
    const args = [server.url, endpoint.url, 2, '', 4];
    const first = asking(args);
    await until(() => endpoint.held === 2);
    const second = asking(args);
    first.process.kill('SIGKILL');
    await first.ended;
    for (let answered = 0; answered < 4; answered++) {
      await until(() => endpoint.asked === Math.min(2 + 4, 4 + answered) && endpoint.held > 0);
      endpoint.answerOne();
    }
    expect(await second.ended).toBe(0);
    expect(endpoint.most).toBe(2);
    await end();
  });

  testLong('wait while the server is away, and go on when it is back', async () => {
    const { server, endpoint, until, end } = await scene();
    const args = [server.url, endpoint.url, 1, '', 3];
    const both = [asking(args), asking(args)];
    await Promise.all(both.map(({ ready }) => ready));
    await until(() => endpoint.held === 1);
    await server.kill();
    endpoint.answerOne();
    await server.again();
    for (let answered = 1; answered < 6; answered++) {
      await until(() => endpoint.held === 1);
      endpoint.answerOne();
    }
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(endpoint.asked).toBe(6);
    await end();
  });
});

describe.skipIf(!HAS_REDIS)('in one process', () => {
  const MODEL = { baseUrl: 'http://a', model: 'b' };

  async function openLimiter(server: RedisServer) {
    const link = await connectRedis(server.url, { isPatient: true });
    return { link, limiter: new SharedLimiter(link, MODEL, { concurrency: 1, perMinute: null }) };
  }

  async function aLimiter() {
    const server = await RedisServer.start();
    const { link, limiter } = await openLimiter(server);
    const end = async () => {
      link.close();
      await server.end();
    };
    return { server, link, limiter, end };
  }

  test('a living player goes before a ghost of another process that has come earlier', async () => {
    const { server, link, limiter, end } = await aLimiter();
    const [ghost, living] = [await openLimiter(server), await openLimiter(server)];
    const waiting = () => link.ask(z.number(), (client) => client.zcard(limiterKeys(MODEL).line));
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    const enter = (one: SharedLimiter, rank: RequestRank) =>
      one.run(rank, NEVER, async () => void order.push(rank));
    const first = limiter.run('living', NEVER, () => held.promise);
    while ((await link.ask(z.number(), (client) => client.zcard(limiterKeys(MODEL).leases))) < 1);
    const others = [enter(ghost.limiter, 'ghost')];
    while ((await waiting()) < 1);
    others.push(enter(living.limiter, 'living'));
    while ((await waiting()) < 2);
    held.resolve();
    await Promise.all([first, ...others]);
    expect(order).toEqual(['living', 'ghost']);
    ghost.link.close();
    living.link.close();
    await end();
  });

  test('the living go before ghosts, and who gives up takes no room', async () => {
    const { limiter, end } = await aLimiter();
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    const enter = (name: string, rank: RequestRank, signal = NEVER) =>
      limiter.run(rank, signal, async () => void order.push(signal.aborted ? 'gone' : name));
    const begun = Promise.withResolvers<void>();
    const first = limiter.run('living', NEVER, async () => {
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    const leaving = new AbortController();
    const others = [
      enter('ghost', 'ghost'),
      enter('leaving', 'living', leaving.signal),
      enter('red', 'living'),
      enter('blue', 'living'),
    ];
    leaving.abort();
    held.resolve();
    await Promise.all([first, ...others]);
    expect(order).toEqual(['gone', 'red', 'blue', 'ghost']);
    await end();
  });

  test('work that fails makes room', async () => {
    const { limiter, end } = await aLimiter();
    const fails = limiter.run('living', NEVER, () => Promise.reject(new Error('broken')));
    await expect(fails).rejects.toThrow('broken');
    expect(await limiter.run('living', NEVER, async () => 'next')).toBe('next');
    await end();
  });
});
