/**
 * The wire to an OpenAI-compatible endpoint.
 *
 * The `openai` package is the transport and nothing else: what an answer means is judged in `endpoint/`. It reads keys, organisations and headers from the environment and would send
 * them to whatever endpoint it is told; so only the headers listed here leave the house.
 */
import OpenAI, { APIError } from 'openai';
import type { Delivery, Endpoint, Wire } from './endpoint/wire.ts';

const SENT_HEADERS = ['accept', 'content-type', 'authorization'];

export function wireTo({ baseUrl, apiKey }: Endpoint, now: () => number): Wire {
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: (url, init) => fetch(url, { ...init, headers: outgoing(init?.headers) }),
  });
  return {
    send: async (body, signal) => {
      try {
        const response = await client.post('/chat/completions', { body, signal }).asResponse();
        const text = await response.text();
        return delivered(response.status, text, response.headers, now);
      } catch (error) {
        return failed(error, now);
      }
    },
  };
}

function outgoing(headers: RequestInit['headers'] | undefined): Headers {
  const given = new Headers(headers);
  const sent = new Headers();
  for (const name of SENT_HEADERS) {
    const value = given.get(name);
    if (value !== null) sent.set(name, value);
  }
  return sent;
}

function delivered(status: number, text: string, headers: Headers, now: () => number): Delivery {
  return { type: 'body', status, body: parsed(text), retryAfterMs: retryAfter(headers, now()) };
}

function failed(error: unknown, now: () => number): Delivery {
  if (error instanceof APIError && typeof error.status === 'number') {
    const headers = error.headers instanceof Headers ? error.headers : new Headers();
    const body: unknown = error.error ?? error.message;
    return {
      type: 'body',
      status: error.status,
      body,
      retryAfterMs: retryAfter(headers, now()),
    };
  }
  const text = error instanceof Error ? rootOf(error).message : 'the connection failed';
  return { type: 'lost', isLate: false, text };
}

/** What lies at the bottom of an error: "connect ECONNREFUSED", not "Connection error.". */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

function parsed(text: string): unknown {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(bare);
  } catch {
    return text;
  }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: Headers, now: number): number | null {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const wanted = headers.get('retry-after');
  if (wanted === null) return null;
  const seconds = Number(wanted);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(wanted);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
