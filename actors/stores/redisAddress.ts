/** The address of a Redis, as somebody wrote it: checked before anything connects, and shown without its password. */
import type { Note } from '../../machines/types.ts';

const SCHEMES: readonly string[] = ['redis:', 'rediss:'];
const DEFAULT_PORT = '6379';

export type Address =
  | {
      readonly ok: true;
      readonly url: string;
      /** "localhost:6379", for sentences. */
      readonly shown: string;
    }
  | { readonly ok: false; readonly note: Note };

/** Reads a URL such as redis://localhost:6379 or rediss://user:password@host:6380/2. */
export function redisAddress(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !SCHEMES.includes(url.protocol) || url.hostname === '') {
    return refused(
      'expected a URL such as redis://localhost:6379 or rediss://user:password@host:6380',
    );
  }
  if (!/^\/?\d*$/.test(url.pathname)) {
    return refused(`expected the number of a database behind the port, found "${url.pathname}"`);
  }
  return { ok: true, url: text, shown: `${url.hostname}:${url.port || DEFAULT_PORT}` };
}

/** What was written is not repeated: there may be a password in it. */
function refused(text: string): Address {
  return { ok: false, note: { code: 'store/bad-url', text: `the address of Redis: ${text}` } };
}
