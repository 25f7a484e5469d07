/**
 * The live server, on this machine only. No request can end the game. Other pages in the same browser must not read a
 * game or play in it, so requests under another host name (DNS rebinding) and writes from other pages are refused.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { LensStream, Viewer } from './broadcast.ts';
import type { SocketDoor } from './sockets.ts';

const HOST = '127.0.0.1';
/** The longest accepted body, in bytes: a player's message and its JSON. */
const LONGEST_BODY = 65_536;

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly search: URLSearchParams;
  readonly body: string;
};

/** HEAD is handled like GET, without a body. */
async function readRequest(request: IncomingMessage): Promise<HttpRequest | HttpAnswer> {
  const { method = '' } = request;
  if (!isToThisMachine(request))
    return answerText(403, 'This server answers to 127.0.0.1 and localhost only.');
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return answerText(405, 'There is nothing to write here.');
  if (method === 'POST' && !isFromOwnPage(request))
    return answerText(
      403,
      'Only this server’s page, or a program that sends application/json, may write here.',
    );
  const address = parseUrl(request);
  if (address === null) return answerText(400, 'Expected a path that begins with /.');
  const body = method === 'POST' ? await readBody(request) : '';
  if (body === null) return answerText(413, `Expected at most ${LONGEST_BODY} bytes of UTF-8.`);
  const { pathname: path, searchParams: search } = address;
  return { method: method === 'POST' ? 'POST' : 'GET', path, search, body };
}

/** Resolves the URL against this server, so that "//" is a path. Null for an invalid path. */
function parseUrl({ url = '' }: IncomingMessage): URL | null {
  return url.startsWith('/') ? URL.parse(`http://${HOST}${url}`) : null;
}

function isToThisMachine({ headers, socket }: IncomingMessage): boolean {
  return listHosts(socket.localPort).includes(headers.host ?? '');
}

/** A browser names the page that writes; a form of another page can't send JSON without being asked first. */
function isFromOwnPage(request: IncomingMessage): boolean {
  const type = request.headers['content-type'] ?? '';
  return isOurOrigin(request) && type.startsWith('application/json');
}

function isOurOrigin({ headers, socket }: IncomingMessage): boolean {
  const origins = listHosts(socket.localPort).map((host) => `http://${host}`);
  return headers.origin === undefined || origins.includes(headers.origin);
}

/** A browser leaves out the port of the scheme. */
function listHosts(port: number | undefined): readonly string[] {
  const suffixes = port === 80 ? [':80', ''] : [`:${port}`];
  return [HOST, 'localhost'].flatMap((name) => suffixes.map((suffix) => `${name}${suffix}`));
}

/** The whole body; null if it is too long, incomplete or not text. */
async function readBody(request: IncomingMessage): Promise<string | null> {
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

/** Milliseconds until a browser reconnects, and between keep-alives. */
const RETRY_MS = 1000;
const HEARTBEAT_MS = 15_000;

export type HttpAnswer =
  | { readonly type: 'html' | 'json' | 'text'; readonly status: number; readonly text: string }
  | { readonly type: 'stream'; readonly stream: JoinedStream };

type JoinedStream = Pick<LensStream, 'join' | 'leave' | 'pump'> & Partial<Pick<LensStream, 'name'>>;

export type Route = (asked: HttpRequest) => HttpAnswer | null | Promise<HttpAnswer | null>;

export type LiveServer = {
  readonly url: string;
  close(): void;
  /** Takes no new viewer, and lets the others read to the end for a limited time. */
  leave(): Promise<void>;
  cut(): void;
};

/** Serves by the first route that answers; port 0 takes a free one. Rejects with the error of the system where it can't. */
export async function serve(
  routes: readonly Route[],
  port: number,
  sockets: SocketDoor | null = null,
): Promise<LiveServer> {
  const server = createServer(async (request, response) => {
    const found = await findAnswer(request, routes);
    if (found.type === 'stream') openStream(request, response, found.stream);
    else send(response, found);
  });
  if (sockets !== null) {
    const { acceptSockets } = await import('./sockets.ts');
    const accept = acceptSockets(sockets);
    server.on('upgrade', (request, socket, head) => {
      const isMeant = parseUrl(request)?.pathname === sockets.path;
      // A client that stays must not keep a server that ends.
      request.socket.unref();
      if (isMeant && isToThisMachine(request) && isOurOrigin(request))
        accept(request, socket, head);
      else socket.end(`HTTP/1.1 ${isMeant ? '403 Forbidden' : '404 Not Found'}\r\n\r\n`);
    });
  }
  return await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve(openServer(server)));
  });
}

function openServer(server: Server): LiveServer {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://${HOST}:${port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
    leave: () => closeGently(server),
    cut: () => server.closeAllConnections(),
  };
}

/** Milliseconds for viewers to read the data already written. */
const GRACE_MS = 1500;

function closeGently(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

export function answerText(status: number, text: string): HttpAnswer {
  return { type: 'text', status, text: `${text}\n` };
}

export function answerHtml(text: string): HttpAnswer {
  return { type: 'html', status: 200, text };
}

export function answerJson(value: object | null): HttpAnswer {
  return { type: 'json', status: 200, text: JSON.stringify(value) };
}

async function findAnswer(request: IncomingMessage, routes: readonly Route[]): Promise<HttpAnswer> {
  const asked = await readRequest(request);
  if ('type' in asked) return asked;
  try {
    for (const route of routes) {
      const found = await route(asked);
      if (found !== null) return found;
    }
  } catch {
    // A failed request never ends the game.
    return answerText(500, 'This can’t be answered.');
  }
  if (asked.method === 'POST') return answerText(405, 'There is nothing to write here.');
  return answerText(404, 'There is no such page.');
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

function send(
  response: ServerResponse,
  { type, status, text }: Exclude<HttpAnswer, { type: 'stream' }>,
): void {
  response.writeHead(status, { ...HEADERS, 'content-type': CONTENT_TYPES[type] });
  response.end(text);
}

function openStream(request: IncomingMessage, response: ServerResponse, stream: JoinedStream) {
  // A connection is used for nothing after a stream, so a viewer who has read to the end is gone.
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream', connection: 'close' });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  response.write(`retry: ${RETRY_MS}\n\n`);
  if (stream.name !== undefined) response.write(`event: journal\ndata: ${stream.name}\n\n`);
  const viewer: Viewer = {
    write: (text) => response.write(text),
    end: () => void response.end(),
  };
  const beat = setInterval(() => {
    // A viewer who does not read gets no more.
    if (!response.writableNeedDrain) response.write(': on\n\n');
  }, HEARTBEAT_MS);
  beat.unref();
  response.on('drain', () => stream.pump(viewer));
  response.on('close', () => {
    clearInterval(beat);
    stream.leave(viewer);
  });
  stream.join(viewer, parseLastEventId(request));
}

function parseLastEventId({ headers }: IncomingMessage): number {
  const text = headers['last-event-id'];
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : -1;
}
