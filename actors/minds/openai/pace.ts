/**
 * The measured pace of an endpoint, shared by all games of the process. A server that works one by one is silent to the
 * last of eight for long without being broken. So a request is judged by silence: the time since it was sent, or since
 * the endpoint last answered a request that may have been ahead of it.
 */
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
   * The silence in milliseconds after which a request counts as lost and is made again; `times` is 0 for the first
   * request. If later requests were answered, it is lost sooner. If none was, the endpoint may only be slow, and a
   * repeated request starts over.
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

/**
 * A rest that a model requested. One request learns of it and all others wait: each would be refused, and some
 * endpoints count refusals against the limit.
 */
export class ModelRest implements RequestGate {
  readonly #time: Pick<TimePort, 'now' | 'sleep'>;
  #until = Number.NEGATIVE_INFINITY;
  #inARow = 0;

  constructor(time: Pick<TimePort, 'now' | 'sleep'>) {
    this.#time = time;
  }

  /** Consecutive rests without any answer. */
  get inARow(): number {
    return this.#inARow;
  }

  /** A rest of this many milliseconds from now. During a rest it can only extend it. */
  note(ms: number): void {
    if (this.#left() <= 0) this.#inARow += 1;
    this.#until = Math.max(this.#until, this.#time.now() + ms);
  }

  noteAnswered(): void {
    this.#inARow = 0;
  }

  async run<T>(_: RequestRank, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.end(signal);
    return await work();
  }

  /** Resolves when the rest is over, extensions included, or on the signal. */
  async end(signal: AbortSignal): Promise<void> {
    for (let ms = this.#left(); ms > 0 && !signal.aborted; ms = this.#left()) {
      await this.#time.sleep(ms, signal);
    }
  }

  #left(): number {
    return this.#until - this.#time.now();
  }
}

/** If answers take longer than this, the gate narrows: half of the wait of a tick, in milliseconds. */
const LONG_MS = 30_000;

/** If answers take less than this, it widens again. */
const SHORT_MS = 8_000;

/** A narrower gate must keep this share of the throughput. */
const ENOUGH = 0.75;

/** Under constant load the gate is judged after this many answers per open request. */
const ENDLESS = 4;

type Throughput = { readonly width: number; readonly perMs: number };

/**
 * How many requests are worth sending to an endpoint at once. A server that works one by one gains nothing from eight
 * at once, so when answers take long, half as many are tried. The narrower width stays if it costs no throughput.
 */
export class GateWidth {
  readonly #most: number;
  #width: number;
  /** Throughput and width of the wider gate while a narrower one is tried. */
  #before: (Throughput & { readonly gate: number }) | null = null;
  /** A width that proved too narrow. It is not tried again. */
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
    return this.#width;
  }

  noteSent(now: number): void {
    this.#pass(now);
    this.#open += 1;
    this.#mostOpen = Math.max(this.#mostOpen, this.#open);
  }

  noteEnded(now: number, ms: number, isAnswered: boolean): void {
    this.#pass(now);
    this.#open -= 1;
    if (isAnswered) this.#answers += 1;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    const isEnough = this.#open === 0 ? this.#mostOpen : this.#width * ENDLESS;
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
