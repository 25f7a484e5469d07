/**
 * The pace of an endpoint, as it is measured: how long it works on an answer, and whether it works through a queue.
 *
 * A server that answers one request after another is silent to the last of eight for a long time and is still well. So
 * what counts for a request is silence: the time since it was sent, or since the endpoint last answered a request that
 * may have stood before it. Shared by all games of the process.
 */

import type { RequestGate, RequestRank } from './limiter.ts';

/** Requests that were sent within so many milliseconds may be answered in any order. */
const BURST_MS = 1000;

/** So many answers are remembered. */
const REMEMBERED = 32;

/** A request that is at the endpoint. */
export type RequestUnderWay = {
  readonly sentAt: number;
  /** Since when the endpoint has answered nothing that may have stood before this request. */
  silentSince: number;
  /** When bytes of its answer last came. */
  heardAt: number;
  /** The endpoint has answered a request that was sent no earlier. */
  isOvertaken: boolean;
};

export class EndpointPace {
  readonly #open = new Set<RequestUnderWay>();
  readonly #silences: number[] = [];

  /** A request is sent, at a moment in milliseconds. */
  noteSent(now: number): RequestUnderWay {
    const request = { sentAt: now, silentSince: now, heardAt: now, isOvertaken: false };
    this.#open.add(request);
    return request;
  }

  /** A request has ended: it was answered, or refused, lost or given up. */
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
   * The silence, in milliseconds, after which a request counts as lost and is made again, for the time that it is made:
   * 0 the first. Where others were answered that came later, a request is lost sooner; where none was, the endpoint may
   * only be slow, and a request that is made again begins anew.
   */
  lostAfterMs({ isOvertaken }: RequestUnderWay, times: number, deadlineMs: number): number {
    const measured = this.longestSilenceMs;
    const least = isOvertaken
      ? Math.max(deadlineMs * OVERTAKEN.share, OVERTAKEN.times * measured)
      : Math.max(deadlineMs, SILENT.times * measured);
    return least * 2 ** times;
  }
}

/** Shares of the deadline, and multiples of the longest silence that was measured. */
const OVERTAKEN = { share: 0.5, times: 4 };
const SILENT = { times: 10 };

/**
 * How long a model asks to be left alone. One request is told so, and all others wait too: each of them would be refused,
 * and some endpoints count refusals against the limit.
 */
export class ModelRest implements RequestGate {
  readonly #now: () => number;
  readonly #sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  #until = Number.NEGATIVE_INFINITY;
  #inARow = 0;

  constructor(now: () => number, sleep: (ms: number, signal: AbortSignal) => Promise<void>) {
    this.#now = now;
    this.#sleep = sleep;
  }

  /** Rests without an answer to anybody between them. */
  get inARow(): number {
    return this.#inARow;
  }

  /** It asks for so many milliseconds from now. Who is told so during a rest makes it longer at most. */
  note(ms: number): void {
    if (this.#left() <= 0) this.#inARow += 1;
    this.#until = Math.max(this.#until, this.#now() + ms);
  }

  noteAnswered(): void {
    this.#inARow = 0;
  }

  async run<T>(_: RequestRank, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.end(signal);
    return await work();
  }

  /** Resolves when the rest is over, however often it was made longer, or when nobody waits any more. */
  async end(signal: AbortSignal): Promise<void> {
    for (let ms = this.#left(); ms > 0 && !signal.aborted; ms = this.#left()) {
      await this.#sleep(ms, signal).catch(() => null);
    }
  }

  #left(): number {
    return this.#until - this.#now();
  }
}

/** A gate is narrowed when answers take longer than this, in milliseconds: half of what a tick waits for one. */
const LONG_MS = 30_000;

/** It is widened again when they take less than this. */
const SHORT_MS = 8_000;

/** A narrower gate must let this share of the requests through. */
const ENOUGH = 0.75;

/** Where requests never cease it is judged after so many answers for each that may be open. */
const ENDLESS = 4;

type Throughput = { readonly width: number; readonly perMs: number };

/**
 * How many requests are worth having at an endpoint at once. A server that works on one after another answers no more of
 * them in a minute when eight wait inside; so when answers take long, half as many are tried, and that stays so where it
 * costs no throughput.
 */
export class GateWidth {
  readonly #most: number;
  #width: number;
  /** What a wider gate let through, and how wide it was, while a narrower one is tried. */
  #before: (Throughput & { readonly gate: number }) | null = null;
  /** A width that was too narrow: it is not tried again. */
  #tooNarrow = 0;
  #open = 0;
  #mostOpen = 0;
  #answers = 0;
  #slowestMs = 0;
  /** Milliseconds for which requests were open, up to the moment of the last change. */
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

  /** A request has ended so many milliseconds after it was sent. */
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
    // Too few requests to fill the gate that is tried.
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
