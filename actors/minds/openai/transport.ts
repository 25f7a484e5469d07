/**
 * The transport to an OpenAI-compatible endpoint: the only file that imports the `openai` package. The package would
 * send the environment's keys, organisations and headers to any endpoint, so only the headers set here are sent. If an
 * endpoint repeats the key, it is redacted.
 */
import { readField } from '../../../machines/text.ts';
import { realTime } from '../../ports/time.ts';
import { readHeaderWait } from '../../ports/waits.ts';
import { findRootCause } from '../../ports/web.ts';
import { parseBody } from './content.ts';
import { StreamedAnswer, type StreamOutcome } from './eventStream.ts';
import { trimUrl } from './providers.ts';

/** Shorter pieces are words: "none" is no secret, and neither is "sk-". */
const LEAST = 8;
const SEEN = '[key]';
/** The look of API keys, whoever owns them. */
const KEYS =
  /\b(?:sk|pk|gsk|hf|xai|rk)[-_][\w-]{12,}|\bAIza[\w-]{20,}|\bBearer\s+[\w.~+/-]{12,}=*/g;

/** `key` may be several, one a line. */
export function redactKey(text: string, key: string): string {
  const long = key.split('\n').filter((one) => one.length >= LEAST);
  return long.reduce(redactPieces, text).replace(KEYS, SEEN);
}

/** The key and the values of other headers, one a line. */
export function listSecrets({ apiKey, headers = {} }: Endpoint): string {
  return [apiKey?.trim() ?? '', ...Object.values(headers)].join('\n');
}

/** Redacts the longest beginning of the key at every position. */
function redactPieces(text: string, key: string): string {
  const first = key.slice(0, LEAST);
  let found = '';
  let rest = text;
  for (let at = rest.indexOf(first); at >= 0; at = rest.indexOf(first)) {
    let end = LEAST;
    while (end < key.length && rest.charAt(at + end) === key.charAt(end)) end += 1;
    found += rest.slice(0, at) + SEEN;
    rest = rest.slice(at + end);
  }
  return found + rest;
}

/** Longer words are no keys and are not held back any further. */
const LONGEST_KEY = 4096;

/** Redacts a text that arrives in pieces. A word is held back until it ends, because it may be a key. */
function redacted(hear: (text: string) => void, key: string): (piece: string) => void {
  let held = '';
  return (piece) => {
    const text = held + piece;
    const open = Math.min(...key.split('\n').map((one) => findOpenWord(text, one)));
    const end = text.length > LONGEST_KEY ? text.length : open;
    held = text.slice(end);
    const shown = redactKey(text.slice(0, end), key);
    if (shown !== '') hear(shown);
  };
}

const IN_KEYS = /[\w.~+/=-]/;

/** Start of the text's last word, or of a possible beginning of the key. */
function findOpenWord(text: string, key: string): number {
  let word = text.length;
  while (IN_KEYS.test(text.charAt(word - 1))) word -= 1;
  const bearer = /\bBearer\s+$/.exec(text.slice(Math.max(0, word - LEAST * 2), word));
  let start = bearer === null ? word : word - bearer[0].length;
  for (let at = Math.max(0, text.length - key.length); key.length >= LEAST && at < start; at += 1) {
    if (key.startsWith(text.slice(at))) start = at;
  }
  return start;
}

export type Endpoint = {
  readonly baseUrl: string;
  readonly model: string;
  /** Never written anywhere; null for servers without keys. */
  readonly apiKey: string | null;
  /** Other headers. Their values are secret, too. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type Delivery =
  | {
      readonly type: 'body';
      readonly status: number;
      /** JSON, else the text. */
      readonly body: unknown;
      readonly retryAfterMs: number | null;
      /** The time at the endpoint. Its clock may be wrong, and then so are the moments that it names. */
      readonly at?: number;
      /** Characters of a streamed answer before the error in it, if any. */
      readonly written?: number;
    }
  | {
      readonly type: 'lost';
      readonly isLate: boolean;
      /** Whether the request may have been accepted and tokens used. */
      readonly wasSent: boolean;
      readonly text: string;
      /** The part of a streamed answer that came, if any. */
      readonly body?: unknown;
      readonly written?: number;
    };

export type AnswerListener = {
  /** Bytes have come, keep-alives included. */
  readonly onBytes: () => void;
  readonly onText: (piece: string) => void;
  readonly onThought?: (piece: string) => void;
};

export type Transport = {
  send(
    body: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    listener?: AnswerListener,
  ): Promise<Delivery>;
};

/** The package discards parts of a refusal, so it sees a success, and the real status travels in this header. */
const STATUS = 'x-glassbox-status';

export function openTransport(endpoint: Endpoint, now: () => number): Transport {
  const key = listSecrets(endpoint);
  if (!SENDABLE.test(key)) return { send: async () => UNSENDABLE };
  const post = createPost(endpoint);
  return {
    send: async (body, signal, listener) => {
      const stream = new StreamedAnswer();
      let response: Response | null = null;
      let [text, failure]: [string, string | null] = ['', null];
      try {
        response = await post(body, signal);
        text = await readCapped(response, stream, listener && hearRedacted(listener, key));
      } catch (error) {
        failure = redactKey(findRootCause(error), key);
      }
      const end = stream.end();
      const received = { text, end, written: stream.length };
      // If an answer is whole, everything relevant came before the connection ended.
      if (response !== null && (failure === null || end.type === 'whole'))
        return deliver(response, received, key, now());
      const why = failure ?? '';
      return lose(why, received, !NEVER_SENT.test(why));
    },
  };
}

function hearRedacted(
  { onBytes, onText, onThought = () => {} }: AnswerListener,
  key: string,
): AnswerListener {
  return { onBytes, onText: redacted(onText, key), onThought: redacted(onThought, key) };
}

type ReceivedBody = Readonly<{ text: string; end: StreamOutcome; written: number }>;

function lose(text: string, { end, written }: ReceivedBody, wasSent = true): Delivery {
  const lost = { type: 'lost', isLate: false, wasSent, text } as const;
  return end.type === 'none' ? lost : { ...lost, body: end.body, ...countWritten(written) };
}

function countWritten(written: number): { readonly written?: number } {
  return written === 0 ? {} : { written };
}

function deliver(response: Response, received: ReceivedBody, key: string, now: number): Delivery {
  const { text, end, written } = received;
  const status = Number(response.headers.get(STATUS));
  const at = Date.parse(response.headers.get('date') ?? '') || now;
  const retryAfterMs = readHeaderWait(response.headers, status, at);
  const isWell = status < 300;
  if (end.type === 'none' && !(isWell && SIGNS_OF_LIFE.test(text)))
    return { type: 'body', status, body: parseBody(redactKey(text, key)), retryAfterMs, at };
  if (end.type === 'none' || (end.type === 'broken' && isWell)) return lose(BROKEN_OFF, received);
  const body = redactBody(end.body, key);
  const counted = readField(body, 'error') === undefined ? {} : countWritten(written);
  return { type: 'body', status, body, retryAfterMs, at, ...counted };
}

export function redactBody(body: unknown, key: string): unknown {
  try {
    return JSON.parse(redactKey(JSON.stringify(body), key));
  } catch {
    return { error: { message: 'the answer is nested without end' } };
  }
}

/** Comments of a stream without any content. */
const SIGNS_OF_LIFE = /^\s*:/;
const BROKEN_OFF = 'the answer broke off: its stream ended before it did';

/** Loads the package in advance, so that the first request's time is the endpoint's alone. */
export async function loadTransport(): Promise<void> {
  await import('#openai');
}

const ACCEPT = 'accept';
/** The deadlines decide, and neither the package nor Node gives up earlier: a day. */
const LONGEST_MS = 86_400_000;

function createPost({ baseUrl, apiKey, headers: others }: Endpoint) {
  const key = apiKey?.trim() ?? '';
  const headers = (accept: string) => ({
    accept,
    'content-type': 'application/json',
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...others,
  });
  const target = new URL(baseUrl);
  target.pathname = `${trimUrl(target.pathname)}/chat/completions`;
  const open = async () => {
    // Hundreds of files, needed only by games with models.
    const { default: OpenAI } = await import('#openai');
    return new OpenAI({
      baseURL: baseUrl,
      // The headers below carry the key.
      apiKey: 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: LONGEST_MS,
      logLevel: 'off',
      fetch: async (_, init) => {
        const accept = new Headers(init?.headers).get(ACCEPT) ?? '';
        const given = { ...init, headers: headers(accept) };
        return withStatusHeader(await fetchAtHome(target, given));
      },
    });
  };
  let client: ReturnType<typeof open> | null = null;
  return async (body: Readonly<Record<string, unknown>>, signal: AbortSignal) => {
    client ??= open();
    const accept =
      body['stream'] === true ? 'text/event-stream, application/json' : 'application/json';
    const options = { body, signal, headers: { [ACCEPT]: accept } };
    return await (await client).post('/chat/completions', options).asResponse();
  };
}

/** Byte limit of an unpacked answer. The longest real ones have a hundredth. */
const MOST_BYTES = 4 * 1024 * 1024;

async function readCapped(
  response: Response,
  stream: StreamedAnswer,
  listener?: AnswerListener,
): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const isStream = /event-stream/i.test(response.headers.get('content-type') ?? '');
  const decoder = new TextDecoder();
  const cancel = () => void reader.cancel().catch(() => {});
  const texts: string[] = [];
  let bytes = 0;
  let ending: unknown;
  for (;;) {
    const { done, value } = await reader.read();
    const piece = done ? decoder.decode() : decoder.decode(value, { stream: true });
    texts.push(piece);
    const { written, thoughts } = stream.feed(piece);
    if ((isStream || stream.hasBegun) && !done) listener?.onBytes();
    if (thoughts !== '') listener?.onThought?.(thoughts);
    if (written !== '') listener?.onText(written);
    if (stream.isFinished || stream.isDone) ending ??= realTime.setTimeout(cancel, ENDING_MS);
    if (done || stream.isDone) {
      void drain(reader).then(() => realTime.clearTimeout(ending));
      return texts.join('');
    }
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      cancel();
      throw new Error(`the answer has more than ${MOST_BYTES} bytes`);
    }
  }
}

/** A stream is cut off so many milliseconds after its model has finished. */
const ENDING_MS = 1000;

/** Reads to the end after the answer, so the connection can be reused. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The part held no text of the answer.
  }
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 3;

let patient: object | null = null;

function openDispatcher(): object {
  const { constructor: Agent } = Object(
    Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')),
  );
  patient ??=
    Agent === Object
      ? {}
      : { dispatcher: new Agent({ headersTimeout: LONGEST_MS, bodyTimeout: LONGEST_MS }) };
  return patient;
}

/** Follows redirects within the same origin only: a prompt goes to no other server. */
async function fetchAtHome(url: URL, init: RequestInit, followed = 0): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual', ...openDispatcher() });
  const location = response.headers.get('location');
  const isRedirect = REDIRECTS.includes(response.status) && location !== null;
  const isPage = response.ok && /html/.test(response.headers.get('content-type') ?? '');
  if (!isRedirect && (followed === 0 || !isPage)) return response;
  await response.body?.cancel();
  if (!isRedirect) return refuse(`it redirects to a web page at ${url.host}${url.pathname}`);
  const target = URL.parse(location, url.href);
  if (target?.origin === url.origin && followed < MOST_REDIRECTS)
    return await fetchAtHome(target, init, followed + 1);
  const advice =
    target?.origin === url.origin
      ? `it redirects more than ${MOST_REDIRECTS} times`
      : `it redirects to ${target?.host ? target.origin : 'nowhere'}: name that as the base URL if it is right`;
  return refuse(advice);
}

function refuse(message: string): Response {
  return Response.json({ error: { message } }, { status: 405 });
}

function withStatusHeader(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set(STATUS, String(response.status));
  return new Response(response.body, { headers });
}

/** Keys that HTTP headers can carry. Checked here because Node's error would quote them. */
const SENDABLE = /^[\x21-\x7e]*(?:\n[\x20-\x7e]*)*$/;

const UNSENDABLE: Delivery = {
  type: 'body',
  status: 401,
  body: 'the key holds characters that no HTTP header can carry',
  retryAfterMs: null,
};

/** Node's messages for connections that failed before anything was sent. */
const NEVER_SENT =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|certificate|Connect Timeout|bad port/;
