/** The pace of an endpoint, for all games. A request is judged by the silence since one ahead of it was answered. */
import type { TimePort } from '../../ports/ports.ts';
import type { RequestGate, RequestRank } from './limiter.ts';

/** Requests sent within this many milliseconds may be answered in any order. */
const BURST_MS = 1000;

const REMEMBERED = 32;

export type RequestUnderWay = {
  readonly sentAt: number;
  /** Start of the silence: since then no request that may have been ahead was answered. */
  silentSince: number;
  heardAt: number;
  /** The endpoint has answered a request that was not sent earlier. */
  isOvertaken: boolean;
};

export class EndpointPace {
  readonly #open = new Set<RequestUnderWay>();
  readonly #silences: number[] = [];

  noteSent(now: number): RequestUnderWay {
    const request = { sentAt: now, silentSince: now, heardAt: now, isOvertaken: false };
    this.#open.add(request);
    return request;
  }

  noteEnded(request: RequestUnderWay, now: number, isAnswered: boolean): void {
    if (!this.#open.delete(request) || !isAnswered) return;
    this.#silences.push(now - request.silentSince);
    if (this.#silences.length > REMEMBERED) this.#silences.shift();
    for (const other of this.#open) {
      if (request.sentAt <= other.sentAt + BURST_MS) other.silentSince = now;
      if (request.sentAt >= other.sentAt - BURST_MS) other.isOvertaken = true;
    }
  }

  /** The longest silence before one of the last answers, in milliseconds; 0 before the first. */
  get longestSilenceMs(): number {
    return Math.max(0, ...this.#silences);
  }

  /**
   * The silence in milliseconds after which a request is lost and made again; `times` is 0 for the first request. If
   * none that was sent later was answered, the endpoint may only be slow, and a repeated request starts over.
   */
  lostAfterMs({ isOvertaken }: RequestUnderWay, times: number, deadlineMs: number): number {
    const measured = this.longestSilenceMs;
    const least = isOvertaken
      ? Math.max(deadlineMs * OVERTAKEN.share, OVERTAKEN.times * measured)
      : Math.max(deadlineMs, SILENT.times * measured);
    return least * 2 ** times;
  }
}

/** Shares of the deadline, and multiples of the longest measured silence. */
const OVERTAKEN = { share: 0.5, times: 4 };
const SILENT = { times: 10 };

/** Without a stated wait, the first rest lasts this long. Later ones last as long as all before them together. */
const FIRST_REST_MS = 500;
const MINUTE_MS = 60_000;
/** Longer rests are no limit by the minute and say nothing about the pace. */
const LEARNED_FROM_MS = 90_000;
/** After a rest, requests begin this far apart, or as far as the rest was long, until one is answered. */
const HALF_OPEN_MS = 1000;
/** The learned pace stays below the limit by this share. */
const MARGIN = 0.05;
const REMEMBERED_STARTS = 256;
/** The nth answer after a refusal shortens the gap by n times this share. */
const EASE = 0.0005;

/** Rests that a model requested, and the pace that it accepts: requests begin as far apart as refusals have shown. */
export class ModelRest implements RequestGate {
  readonly #time: Pick<TimePort, 'now' | 'sleep'>;
  #until = Number.NEGATIVE_INFINITY;
  /** Start of the first of the consecutive rests without an answer in between; null after an answer. */
  #since: number | null = null;
  #begun: number[] = [];
  #next = Number.NEGATIVE_INFINITY;
  #gapMs = 0;
  #halfOpenMs = 0;
  #answers = 0;

  constructor(time: Pick<TimePort, 'now' | 'sleep'>) {
    this.#time = time;
  }

  /** A request was refused. Returns the rest; null if all consecutive ones together would exceed `mostMs`. */
  note(
    wantedMs: number | null,
    mostMs: number,
  ): { readonly ms: number; readonly isNew: boolean } | null {
    const now = this.#time.now();
    const since = this.#since ?? now;
    this.#since = since;
    const ms = Math.max(wantedMs || FIRST_REST_MS, Math.min(MINUTE_MS, now - since));
    if (now + ms - since > mostMs) return null;
    const isNew = this.#until <= now;
    this.#until = Math.max(this.#until, now + ms);
    this.#next = this.#until;
    this.#halfOpenMs = Math.min(ms, HALF_OPEN_MS);
    this.#begun.pop();
    this.#answers = 0;
    if (this.#until - since <= LEARNED_FROM_MS)
      this.#gapMs = Math.max(this.#gapMs, this.#learnGap());
    return { ms, isNew };
  }

  noteAnswered(sentAt: number): void {
    if (sentAt < this.#until) return;
    if (this.#since !== null) this.#begun = this.#begun.filter((at) => at >= this.#until);
    this.#since = null;
    this.#halfOpenMs = 0;
    this.#answers += 1;
    this.#gapMs = Math.floor(this.#gapMs * Math.max(0, 1 - this.#answers * EASE));
  }

  async run<T>(_: RequestRank, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let ms = this.#left(); ms > 0 && !signal.aborted; ms = this.#left())
      await this.#time.sleep(ms, signal);
    if (!signal.aborted) {
      const now = this.#time.now();
      this.#begun = [...this.#begun.slice(1 - REMEMBERED_STARTS), now];
      this.#next = now + Math.max(this.#gapMs, this.#halfOpenMs);
    }
    return await work();
  }

  /** Milliseconds between requests that would have kept to the limit which the refusal shows. */
  #learnGap(): number {
    const { length } = this.#begun;
    const gaps = this.#begun.map((at, index) => (this.#until - at) / (length - index));
    return length === 0 ? 0 : Math.ceil(Math.min(...gaps) * (1 + MARGIN));
  }

  #left(): number {
    return this.#next - this.#time.now();
  }
}

/** If answers take longer than this, the gate narrows: half of the wait of a tick, in milliseconds. */
const LONG_MS = 30_000;

const SHORT_MS = 8_000;

/** A narrower gate must keep this share of the throughput. */
const ENOUGH = 0.75;

const ANSWERS_PER_REQUEST = 4;

/** After this many answers without a refusal, one more request may run at once. */
const CALM = 32;

type Throughput = { readonly width: number; readonly perMs: number };

/** How many requests are worth sending at once: half as many are tried if answers take long, and kept if as fast. */
export class GateWidth {
  #width: number;
  readonly #most: number;
  /** Requests that ran at once when the endpoint would take no more. Grows slowly, as the limit may. */
  #ceiling = Infinity;
  /** The same until one of them is answered: a server that fails all requests has no ceiling. */
  #crowd = Infinity;
  #calm = 0;
  /** Throughput and width of the wider gate while a narrower one is tried. */
  #before: (Throughput & { readonly gate: number }) | null = null;
  #tooNarrow = 0;
  #open = 0;
  #mostOpen = 0;
  #answers = 0;
  #slowestMs = 0;
  /** Milliseconds with open requests, until the last change. */
  #busyMs = 0;
  #changedAt = 0;

  constructor(most: number) {
    this.#most = most;
    this.#width = most;
  }

  get width(): number {
    return Math.min(this.#width, this.#ceiling);
  }

  /** A request was refused or cut off that may have been one too many. Returns whether others are in flight. */
  noteCrowded(): boolean {
    this.#crowd = Math.min(this.#crowd, this.#open || Infinity);
    return this.#open > 0;
  }

  noteSent(now: number): void {
    this.#pass(now);
    this.#open += 1;
    this.#mostOpen = Math.max(this.#mostOpen, this.#open);
  }

  noteEnded(now: number, ms: number, isAnswered: boolean): void {
    this.#pass(now);
    this.#open -= 1;
    if (isAnswered) {
      this.#answers += 1;
      this.#calm = this.#crowd < Infinity ? 0 : this.#calm + 1;
      if (this.#crowd < Infinity) this.#ceiling = this.#crowd;
      else if (this.#calm % CALM === 0) this.#ceiling += 1;
    }
    if (isAnswered || this.#open === 0) this.#crowd = Infinity;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    const isEnough = this.#open === 0 ? this.#mostOpen : this.#width * ANSWERS_PER_REQUEST;
    if (this.#answers < isEnough) return;
    this.#judge({ width: this.#mostOpen, perMs: this.#answers / this.#busyMs });
    this.#answers = 0;
    this.#slowestMs = 0;
    this.#busyMs = 0;
    this.#mostOpen = this.#open;
  }

  #pass(now: number): void {
    if (this.#open > 0) this.#busyMs += now - this.#changedAt;
    this.#changedAt = now;
  }

  #judge(now: Throughput): void {
    const before = this.#before;
    // Too few requests to fill the tried gate.
    if (before !== null && now.width < this.#width) return;
    this.#before = null;
    if (before !== null && now.perMs < before.perMs * ENOUGH) {
      this.#tooNarrow = now.width;
      this.#width = before.gate;
      return;
    }
    const half = Math.ceil(now.width / 2);
    if (this.#slowestMs > LONG_MS && half < now.width && half > this.#tooNarrow) {
      this.#before = { ...now, gate: this.#width };
      this.#width = half;
    } else if (this.#slowestMs < SHORT_MS) this.#width = Math.min(this.#most, this.#width * 2);
  }
}
