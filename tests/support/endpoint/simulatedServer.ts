/** A player server on simulated time with slots, a queue, slow answers and a model that may have to load. */
import type { Delivery, Transport } from '../../../actors/minds/openai/transport.ts';
import type { TimePort } from '../../../actors/ports/ports.ts';
import { answerTo } from './answer.ts';
import { readAsked, tokenLimit } from './asked.ts';
import { completion } from './sent.ts';

export type ServerTraits = {
  readonly seed: number;
  /** Concurrent requests. The others wait, first come, first served. */
  readonly slots: number;
  /** Milliseconds of work for the nth request. */
  readonly workMs: (nth: number) => number;
  /** Milliseconds from the first request until the model has loaded, and the reply until then. */
  readonly load?: { readonly ms: number; readonly how: 'silence' | '503' };
  /** Requests that may begin within a minute. The others are refused with a retry time. */
  readonly perMinute?: number;
  /** Requests at once. The others are refused. */
  readonly mostAtOnce?: number;
  /** Milliseconds that this limit counts instead of a minute. */
  readonly windowMs?: number;
  /** Whether refusals say no time. */
  readonly isMute?: boolean;
  /** Tokens of thought before each answer. With a lower limit the reply contains only thoughts. */
  readonly thoughts?: number;
  /** The fault of the nth request, instead of an answer. */
  readonly fault?: (nth: number, text: string) => ServerFault | null;
};

export type ServerFault = 'hangs' | 'refused' | 'limited' | FaultyReply;
export type FaultyReply = {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs?: number;
};
type Job = { readonly workMs: number; readonly done: () => void; isGone: boolean };

export class SimulatedServer {
  /** The text and time of each received request, in order. */
  readonly asked: { readonly text: string; readonly at: number }[] = [];
  /** Each rate refusal: its time, and the retry delay in milliseconds. */
  readonly refused: { readonly at: number; readonly waitMs: number }[] = [];
  /** When the requests of the last minute were taken. */
  #taken: number[] = [];
  /** Finished answers, and the ones among them whose caller had gone. */
  finished = 0;
  cut = 0;
  wasted = 0;
  readonly #traits: ServerTraits;
  readonly #time: TimePort;
  readonly #queue: Job[] = [];
  #working = 0;
  #firstAt: number | null = null;

  constructor(traits: ServerTraits, time: TimePort) {
    this.#traits = traits;
    this.#time = time;
  }

  readonly open = (): Transport => ({ send: (body, signal) => this.#receive(body, signal) });

  async #receive(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Delivery> {
    if (signal.aborted) return lost('aborted');
    const nth = this.asked.length;
    const asked = readAsked(JSON.stringify(body), {}, nth);
    if (asked === null) throw new Error('the simulated server was sent no request');
    this.asked.push({ text: asked.text, at: this.#time.now() });
    const { load, fault, seed, workMs, thoughts = 0 } = this.#traits;
    this.#firstAt ??= this.#time.now();
    const loads = load === undefined ? 0 : this.#firstAt + load.ms - this.#time.now();
    if (loads > 0 && load?.how === '503') return LOADING;
    const wrong = fault?.(nth, asked.text) ?? null;
    if (wrong === 'refused') return lost('connect ECONNREFUSED 127.0.0.1:11434');
    if (wrong === 'limited') return LIMITED;
    if (wrong !== null && wrong !== 'hangs') return { type: 'body', retryAfterMs: null, ...wrong };
    if (this.#working >= (this.#traits.mostAtOnce ?? Infinity)) {
      this.refused.push({ at: this.#time.now(), waitMs: 0 });
      return CROWDED;
    }
    const waitMs = this.#waitForRoom();
    if (waitMs > 0) {
      this.refused.push({ at: this.#time.now(), waitMs });
      return { ...LIMITED, retryAfterMs: this.#traits.isMute ? null : waitMs };
    }
    const isDone =
      wrong === 'hangs'
        ? await this.#wait(new Promise(() => {}), signal)
        : await this.#work(Math.max(0, loads) + workMs(nth), signal);
    if (!isDone) return lost('aborted');
    const isCut = tokenLimit(asked) < thoughts;
    const sent = isCut ? completion(THOUGHTS, { reason: 'length' }) : answerTo(asked, seed);
    if (isCut) this.cut += 1;
    if (sent.type !== 'body') throw new Error('the player has no words');
    return { type: 'body', status: sent.status, body: JSON.parse(sent.text), retryAfterMs: null };
  }

  /** Milliseconds until another request is accepted; 0 if this one is. */
  #waitForRoom(): number {
    const { perMinute, windowMs = MINUTE_MS } = this.#traits;
    if (perMinute === undefined) return 0;
    const now = this.#time.now();
    this.#taken = this.#taken.filter((at) => at > now - windowMs);
    const first = this.#taken.at(-perMinute);
    if (first !== undefined) return first + windowMs - now;
    this.#taken.push(now);
    return 0;
  }

  async #work(workMs: number, signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const job: Job = { workMs, done: resolve, isGone: false };
    this.#queue.push(job);
    this.#next();
    const isDone = await this.#wait(promise, signal);
    job.isGone = !isDone;
    return isDone;
  }

  #next(): void {
    while (this.#working < this.#traits.slots) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      if (job.isGone) continue;
      this.#working += 1;
      this.#time.setTimeout(() => {
        this.#working -= 1;
        this.finished += 1;
        if (job.isGone) this.wasted += 1;
        job.done();
        this.#next();
      }, job.workMs);
    }
  }

  /** False when the caller has gone. */
  #wait(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(false), { once: true });
      void work.then(() => resolve(true));
    });
  }
}

const MINUTE_MS = 60_000;
const THOUGHTS = { content: '', reasoning: 'Red, or blue? Neither is sure.' };

function lost(text: string): Delivery {
  return { type: 'lost', isLate: false, wasSent: text === 'aborted', text };
}

/** As llama.cpp says it. */
const LOADING: Delivery = {
  type: 'body',
  status: 503,
  body: { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
  retryAfterMs: null,
};

const LIMITED: Extract<Delivery, { type: 'body' }> = {
  type: 'body',
  status: 429,
  body: { error: { message: 'Rate limit exceeded', code: 429 } },
  retryAfterMs: 20_000,
};

const CROWDED: Delivery = {
  type: 'body',
  status: 503,
  body: { error: { message: 'no slot available' } },
  retryAfterMs: null,
};
