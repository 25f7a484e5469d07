/**
 * Sends spans to a collector, in batches beside the game. A collector that is down, slow or refuses costs one note and
 * spans, never the game; at the end it is waited for a few seconds and no longer.
 */
import { gzipSync } from 'node:zlib';
import { redactKey } from '../minds/openai/transport.ts';
import type { TimePort, Web, WebReply } from '../ports/ports.ts';
import {
  encodeProtobuf,
  type OtlpSpan,
  type OtlpVerdict,
  readVerdict,
  toAttributes,
  toTraces,
} from './otlp.ts';
import type { TelemetryResource, TelemetrySettings } from './settings.ts';

/** Spans of a request, and the longest that spans wait for others. */
export const BATCH_SPANS = 512;
const DELAY_MS = 5000;
/** Spans that wait while a collector does not answer; more are dropped. */
const MOST_WAITING = 20_000;
/** A request is made so often, while the game goes on and when it is over. */
const ATTEMPTS = 5;
const LAST_ATTEMPTS = 2;
/** The first wait after a failure, doubled each time, and the longest. */
const WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** The longest that the end of a command waits for the collector. */
export const CLOSE_MS = 5000;
/** Bytes of an answer that are read. */
const MOST_BYTES = 4 * 1024 * 1024;

/** As the specification has them: these may be sent again, all others not. */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];
const OK = 200;
const FIRST_REDIRECT = 300;

export type ExporterOptions = {
  readonly settings: TelemetrySettings;
  readonly resource: TelemetryResource;
  readonly web: Web;
  readonly time: TimePort;
  /** Is called at most once, with a sentence that holds no secret. */
  readonly onNote: (text: string) => void;
  /** The longest that `close` waits; without it a few seconds. */
  readonly closeMs?: number;
  /** Spans that wait at most; without it as many as a long game has. */
  readonly mostWaiting?: number;
};

/** What came of a batch. */
type BatchOutcome =
  | { readonly type: 'taken'; readonly rejected: number; readonly reason: string }
  | { readonly type: 'again'; readonly afterMs: number | null; readonly reason: string }
  | { readonly type: 'refused'; readonly reason: string };

/** What became of all spans, and why some were not taken. */
export type ExportSummary = {
  readonly taken: number;
  readonly lost: number;
  readonly reason: string | null;
};

export class SpanExporter {
  readonly #options: ExporterOptions;
  readonly #stop = new AbortController();
  #waiting: OtlpSpan[] = [];
  #timer: unknown = null;
  #sending: Promise<void> | null = null;
  #isClosing = false;
  /** Spans of the request that is on its way. */
  #underway = 0;
  #taken = 0;
  #lost = 0;
  #reason: string | null = null;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  /** Takes spans that have ended; they are sent soon. */
  add(spans: readonly OtlpSpan[]): void {
    if (spans.length === 0) return;
    const { mostWaiting = MOST_WAITING } = this.#options;
    const room = Math.max(0, mostWaiting - this.#waiting.length);
    for (const span of spans.slice(0, room)) this.#waiting.push(span);
    this.#lost += Math.max(0, spans.length - room);
    if (this.#waiting.length >= BATCH_SPANS) this.#send();
    else this.#timer ??= this.#options.time.setTimeout(() => this.#send(), DELAY_MS);
  }

  /** Says once what has gone wrong before anything could be sent. */
  fail(reason: string): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#options.onNote(`telemetry: ${reason}`);
  }

  /** Sends what is left, as long as there is time for it. */
  async close(): Promise<ExportSummary> {
    const { time, closeMs = CLOSE_MS } = this.#options;
    this.#isClosing = true;
    const { promise: isUp, resolve } = Promise.withResolvers<void>();
    const limit = time.setTimeout(() => {
      this.#stop.abort();
      resolve();
    }, closeMs);
    this.#send();
    await Promise.race([this.#drain(), isUp]);
    time.clearTimeout(limit);
    this.#stop.abort();
    const left = this.#underway + this.#waiting.splice(0).length;
    if (left > 0) this.#lose(left, 'no answer in time');
    const [taken, lost, reason] = [this.#taken, this.#lost, this.#reason];
    return { taken, lost, reason };
  }

  async #drain(): Promise<void> {
    while (this.#sending !== null) await this.#sending;
  }

  #send(): void {
    const { time } = this.#options;
    if (this.#timer !== null) time.clearTimeout(this.#timer);
    this.#timer = null;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
  }

  /** One request at a time: a slow collector is not asked for more. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stop.signal.aborted) {
      const batch = this.#waiting.splice(0, BATCH_SPANS);
      this.#underway = batch.length;
      const isTaken = await this.#sendBatch(batch);
      this.#underway = 0;
      // There is no time to find out with each batch that nobody answers.
      if (!isTaken && this.#isClosing) this.#lose(this.#waiting.splice(0).length, '');
    }
  }

  /** Whether the collector has taken it, or a part of it. */
  async #sendBatch(batch: readonly OtlpSpan[]): Promise<boolean> {
    const { settings, time } = this.#options;
    const sent = buildRequest(batch, this.#options);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = judge(await this.#post(sent), settings.isJson);
      if (outcome.type === 'taken') {
        this.#taken += batch.length - outcome.rejected;
        if (outcome.rejected > 0 || outcome.reason !== '')
          this.#lose(outcome.rejected, outcome.reason || 'it gave no reason');
        return true;
      }
      const most = this.#isClosing ? LAST_ATTEMPTS : ATTEMPTS;
      if (outcome.type === 'refused' || attempt >= most || this.#stop.signal.aborted) {
        this.#lose(batch.length, outcome.reason);
        return false;
      }
      const waitMs = outcome.afterMs ?? WAIT_MS * 2 ** (attempt - 1);
      await time.sleep(Math.min(waitMs, LONGEST_WAIT_MS), this.#stop.signal);
    }
  }

  async #post(sent: ExportRequest): Promise<WebReply> {
    const { settings, web, time } = this.#options;
    if (this.#stop.signal.aborted) return { type: 'lost', reason: 'no answer in time' };
    const timeout = new AbortController();
    const timer = time.setTimeout(() => timeout.abort(), settings.timeoutMs);
    const signal = AbortSignal.any([this.#stop.signal, timeout.signal]);
    const reply = await web.postBytes(settings.url, sent, { signal, mostBytes: MOST_BYTES });
    time.clearTimeout(timer);
    return signal.aborted && reply.type === 'lost'
      ? { type: 'lost', reason: 'no answer in time' }
      : reply;
  }

  #lose(spans: number, reason: string): void {
    this.#lost += spans;
    if (reason === '' || this.#reason !== null) return;
    const { settings, onNote } = this.#options;
    const plain = redactHeaders(reason, settings.headers);
    this.#reason = plain;
    const { origin } = new URL(settings.url);
    onNote(`telemetry: the collector at ${origin} does not take all spans: ${plain}`);
  }
}

type ExportRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
};

function buildRequest(
  spans: readonly OtlpSpan[],
  { settings, resource }: ExporterOptions,
): ExportRequest {
  const { isJson, isPacked, headers } = settings;
  const traces = wrapSpans(spans, resource);
  const body = isJson ? Buffer.from(JSON.stringify(traces)) : encodeProtobuf(traces);
  return {
    headers: {
      ...headers,
      'content-type': isJson ? 'application/json' : 'application/x-protobuf',
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isPacked ? gzipSync(body) : body,
  };
}

/** Spans with what sends them, as a request or as a line of a file. */
export function wrapSpans(spans: readonly OtlpSpan[], resource: TelemetryResource) {
  const scope = { name: 'glassbox', version: resource['telemetry.sdk.version'] ?? '' };
  return toTraces({ attributes: toAttributes(resource) }, scope, spans);
}

/** What follows from a reply. */
function judge(reply: WebReply, isJson: boolean): BatchOutcome {
  switch (reply.type) {
    case 'lost':
      return { type: 'again', afterMs: null, reason: reply.reason };
    case 'redirect':
      return { type: 'refused', reason: `it redirects (${reply.status}), which is not followed` };
    case 'too-long':
      return { type: 'refused', reason: 'its answer is too long' };
    case 'answer': {
      const { status, contentType, body, retryAfterMs } = reply;
      const isAccepted = status >= OK && status < FIRST_REDIRECT;
      const isText = /json/i.test(contentType) || (isJson && contentType === '');
      const verdict = readVerdict(body, isText, isAccepted);
      if (isAccepted) return { type: 'taken', rejected: verdict.rejected, reason: words(verdict) };
      const reason = `status ${status}${verdict.message === '' ? '' : `, ${words(verdict)}`}`;
      if (RETRYABLE.includes(status)) return { type: 'again', afterMs: retryAfterMs, reason };
      return { type: 'refused', reason };
    }
  }
}

/** Characters of a collector's words that a note shows. */
const LONGEST_WORDS = 200;

function words({ message }: OtlpVerdict): string {
  return message.slice(0, LONGEST_WORDS);
}

/** A collector may repeat what was sent. */
function redactHeaders(text: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)]);
  return secrets.reduce((plain, secret) => redactKey(plain, secret), text);
}
