/**
 * The limiter shared by all machines on one Redis: requests to one model at once, and per minute. Time is the server's.
 * An open request holds a lease that ends without renewal. The others wait in a line, living players before ghosts, and
 * a process that stops asking loses its place. While the server is away nothing begins.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type RequestGate,
  type RequestLimits,
  type RequestRank,
  WaitingLine,
} from '../minds/openai/limiter.ts';
import type { TimePort } from '../ports/ports.ts';
import { realTime } from '../ports/time.ts';
import { defineScript, encodeKeyPart, KEY_PREFIX, type RedisConnection } from './redis.ts';

/** Milliseconds of a lease that is not renewed, and of the window for the limit per minute. */
const TIMES = { leaseMs: 15_000, minuteMs: 60_000 };

const RENEWALS = 3;
/** Milliseconds that a silent worker keeps its place in the line. */
const PLACE_MS = 3000;

/** Milliseconds between two questions for room, and after a server that gave no answer. */
const LOOK_MS = 100;
const TROUBLE_MS = 1000;

export type LimitedModel = { readonly baseUrl: string; readonly model: string };

export class SharedLimiter implements RequestGate {
  readonly #link: RedisConnection;
  readonly #keys: ReturnType<typeof limiterKeys>;
  readonly #limits: RequestLimits;
  readonly #times: typeof TIMES;
  readonly #name = randomUUID();
  readonly #leases = new Set<string>();
  #given = 0;
  readonly #line = new WaitingLine<string>(() => this.#pause?.abort());
  #isAsking = false;
  #pause: AbortController | null = null;
  readonly #time: TimePort;
  #isRenewing = false;

  constructor(
    link: RedisConnection,
    model: LimitedModel,
    limits: RequestLimits,
    options: { readonly times?: typeof TIMES; readonly time?: TimePort } = {},
  ) {
    this.#link = link;
    this.#time = options.time ?? realTime;
    this.#keys = limiterKeys(model);
    this.#limits = limits;
    this.#times = options.times ?? TIMES;
  }

  async run<T>(rank: RequestRank, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const entered = signal.aborted ? null : this.#line.enter(rank, signal);
    void this.#ask();
    const lease = await entered;
    try {
      return await work();
    } finally {
      if (lease !== null) this.#giveBack(lease);
    }
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (let next = this.#line.first; next !== undefined; next = this.#line.first) {
      const lease = `${this.#name}:${this.#given}`;
      const said = await this.#entered(next.rank, lease);
      if (said === 'go') this.#admit(lease);
      else await this.#rest(said === 'wait' ? LOOK_MS : TROUBLE_MS);
    }
    this.#isAsking = false;
  }

  #admit(lease: string): void {
    this.#given += 1;
    this.#leases.add(lease);
    void this.#renewLeases();
    const next = this.#line.first;
    if (next === undefined) this.#giveBack(lease);
    else next.go(lease);
  }

  #giveBack(lease: string): void {
    this.#leases.delete(lease);
    // A lease that is not given back expires.
    this.#link.ask(z.unknown(), (client) => client.zrem(this.#keys.leases, lease)).catch(() => {});
    this.#pause?.abort();
  }

  /** Null when the server gives no answer. */
  async #entered(rank: RequestRank, lease: string): Promise<unknown> {
    const { leases, begun, line, seen } = this.#keys;
    const { concurrency, perMinute } = this.#limits;
    const { leaseMs, minuteMs } = this.#times;
    const limits = [concurrency, leaseMs, perMinute ?? '', minuteMs, PLACE_MS];
    const values = [this.#name, lease, ...limits, rank === 'ghost' ? 1 : 0];
    return await this.#link
      .run(LIMITER_SCRIPTS.enter, [leases, begun, line, seen], values)
      .catch(() => null);
  }

  async #renewLeases(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    while (this.#leases.size > 0) {
      await this.#time.idle(this.#times.leaseMs / RENEWALS);
      if (this.#leases.size === 0) break;
      const values = [this.#times.leaseMs, ...this.#leases];
      this.#link.run(LIMITER_SCRIPTS.renew, [this.#keys.leases], values).catch(() => {});
    }
    this.#isRenewing = false;
  }

  async #rest(ms: number): Promise<void> {
    this.#pause = new AbortController();
    await this.#time.sleep(ms, this.#pause.signal);
    this.#pause = null;
  }
}

/** Sorted sets: leases by their end, requests by their start, waiting workers by arrival and by when last seen. */
export function limiterKeys({ baseUrl, model }: LimitedModel) {
  const key = `${KEY_PREFIX}:model:${encodeKeyPart(baseUrl)}:${encodeKeyPart(model)}`;
  return {
    leases: `${key}:leases`,
    begun: `${key}:begun`,
    line: `${key}:line`,
    seen: `${key}:seen`,
  };
}

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Asks for room. Keys: leases, begun, line, seen. Values: who asks, the lease, leases at once, milliseconds of a lease,
 * requests in a minute or '', milliseconds of the minute, milliseconds of a place in the line, 1 for a ghost or 0.
 */
const enter = defineScript(`${clock}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[6])
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then return 'go' end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now - ARGV[7])) do
  redis.call('ZREM', KEYS[3], gone)
  redis.call('ZREM', KEYS[4], gone)
end
redis.call('ZADD', KEYS[3], 'LT', string.format('%.0f', now + ARGV[8] * 1e14), ARGV[1])
redis.call('ZADD', KEYS[4], now, ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[7])
redis.call('PEXPIRE', KEYS[4], ARGV[7])
local place = redis.call('ZRANK', KEYS[3], ARGV[1])
if redis.call('ZCARD', KEYS[1]) + place >= tonumber(ARGV[3]) then return 'wait' end
if ARGV[5] ~= '' and redis.call('ZCARD', KEYS[2]) + place >= tonumber(ARGV[5]) then return 'wait' end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return 'go'`);

/** Renews leases. Keys: leases. Values: milliseconds of a lease, then the leases. */
const renew = defineScript(`${clock}
for at = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[at]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return #ARGV - 1`);

const LIMITER_SCRIPTS = { enter, renew } as const;
