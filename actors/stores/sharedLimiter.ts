/**
 * The limiter that all machines on one Redis share: how many requests are under way to one model, and how many begin in
 * a minute.
 *
 * A process asks for one request at a time, the first of those that wait in it. While the server is away nothing begins.
 * Leases are renewed while requests are under way; those of a process that was killed end by themselves.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Gate, Limits, Rank } from '../minds/openai/limiter.ts';
import type { Link } from './redis.ts';
import { limiterKeys } from './redisKeys.ts';

/** Milliseconds of a lease that nobody renews, and of the minute in which so many requests may begin. */
const TIMES = { leaseMs: 15_000, minuteMs: 60_000 };
/** Renewals of a lease before it would end. */
const RENEWALS = 3;
/** Milliseconds for which somebody who does not ask keeps a place in the line. */
const PLACE_MS = 3000;
/** Milliseconds between two questions for room, and after a server that gave no answer. */
const LOOK_MS = 100;
const TROUBLE_MS = 1000;

/** A model, whoever pays for it. */
export type ModelName = { readonly baseUrl: string; readonly model: string };

type Waiting = { readonly rank: Rank; readonly go: (lease: string) => void };

export class SharedLimiter implements Gate {
  readonly #link: Link;
  readonly #keys: ReturnType<typeof limiterKeys>;
  readonly #limits: Limits;
  readonly #times: typeof TIMES;
  readonly #name = randomUUID();
  readonly #leases = new Set<string>();
  #given = 0;
  #waiting: readonly Waiting[] = [];
  #isAsking = false;
  /** Ends the pause between two questions; null while there is none. */
  #pause: AbortController | null = null;
  #renewal: NodeJS.Timeout | null = null;

  /** Tests have shorter times. */
  constructor(link: Link, model: ModelName, limits: Limits, times = TIMES) {
    this.#link = link;
    this.#keys = limiterKeys(model);
    this.#limits = limits;
    this.#times = times;
  }

  async run<T>(rank: Rank, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const lease = await this.#room(rank, signal);
    try {
      return await work();
    } finally {
      if (lease !== null) this.#giveBack(lease);
    }
  }

  /** Waits for room; null when it was given up. */
  #room(rank: Rank, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const leave = () => {
      this.#waiting = this.#waiting.filter((one) => one !== entry);
      if (this.#waiting.length === 0) this.#pause?.abort();
      resolve(null);
    };
    const go = (lease: string) => {
      signal.removeEventListener('abort', leave);
      resolve(lease);
    };
    const entry = { rank, go };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting = [...this.#waiting, entry];
    void this.#ask();
    return promise;
  }

  /** Asks for room as long as anybody waits for it. */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (let next = this.#first(); next !== undefined; next = this.#first()) {
      const lease = `${this.#name}:${this.#given}`;
      const said = await this.#entered(next.rank, lease);
      if (said === 'go') this.#admit(lease);
      else await this.#rest(said === 'wait' ? LOOK_MS : TROUBLE_MS);
    }
    this.#isAsking = false;
  }

  #first(): Waiting | undefined {
    return this.#waiting.find(({ rank }) => rank === 'living') ?? this.#waiting[0];
  }

  /** Hands a lease to who is first by now, or back when nobody waits any more. */
  #admit(lease: string): void {
    this.#given += 1;
    this.#leases.add(lease);
    this.#renewal ??= setInterval(() => this.#renew(), this.#times.leaseMs / RENEWALS).unref();
    const next = this.#first();
    this.#waiting = this.#waiting.filter((one) => one !== next);
    if (next === undefined) this.#giveBack(lease);
    else next.go(lease);
  }

  #giveBack(lease: string): void {
    this.#leases.delete(lease);
    if (this.#leases.size === 0 && this.#renewal !== null) {
      clearInterval(this.#renewal);
      this.#renewal = null;
    }
    // One that is not given back ends by itself.
    this.#link.ask((client) => client.zrem(this.#keys.leases, lease)).catch(() => {});
    this.#pause?.abort();
  }

  /** Null when the server gives no answer. */
  async #entered(rank: Rank, lease: string): Promise<unknown> {
    const { leases, begun, line, seen } = this.#keys;
    const { concurrency, perMinute } = this.#limits;
    const { leaseMs, minuteMs } = this.#times;
    const limits = [concurrency, leaseMs, perMinute ?? '', minuteMs, PLACE_MS];
    const values = [this.#name, lease, ...limits, rank === 'ghost' ? 1 : 0];
    return await this.#link.run('enter', [leases, begun, line, seen], values).catch(() => null);
  }

  #renew(): void {
    const values = [this.#times.leaseMs, ...this.#leases];
    this.#link.run('renew', [this.#keys.leases], values).catch(() => {});
  }

  async #rest(ms: number): Promise<void> {
    this.#pause = new AbortController();
    await wait(ms, undefined, { signal: this.#pause.signal }).catch(() => {});
    this.#pause = null;
  }
}
