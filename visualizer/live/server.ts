/**
 * The live server: answers by routes, on this machine only.
 *
 * Other pages in the same browser must not read a game or play in it, so whoever asks under another name than this
 * machine's own is refused, as after a name was turned to point here; and so is what another page wants to write.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Audience, Viewer } from './audience.ts';

const HOST = '127.0.0.1';
/** Milliseconds until a browser asks again after a cut, and between signs of life. */
const RETRY = 1000;
const BEAT = 15_000;
/** The longest body that is read, in bytes: a message of a player and what is around it. */
const LONGEST_BODY = 65_536;

export type Asked = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly search: URLSearchParams;
  /** What was sent; '' for GET. */
  readonly body: string;
};

export type Answer =
  | { readonly type: 'html' | 'json' | 'text'; readonly status: number; readonly text: string }
  | { readonly type: 'stream'; readonly audience: Pick<Audience, 'join' | 'leave' | 'pump'> };

/** Answers what is asked, or null where it is for another route. */
export type Route = (asked: Asked) => Answer | null | Promise<Answer | null>;

export type Live = {
  readonly url: string;
  /** Ends all that is open. */
  close(): void;
  /** Takes nobody any more, and lets whoever is reading read to the end, for a while. */
  leave(): Promise<void>;
  /** Cuts every viewer off, who will ask again. */
  cut(): void;
};

/** Serves by the first route that answers; port 0 takes a free one. Rejects with the error of the system where it can't. */
export function serve(routes: readonly Route[], port: number): Promise<Live> {
  const server = createServer((request, response) => void answer(request, response, routes));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve(opened(server)));
  });
}

function opened(server: Server): Live {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://${HOST}:${port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
    leave: () => left(server),
    cut: () => server.closeAllConnections(),
  };
}

/** Milliseconds in which what is written already must have been read. */
const GRACE = 1500;

function left(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), GRACE);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** An answer that is a sentence. */
export function sentence(status: number, text: string): Answer {
  return { type: 'text', status, text: `${text}\n` };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly Route[],
): Promise<void> {
  const found = await sought(request, routes);
  if (found.type === 'stream') stream(request, response, found.audience);
  else send(response, found);
}

async function sought(request: IncomingMessage, routes: readonly Route[]): Promise<Answer> {
  const { method = '' } = request;
  if (!isOurs(request))
    return sentence(403, 'This server answers to 127.0.0.1 and localhost only.');
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return sentence(405, 'There is nothing to write here.');
  if (method === 'POST' && !isOfOurPage(request))
    return sentence(403, 'Only the page that this server gives may write here.');
  const body = method === 'POST' ? await bodyOf(request) : '';
  if (body === null) return sentence(413, `Expected at most ${LONGEST_BODY} bytes of UTF-8.`);
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
  const asked: Asked = {
    method: method === 'POST' ? 'POST' : 'GET',
    path: pathname,
    search: searchParams,
    body,
  };
  for (const route of routes) {
    const found = await route(asked);
    if (found !== null) return found;
  }
  if (method === 'POST') return sentence(405, 'There is nothing to write here.');
  return sentence(404, 'There is no such page.');
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

const GUARDS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const KINDS = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

function send(
  response: ServerResponse,
  { type, status, text }: Exclude<Answer, { type: 'stream' }>,
): void {
  response.writeHead(status, { ...GUARDS, 'content-type': KINDS[type] });
  response.end(text);
}

function stream(
  request: IncomingMessage,
  response: ServerResponse,
  audience: Extract<Answer, { type: 'stream' }>['audience'],
): void {
  // A stream is the last that its connection is used for, so whoever has read to the end is gone.
  response.writeHead(200, {
    ...GUARDS,
    'content-type': 'text/event-stream',
    connection: 'close',
  });
  response.write(`retry: ${RETRY}\n\n`);
  const viewer: Viewer = {
    write: (text) => response.write(text),
    end: () => {
      response.end();
    },
  };
  const beat = setInterval(() => {
    // Whoever does not read is not sent more to read.
    if (!response.writableNeedDrain) response.write(': on\n\n');
  }, BEAT);
  beat.unref();
  response.on('drain', () => audience.pump(viewer));
  response.on('close', () => {
    clearInterval(beat);
    audience.leave(viewer);
  });
  audience.join(viewer, lastSeen(request));
}

/** The number of the last event that a viewer has got; -1 for somebody who is new. */
function lastSeen({ headers }: IncomingMessage): number {
  const text = headers['last-event-id'];
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : -1;
}
