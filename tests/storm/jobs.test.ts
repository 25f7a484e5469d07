/** The queue of a storm does with a job what BullMQ does, in histories of drawn operations. */
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis as Client } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { prepareGame, scheduleLeague } from '../../actors/league/plan.ts';
import { RedisGameQueue } from '../../actors/league/queue.ts';
import { aPlan } from '../actors/league/leagues.ts';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import { Chance } from '../support/chance.ts';
import { SEED, seeds } from '../support/seeds.ts';
import { JobBoard, LOCK_MS } from './jobs.ts';

const NAME = 'games-storm';
const PREFIX = '{glassbox-queue}';
const HISTORIES = seeds(40, 2000);
const STEPS = 14;
const ACTS = [
  ...(['put', 'take', 'take', 'take', 'complete', 'fail', 'fail', 'end'] as const),
  ...(['renew', 'expire', 'find stalled', 'find stalled', 'wait', 'remove'] as const),
] as const;

const plan = aPlan();
const [game] = scheduleLeague(plan).map((fixture) => prepareGame(plan, fixture, {}));

/** BullMQ, step by step. */
async function openQueue(server: RedisServer) {
  const client = new Client(server.url);
  await client.flushall();
  const options = { connection: { url: server.url, maxRetriesPerRequest: null }, prefix: PREFIX };
  const [jobs, queue] = [new RedisGameQueue(server.url, 'storm'), new Queue(NAME, options)];
  const worker = new Worker(NAME, null, {
    ...{ ...options, autorun: false, lockDuration: LOCK_MS, maxStalledCount: 10 },
  });
  queue.on('error', () => {});
  worker.on('error', () => {});
  const id = `game-${game?.game}`;
  const quietly = (act: Promise<unknown> | undefined) => act?.catch(() => {});
  const key = (part: string) => `${PREFIX}:${NAME}:${part}`;
  return {
    put: () => jobs.put(game === undefined ? [] : [game]),
    take: (token: string) => worker.getNextJob(token, { block: false }),
    complete: async (token: string) =>
      quietly((await queue.getJob(id))?.moveToCompleted(null, token, false)),
    fail: async (token: string, isFinal: boolean) => {
      const error = isFinal ? new UnrecoverableError('fail') : new Error('fail');
      await quietly((await queue.getJob(id))?.moveToFailed(error, token));
    },
    renew: async (token: string) => quietly((await queue.getJob(id))?.extendLock(token, LOCK_MS)),
    expire: () => client.del(key(`${id}:lock`)),
    findStalled: async () => {
      await client.del(key('stalled-check'));
      await Reflect.get(worker, 'moveStalledJobsToWait').call(worker);
    },
    wait: async () => quietly((await queue.getJob(id))?.promote()),
    remove: async () => quietly((await queue.getJob(id))?.remove()),
    state: async () => {
      const state = await (await queue.getJob(id))?.getState();
      return state === 'delayed' ? 'waiting' : (state ?? 'gone');
    },
    close: async () => {
      await Promise.all([jobs.close(), queue.close(), worker.close(true)]);
      client.disconnect();
    },
  };
}

describe.skipIf(!HAS_REDIS)('the queue of a storm', () => {
  test(`agrees with BullMQ in ${HISTORIES} histories of ${STEPS} steps`, async () => {
    const server = await RedisServer.start({ durable: false });
    for (let history = 0; history < HISTORIES; history++) {
      const chance = new Chance(`jobs ${SEED} ${history}`);
      const queue = await openQueue(server);
      let now = 0;
      const board = new JobBoard(() => now);
      const id = game?.game ?? '';
      const told: string[] = [];
      for (let step = 0; step < STEPS; step++) {
        const act = step === 0 ? 'put' : chance.pick(ACTS);
        const token = chance.pick(['one', 'two']);
        told.push(`${act} ${token}`);
        if (act === 'put') board.put(game === undefined ? [] : [game]);
        if (act === 'put') await queue.put();
        if (act === 'take') {
          const taken = board.take(token);
          expect((await queue.take(token)) === undefined, told.join(', ')).toBe(taken === null);
        }
        if (act === 'complete') board.complete(id, token);
        if (act === 'complete') await queue.complete(token);
        if (act === 'fail' || act === 'end') {
          board.fail(id, token, { isFinal: act === 'end', text: 'fail' });
          await queue.fail(token, act === 'end');
        }
        if (act === 'renew') board.renew(id, token);
        if (act === 'renew') await queue.renew(token);
        if (act === 'expire') {
          now += LOCK_MS + 1;
          await queue.expire();
          await queue.wait();
        }
        if (act === 'find stalled') {
          board.findStalled();
          // BullMQ marks active jobs at one search, and gives back at the next one those that are still without a lock.
          for (const _time of [1, 2]) await queue.findStalled();
        }
        if (act === 'wait') {
          now += 1000;
          await queue.wait();
        }
        if (act === 'remove') board.remove(id);
        if (act === 'remove') await queue.remove();
        expect(board.stateOf(id) ?? 'gone', told.join(', ')).toBe(await queue.state());
      }
      await queue.close();
    }
    await server.end();
  }, 0);
});
