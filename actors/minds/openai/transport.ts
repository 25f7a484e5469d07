/**
 * The wire to an OpenAI-compatible endpoint.
 *
 * The `openai` package is the transport and nothing else: what an answer means is judged in `endpoint/`. It reads keys,
 * organisations and headers from the environment and would send them to whatever endpoint it is told; so only the
 * headers written here leave the house. The key comes back in nothing: an endpoint that repeats it is not repeated.
 */
import OpenAI from 'openai';
import { withoutKey } from './redaction.ts';
import { bodyIn, retryAfter } from './response.ts';
import type { Delivery, Endpoint, Wire } from './wire.ts';

/** The package throws away parts of a refusal, so it is shown a success and the status travels in this header. */
const STATUS = 'x-glassbox-status';

export function wireTo({ baseUrl, apiKey }: Endpoint, now: () => number): Wire {
  const key = apiKey?.trim() ?? '';
  if (!isSendable(key)) return { send: async () => UNSENDABLE };
  const post = poster(baseUrl, key);
  return {
    send: async (body, signal) => {
      try {
        const response = await post(body, signal);
        const text = withoutKey(await response.text(), key);
        return {
          type: 'body',
          status: Number(response.headers.get(STATUS)),
          body: bodyIn(text),
          retryAfterMs: retryAfter(response.headers, now()),
        };
      } catch (error) {
        const root = error instanceof Error ? rootOf(error) : new Error('the connection failed');
        const text = withoutKey(root.message, key);
        return { type: 'lost', isLate: false, wasSent: !NEVER_SENT.test(text), text };
      }
    },
  };
}

type Post = (body: Readonly<Record<string, unknown>>, signal: AbortSignal) => PromiseLike<Response>;

function poster(baseUrl: string, key: string): Post {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
  };
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: key === '' ? 'none' : key,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (url, init) => shown(await fetch(url, { ...init, headers })),
  });
  return (body, signal) => client.post('/chat/completions', { body, signal }).asResponse();
}

function shown(response: Response): Response {
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
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
