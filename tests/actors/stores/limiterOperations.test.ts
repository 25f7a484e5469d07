import { Redis as Client } from 'ioredis';
import { describe, onTestFinished, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import {
  type RequestGate,
  RequestLimiter,
  type RequestLimits,
  type RequestRank,
} from '../../../actors/minds/openai/limiter.ts';
import type { TimePort } from '../../../actors/ports/ports.ts';
import { realTime } from '../../../actors/ports/time.ts';
import { SharedLimiter } from '../../../actors/stores/limiter.ts';
import { connectRedis } from '../../../actors/stores/redis.ts';
import { Chance } from '../../support/chance.ts';
import { findFirstDifference } from '../../support/difference.ts';
import { expectNoDifference } from '../../support/histories.ts';
import { SEED, seeds } from '../../support/seeds.ts';
import { HAS_REDIS, RedisServer } from './redisServer.ts';

const NEVER_MS = 3_600_000;

type LimiterOperation =
  | { readonly type: 'begin'; readonly rank: RequestRank }
  | { readonly type: 'finish' | 'give up'; readonly place: number };

function drawOperation(chance: Chance): LimiterOperation {
  const lot = chance.below(10);
  if (lot < 5) return { type: 'begin', rank: chance.is(0.6) ? 'living' : 'ghost' };
  return { type: lot < 8 ? 'finish' : 'give up', place: chance.below(100) };
}

/** Requests at one gate: which wait, and which are under way, by number; each with what ends it. */
class Requests {
  readonly #gate: RequestGate;
  readonly #waiting = new Map<number, () => void>();
  readonly #running = new Map<number, () => void>();
  #begun = 0;

  constructor(gate: RequestGate) {
    this.#gate = gate;
  }

  act(operation: LimiterOperation): void {
    if (operation.type === 'begin') {
      this.#begin(operation.rank);
      return;
    }
    const open = operation.type === 'finish' ? this.#running : this.#waiting;
    const ids = listIds(open);
    const id = ids[operation.place % Math.max(1, ids.length)];
    if (id === undefined) return;
    open.get(id)?.();
    open.delete(id);
  }

  get state(): { readonly waiting: readonly number[]; readonly running: readonly number[] } {
    return { waiting: listIds(this.#waiting), running: listIds(this.#running) };
  }

  #begin(rank: RequestRank): void {
    const id = this.#begun++;
    const giving = new AbortController();
    this.#waiting.set(id, () => giving.abort());
    void this.#gate.run(rank, giving.signal, async () => {
      if (giving.signal.aborted) return;
      this.#waiting.delete(id);
      await new Promise<void>((resolve) => {
        this.#running.set(id, resolve);
      });
    });
  }
}

function listIds(open: ReadonlyMap<number, unknown>): readonly number[] {
  return [...open.keys()].toSorted((one, other) => one - other);
}

class HeldTime {
  #wake: () => void = () => {};
  readonly port: TimePort = {
    ...realTime,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        this.#wake = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
    idle: () => new Promise(() => {}),
  };

  wake(): void {
    this.#wake();
  }
}

const MOST_ANSWERS = 100;
const QUIET_ANSWERS = 4;

async function findDifference(
  operations: readonly LimiterOperation[],
  limits: RequestLimits,
  server: RedisServer,
  client: Client,
): Promise<string | null> {
  await client.flushall();
  const link = await connectRedis(server.url, { isPatient: true });
  const held = new HeldTime();
  const times = { leaseMs: NEVER_MS, minuteMs: NEVER_MS };
  const model = { baseUrl: 'http://a', model: 'b' };
  const shared = new SharedLimiter(link, model, limits, { times, time: held.port });
  const local = new RequestLimiter(limits, new SimulatedClock());
  const [expected, found] = [new Requests(local), new Requests(shared)];
  try {
    for (const [index, operation] of operations.entries()) {
      expected.act(operation);
      found.act(operation);
      const difference = await settle(expected, found, () => {
        held.wake();
        return client.ping();
      });
      if (difference !== null) return `operation ${index + 1}: ${difference}`;
    }
    return null;
  } finally {
    link.close();
  }
}

async function settle(
  expected: Requests,
  found: Requests,
  ask: () => Promise<unknown>,
): Promise<string | null> {
  let quiet = 0;
  let difference: string | null = null;
  for (let answer = 0; answer < MOST_ANSWERS && quiet < QUIET_ANSWERS; answer++) {
    await ask();
    difference = findFirstDifference(expected.state, found.state);
    quiet = difference === null ? quiet + 1 : 0;
  }
  return difference;
}

const LENGTH = 50;

describe.skipIf(!HAS_REDIS)('the limiters', () => {
  const count = seeds(500, 50_000);

  test(`let the same requests begin in ${count} operations`, async () => {
    const server = await RedisServer.start({ durable: false });
    const client = new Client(server.url);
    onTestFinished(async () => {
      client.disconnect();
      await server.end();
    });
    for (let history = 0; history * LENGTH < count; history++) {
      const chance = new Chance(`${SEED} ${history}`);
      const perMinute = chance.is(0.3) ? 1 + chance.below(30) : null;
      const limits = { concurrency: 1 + chance.below(4), perMinute };
      const operations = Array.from({ length: LENGTH }, () => drawOperation(chance));
      const where = `history ${history}, ${JSON.stringify(limits)}`;
      await expectNoDifference(where, operations, (some) =>
        findDifference(some, limits, server, client),
      );
    }
  });
});
