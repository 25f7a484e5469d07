/**
 * Asked: what a request wants, or why it is not heard.
 *
 * Other pages in the same browser must not read a game or play in it, so whoever asks under another name than this
 * machine's own is refused, as after a name was turned to point here; and so is what another page wants to write.
 */
import type { IncomingMessage } from 'node:http';

export const HOST = '127.0.0.1';
/** The longest body that is read, in bytes: a message of a player and what is around it. */
const LONGEST_BODY = 65_536;

export type Asked = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly search: URLSearchParams;
  /** What was sent; '' for GET. */
  readonly body: string;
};

export type Heard =
  | { readonly ok: true; readonly asked: Asked }
  | { readonly ok: false; readonly status: number; readonly text: string };

/** HEAD asks what GET does, and is sent no body. */
export async function askedBy(request: IncomingMessage): Promise<Heard> {
  const { method = '' } = request;
  if (!isOurs(request)) return refused(403, 'This server answers to 127.0.0.1 and localhost only.');
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return refused(405, 'There is nothing to write here.');
  if (method === 'POST' && !isOfOurPage(request))
    return refused(403, 'Only the page that this server gives may write here.');
  const address = addressOf(request);
  if (address === null) return refused(400, 'Expected a path that begins with /.');
  const body = method === 'POST' ? await bodyOf(request) : '';
  if (body === null) return refused(413, `Expected at most ${LONGEST_BODY} bytes of UTF-8.`);
  const { pathname: path, searchParams: search } = address;
  return { ok: true, asked: { method: method === 'POST' ? 'POST' : 'GET', path, search, body } };
}

function refused(status: number, text: string): Heard {
  return { ok: false, status, text };
}

/** Behind the name of this server, so that "//" is a path and no other machine; null for what is no path. */
function addressOf({ url = '' }: IncomingMessage): URL | null {
  return url.startsWith('/') ? URL.parse(`http://${HOST}${url}`) : null;
}

/** Whether the request was made under a name of this machine, at the port that was asked. */
function isOurs({ headers, socket }: IncomingMessage): boolean {
  return hostsOf(socket.localPort).includes(headers.host ?? '');
}

/** A browser names the page that writes; a form of another page can't send JSON without being asked first. */
function isOfOurPage({ headers, socket }: IncomingMessage): boolean {
  const origins = hostsOf(socket.localPort).map((host) => `http://${host}`);
  const isOurOrigin = headers.origin === undefined || origins.includes(headers.origin);
  return isOurOrigin && (headers['content-type'] ?? '').startsWith('application/json');
}

function hostsOf(port: number | undefined): readonly string[] {
  return [HOST, 'localhost'].map((name) => `${name}:${port}`);
}

/** The whole body; null for one that is too long, torn, or no text. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      const bytes = Buffer.from(part);
      size += bytes.length;
      if (size > LONGEST_BODY) return null;
      parts.push(bytes);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    return null;
  }
}
