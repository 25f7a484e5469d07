/**
 * The limiter: how many requests may be under way to one model, and how many may begin in a minute.
 *
 * It is shared by all games of the process. The living go before ghosts, and each waits in the order of coming.
 */
export type Limits = {
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Requests that may begin within a minute; null for no limit. */
  readonly perMinute: number | null;
};

export type Rank = 'living' | 'ghost';

type Waiting = { readonly rank: Rank; readonly go: () => void };

const MINUTE_MS = 60_000;

export class Limiter {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  #underWay = 0;
  #waiting: Waiting[] = [];
  /** When the requests of the last minute began. */
  #begun: number[] = [];

  constructor(
    limits: Limits,
    now: () => number,
    sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  ) {
    this.#limits = limits;
    this.#now = now;
    this.#sleep = sleep;
  }

  /** Runs when there is room; who gives up while waiting makes room at once. */
  async run<T>(rank: Rank, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#room(rank, signal);
    try {
      await this.#pace(signal);
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#next();
    }
  }

  #room(rank: Rank, signal: AbortSignal): Promise<void> {
    if (this.#underWay < this.#limits.concurrency || signal.aborted) {
      this.#underWay += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        this.#underWay += 1;
        resolve();
      };
      const entry = { rank, go };
      // Whoever is not waited for any more passes through: the work itself looks at the signal first.
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== entry);
        go();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(entry);
    });
  }

  #next(): void {
    if (this.#underWay >= this.#limits.concurrency) return;
    const next = this.#waiting.find(({ rank }) => rank === 'living') ?? this.#waiting[0];
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    next.go();
  }

  async #pace(signal: AbortSignal): Promise<void> {
    const { perMinute } = this.#limits;
    while (perMinute !== null && !signal.aborted) {
      const now = this.#now();
      this.#begun = this.#begun.filter((at) => at > now - MINUTE_MS);
      const first = this.#begun[this.#begun.length - perMinute];
      if (first === undefined) break;
      await this.#sleep(first + MINUTE_MS - now, signal);
    }
    this.#begun.push(this.#now());
  }
}
