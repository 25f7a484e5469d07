/** Limits the requests to one model at once and per minute, in all games of the process. Ghosts go last. */
import type { TimePort } from '../../ports/ports.ts';

export type RequestLimits = {
  readonly concurrency: number;
  /** Requests that may begin within a minute; null for no limit. */
  readonly perMinute: number | null;
};

export type RequestRank = 'living' | 'ghost';

export type RequestGate = {
  /** Runs when there is capacity. An aborted request passes at once: the work checks the signal first. */
  run<T>(rank: RequestRank, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
};

/** Two gates in a row: a request begins when both have capacity. */
export function nestGates(outer: RequestGate, inner: RequestGate): RequestGate {
  return {
    run: (rank, signal, work) => outer.run(rank, signal, () => inner.run(rank, signal, work)),
  };
}

type Waiting = { readonly rank: RequestRank; readonly go: () => void };

const MINUTE_MS = 60_000;

export class RequestLimiter implements RequestGate {
  readonly #limits: RequestLimits;
  readonly #time: Pick<TimePort, 'now' | 'sleep'>;
  readonly #width: () => number;
  #underWay = 0;
  #waiting: Waiting[] = [];
  #begun: number[] = [];
  /** Ends the sleep until the minute has capacity again; null when nobody sleeps. */
  #asleep: AbortController | null = null;

  constructor(
    limits: RequestLimits,
    time: Pick<TimePort, 'now' | 'sleep'>,
    /** Requests worth running at once, possibly fewer than the limit. */
    width = () => limits.concurrency,
  ) {
    this.#width = width;
    this.#limits = limits;
    this.#time = time;
  }

  async run<T>(rank: RequestRank, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const hasRoom = await this.#room(rank, signal);
    try {
      return await work();
    } finally {
      if (hasRoom) {
        this.#underWay -= 1;
        this.#admit();
      }
    }
  }

  /** Waits for capacity; false when it was given up. */
  #room(rank: RequestRank, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = () => {
      this.#waiting = this.#waiting.filter((one) => one !== entry);
      if (this.#waiting.length === 0) this.#asleep?.abort();
      resolve(false);
    };
    const go = () => {
      signal.removeEventListener('abort', leave);
      resolve(true);
    };
    const entry = { rank, go };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.push(entry);
    this.#admit();
    return promise;
  }

  #admit(): void {
    while (this.#underWay < Math.min(this.#width(), this.#limits.concurrency)) {
      const next = this.#waiting.find(({ rank }) => rank === 'living') ?? this.#waiting[0];
      if (next === undefined) return;
      const wait = this.#untilRoom();
      if (wait > 0) {
        this.#wake(wait);
        return;
      }
      this.#waiting = this.#waiting.filter((one) => one !== next);
      this.#underWay += 1;
      this.#begun.push(this.#time.now());
      next.go();
    }
  }

  /** Milliseconds until one more may begin. */
  #untilRoom(): number {
    const { perMinute } = this.#limits;
    if (perMinute === null) {
      this.#begun = [];
      return 0;
    }
    const now = this.#time.now();
    this.#begun = this.#begun.filter((at) => at > now - MINUTE_MS);
    const first = this.#begun.at(-perMinute);
    return first === undefined ? 0 : first + MINUTE_MS - now;
  }

  #wake(ms: number): void {
    if (this.#asleep !== null) return;
    const asleep = new AbortController();
    this.#asleep = asleep;
    void this.#time.sleep(ms, asleep.signal).then(() => {
      this.#asleep = null;
      this.#admit();
    });
  }
}
