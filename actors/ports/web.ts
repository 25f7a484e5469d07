/** The web, as far as it answers to POST. */
import type { Web, WebAnswer } from './ports.ts';
import { decodeUtf8 } from './utf8.ts';

export const realWeb: Web = {
  post: async (url, json, { signal, mostBytes }) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: json,
        signal,
        redirect: 'manual',
      });
      const { status, headers } = response;
      const to = headers.get('location');
      if (status >= FIRST_REDIRECT && status < FIRST_ERROR) {
        await response.body?.cancel();
        return { type: 'redirect', status, to: to ?? 'nowhere' };
      }
      return await readBody(response, mostBytes);
    } catch (error) {
      return { type: 'lost', reason: findRootCause(error) };
    }
  },
};

const FIRST_REDIRECT = 300;
const FIRST_ERROR = 400;

async function readBody({ status, body }: Response, mostBytes: number): Promise<WebAnswer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    // Leaving the loop cancels the rest.
    if (bytes > mostBytes) return { type: 'too-long' };
    parts.push(part);
  }
  return { type: 'answer', status, text: decodeUtf8(Buffer.concat(parts)) };
}

/** What lies at the bottom of an error: "connect ECONNREFUSED", not "fetch failed". */
function findRootCause(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  return error.cause instanceof Error ? findRootCause(error.cause) : error.message;
}
