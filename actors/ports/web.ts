import type { Web, WebHeaders, WebLimits, WebReply } from './ports.ts';
import { decodeUtf8 } from './utf8.ts';

export const realWeb: Web = {
  post: async (url, json, limits) => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const reply = await exchange(url, { headers, body: json }, limits);
    if (reply.type !== 'answer') return reply;
    return { type: 'answer', status: reply.status, text: decodeUtf8(Buffer.from(reply.body)) };
  },
  postBytes: exchange,
  get: (url, headers, limits) => exchange(url, { headers, body: null }, limits),
};

async function exchange(
  url: string,
  sent: { readonly headers: WebHeaders; readonly body: string | Uint8Array<ArrayBuffer> | null },
  { signal, mostBytes }: WebLimits,
): Promise<WebReply> {
  try {
    const method = sent.body === null ? 'GET' : 'POST';
    const response = await fetch(url, { method, ...sent, signal, redirect: 'manual' });
    const { status, headers } = response;
    if (status >= FIRST_REDIRECT && status < FIRST_ERROR) {
      await response.body?.cancel();
      return { type: 'redirect', status, to: headers.get('location') ?? 'nowhere' };
    }
    return await readBody(response, mostBytes);
  } catch (error) {
    return { type: 'lost', reason: findRootCause(error) };
  }
}

const FIRST_REDIRECT = 300;
const FIRST_ERROR = 400;

async function readBody({ status, body }: Response, mostBytes: number): Promise<WebReply> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    // Leaving the loop cancels the rest.
    if (bytes > mostBytes) return { type: 'too-long' };
    parts.push(part);
  }
  return { type: 'answer', status, body: Buffer.concat(parts) };
}

/** The root cause of an error: "connect ECONNREFUSED", not "fetch failed". */
export function findRootCause(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  if (error.cause instanceof Error) return findRootCause(error.cause);
  // A name such as localhost has two addresses. The errors of both are in a list, and the outer message is empty.
  if (error instanceof AggregateError && error.message === '')
    return findRootCause(error.errors.at(-1));
  return error.message;
}
