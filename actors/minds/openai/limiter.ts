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

export function nestGates(outer: RequestGate, inner: RequestGate): RequestGate {
  return {
    run: (rank, signal, work) => outer.run(rank, signal, () => inner.run(rank, signal, work)),
  };
}

type Waiting<Pass> = { readonly rank: RequestRank; readonly go: (pass: Pass) => void };

/** Requests that wait for a pass, the living before ghosts. */
export class WaitingLine<Pass> {
  #waiting: readonly Waiting<Pass>[] = [];
  readonly #onEmpty: () => void;

  /** `onEmpty` is called when the last request leaves without a pass. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  /** Waits for a pass; null when the signal comes first. */
  enter(rank: RequestRank, signal: AbortSignal): Promise<Pass | null> {
    const { promise, resolve } = Promise.withResolvers<Pass | null>();
    const leave = () => {
      this.#remove(entry);
      if (this.#waiting.length === 0) this.#onEmpty();
      resolve(null);
    };
    const go = (pass: Pass) => {
      this.#remove(entry);
      signal.removeEventListener('abort', leave);
      resolve(pass);
    };
    const entry = { rank, go };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting = [...this.#waiting, entry];
    return promise;
  }

  get first(): Waiting<Pass> | undefined {
    return this.#waiting.find(({ rank }) => rank === 'living') ?? this.#waiting[0];
  }

  #remove(entry: Waiting<Pass>): void {
    this.#waiting = this.#waiting.filter((one) => one !== entry);
  }
}

const MINUTE_MS = 60_000;

export class RequestLimiter implements RequestGate {
  readonly #limits: RequestLimits;
  readonly #time: Pick<TimePort, 'now' | 'sleep'>;
  readonly #width: () => number;
  #underWay = 0;
  readonly #line = new WaitingLine<true>(() => this.#asleep?.abort());
  #begun: number[] = [];
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
    const entered = signal.aborted ? null : this.#line.enter(rank, signal);
    this.#admit();
    const pass = await entered;
    try {
      return await work();
    } finally {
      if (pass !== null) {
        this.#underWay -= 1;
        this.#admit();
      }
    }
  }

  #admit(): void {
    while (this.#underWay < Math.min(this.#width(), this.#limits.concurrency)) {
      const next = this.#line.first;
      if (next === undefined) return;
      const wait = this.#msUntilRoom();
      if (wait > 0) {
        this.#wake(wait);
        return;
      }
      this.#underWay += 1;
      this.#begun.push(this.#time.now());
      next.go(true);
    }
  }

  #msUntilRoom(): number {
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
