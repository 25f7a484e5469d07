/**
 * The live server: the page, and the journal as server-sent events, on this machine only.
 *
 * Other pages in the same browser must not read a game, so whoever asks under another name than this machine's own is
 * refused, as after a name was turned to point here.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseLens } from '../../machines/lens.ts';
import type { Audience, Viewer } from './audience.ts';
import type { Feed } from './feed.ts';

const HOST = '127.0.0.1';
/** Milliseconds until a browser asks again after a cut, and between signs of life. */
const RETRY = 1000;
const BEAT = 15_000;

export type Live = {
  readonly url: string;
  /** Ends all that is open. */
  close(): void;
  /** Cuts every viewer off, who will ask again. */
  cut(): void;
};

/** Serves a feed; port 0 takes a free one. Rejects with the error of the system where it can't. */
export function serve(feed: Feed, page: string, port: number): Promise<Live> {
  const server = createServer((request, response) => answer(request, response, { feed, page }));
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
    cut: () => server.closeAllConnections(),
  };
}

type Shown = { readonly feed: Feed; readonly page: string };

function answer(request: IncomingMessage, response: ServerResponse, shown: Shown): void {
  const found = sought(request, shown);
  if (typeof found === 'string') send(response, 200, 'text/html; charset=utf-8', found);
  else if ('join' in found) stream(request, response, found);
  else send(response, found.status, 'text/plain; charset=utf-8', `${found.sentence}\n`);
}

type Refusal = { readonly status: number; readonly sentence: string };

/** The page, an audience to join, or why there is nothing. */
function sought(request: IncomingMessage, { feed, page }: Shown): string | Audience | Refusal {
  if (!isOurs(request))
    return { status: 403, sentence: 'This server answers to 127.0.0.1 and localhost only.' };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, sentence: 'There is nothing to write here.' };
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
  if (pathname === '/') return page;
  if (pathname !== '/events') return { status: 404, sentence: 'There is no such page.' };
  const lens = parseLens(searchParams.get('lens') ?? '');
  if (lens === null)
    return { status: 400, sentence: 'Expected a lens: table, glass or player:COLOUR.' };
  const audience = feed.through(lens);
  return audience ?? { status: 403, sentence: 'This journal is shown through another lens.' };
}

/** Whether the request was made under a name of this machine, at the port that was asked. */
function isOurs({ headers, socket }: IncomingMessage): boolean {
  const names = [HOST, 'localhost'].map((name) => `${name}:${socket.localPort}`);
  return names.includes(headers.host ?? '');
}

const GUARDS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...GUARDS, 'content-type': type });
  response.end(text);
}

function stream(request: IncomingMessage, response: ServerResponse, audience: Audience): void {
  response.writeHead(200, { ...GUARDS, 'content-type': 'text/event-stream' });
  response.write(`retry: ${RETRY}\n\n`);
  const viewer: Viewer = {
    write: (text) => response.write(text),
    end: () => {
      response.end();
    },
  };
  const beat = setInterval(() => response.write(': on\n\n'), BEAT);
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
