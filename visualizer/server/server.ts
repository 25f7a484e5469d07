/** The live server: answers by routes, on this machine only. Nothing that is asked of it ends what it shows. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Asked, askedBy, HOST } from './asked.ts';
import type { Audience, Viewer } from './audience.ts';

/** Milliseconds until a browser asks again after a cut, and between signs of life. */
const RETRY = 1000;
const BEAT = 15_000;

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
  const heard = await askedBy(request);
  if (!heard.ok) return sentence(heard.status, heard.text);
  const { asked } = heard;
  try {
    for (const route of routes) {
      const found = await route(asked);
      if (found !== null) return found;
    }
  } catch {
    // Whatever is asked of a game, it goes on.
    return sentence(500, 'This can’t be answered.');
  }
  if (asked.method === 'POST') return sentence(405, 'There is nothing to write here.');
  return sentence(404, 'There is no such page.');
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
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
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
