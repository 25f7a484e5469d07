/**
 * The transport to an OpenAI-compatible endpoint: the only file that imports the `openai` package.
 *
 * The package sends and receives and does nothing else: `failures.ts` and `answer.ts` decide what a response means. It
 * reads keys, organisations and headers from the environment and would send them to any endpoint; so only the headers
 * written here are sent. The key never comes back: if an endpoint repeats it, it is redacted.
 */
import { parseBody } from './content.ts';

/** Shorter pieces are words: "none" is no secret, and neither is "sk-". */
const LEAST = 8;
const SEEN = '[key]';
/** How keys look, whoever they belong to. */
const KEYS =
  /\b(?:sk|pk|gsk|hf|xai|rk)[-_][\w-]{12,}|\bAIza[\w-]{20,}|\bBearer\s+[\w.~+/-]{12,}=*/g;

export function redactKey(text: string, key: string): string {
  const plain = key.length < LEAST ? text : redactPieces(text, key);
  return plain.replace(KEYS, SEEN);
}

/** The longest beginning of the key at every place where one stands. */
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

export type Endpoint = {
  readonly baseUrl: string;
  readonly model: string;
  /** Never written anywhere; null for servers that want none. */
  readonly apiKey: string | null;
};

/** What came back: a body with its status, or nothing. */
export type Delivery =
  | {
      readonly type: 'body';
      readonly status: number;
      /** JSON where it was any; else the text. */
      readonly body: unknown;
      /** Milliseconds for which the endpoint wants to be left alone; null when it says nothing. */
      readonly retryAfterMs: number | null;
    }
  /** The connection failed, or no answer came within the time of the attempt. */
  | {
      readonly type: 'lost';
      readonly isLate: boolean;
      /** Whether the request may have been taken, and tokens used for it. */
      readonly wasSent: boolean;
      readonly text: string;
    };

export type Transport = {
  send(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Delivery>;
};

/** The package throws away parts of a refusal, so it is shown a success and the status travels in this header. */
const STATUS = 'x-glassbox-status';

export function openTransport({ baseUrl, apiKey }: Endpoint, now: () => number): Transport {
  const key = apiKey?.trim() ?? '';
  if (!isSendable(key)) return { send: async () => UNSENDABLE };
  const post = createPost(baseUrl, key);
  return {
    send: async (body, signal) => {
      try {
        const response = await post(body, signal);
        const text = redactKey(await readCapped(response), key);
        return {
          type: 'body',
          status: Number(response.headers.get(STATUS)),
          body: parseBody(text),
          retryAfterMs: readRetryAfter(response.headers, now()),
        };
      } catch (error) {
        const root =
          error instanceof Error ? findRootCause(error) : new Error('the connection failed');
        const text = redactKey(root.message, key);
        return { type: 'lost', isLate: false, wasSent: !NEVER_SENT.test(text), text };
      }
    },
  };
}

type PostRequest = (
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => PromiseLike<Response>;

function createPost(baseUrl: string, key: string): PostRequest {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
  };
  const open = async () => {
    // Hundreds of files, which only a game of models waits for.
    const { default: OpenAI } = await import('#openai');
    return new OpenAI({
      baseURL: baseUrl,
      apiKey: key === '' ? 'none' : key,
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      logLevel: 'off',
      fetch: async (url, init) =>
        withStatusHeader(await fetchAtHome(new URL(String(url)), { ...init, headers })),
    });
  };
  let client: ReturnType<typeof open> | null = null;
  return async (body, signal) => {
    client ??= open();
    return await (await client).post('/chat/completions', { body, signal }).asResponse();
  };
}

/** Bytes of an answer, unpacked: the longest that models write have a hundredth. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The text of a body; what is longer is not read on, however small it came packed. */
async function readCapped(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    // Leaving the loop cancels what is still to come.
    if (bytes > MOST_BYTES) throw new Error(`the answer has more than ${MOST_BYTES} bytes`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 3;

/** Follows redirects as far as they stay at the same origin: a prompt goes to no other than the one that was named. */
async function fetchAtHome(url: URL, init: RequestInit, followed = 0): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const location = response.headers.get('location');
  if (!REDIRECTS.includes(response.status) || location === null) return response;
  await response.body?.cancel();
  const target = URL.parse(location, url.href);
  if (target?.origin === url.origin && followed < MOST_REDIRECTS)
    return await fetchAtHome(target, init, followed + 1);
  const where = target === null ? 'nowhere' : target.origin;
  const advice =
    target?.origin === url.origin
      ? `it redirects more than ${MOST_REDIRECTS} times`
      : `it redirects to ${where}: name that as the base URL if it is right`;
  return Response.json({ error: { message: advice } }, { status: 404 });
}

function withStatusHeader(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set(STATUS, String(response.status));
  return new Response(response.body, { headers });
}

/** What an HTTP header can carry. Said in no error text of Node, which would quote the key. */
function isSendable(key: string): boolean {
  return /^[\x21-\x7e]*$/.test(key);
}

const UNSENDABLE: Delivery = {
  type: 'body',
  status: 401,
  body: 'the key holds characters that no HTTP header can carry',
  retryAfterMs: null,
};

/** Failures of a connection before anything could go over it, as Node words them. */
const NEVER_SENT =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|certificate|Connect Timeout|bad port/;

/** What lies at the bottom of an error: "connect ECONNREFUSED", not "Connection error.". */
function findRootCause(error: Error): Error {
  return error.cause instanceof Error ? findRootCause(error.cause) : error;
}

/** Milliseconds out of `retry-after-ms`, or out of `retry-after` in seconds or as a date. */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && isCount(ms)) return Number(ms);
  const wanted = headers.get('retry-after');
  if (wanted === null) return null;
  if (isCount(wanted)) return Number(wanted) * 1000;
  const date = /[a-z]/i.test(wanted) ? Date.parse(wanted) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

export function isCount(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text.trim());
}
