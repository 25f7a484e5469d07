/** A fake endpoint that speaks the protocol of model endpoints over real sockets and keeps every request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { answerTo } from './answer.ts';
import { type Asked, readAsked } from './asked.ts';
import type { Step } from './case.ts';
import { json, type Sent, type SentAtOnce, type SentStream } from './sent.ts';
import { streamed } from './streaming.ts';

export type FakeOptions = {
  readonly port?: number;
  /** Misbehaviour, checked in order before an answer. */
  readonly steps?: readonly Step[];
  readonly seed?: number;
  /** Whether streams have signs of life that not every client reads. Default: yes. */
  readonly hasOddStreams?: boolean;
  readonly answer?: (asked: Asked) => Sent;
  /** Awaited before each piece of a stream. Without it, pieces follow each other at once. */
  readonly written?: () => Promise<void>;
  /** Awaited before an answer goes out. Without it, answers go out at once. */
  readonly thought?: (asked: number) => Promise<void>;
};

const PATH = '/v1/chat/completions';

export class FakeEndpoint {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #steps: readonly Step[];
  readonly #seed: number;
  readonly #hasOddStreams: boolean;
  readonly #thought: (asked: number) => Promise<void>;
  readonly #written: () => Promise<void>;
  readonly #answer: (asked: Asked) => Sent;

  private constructor({
    steps = [],
    seed = 1,
    hasOddStreams = true,
    thought = async () => {},
    written = nextTurn,
    answer = (asked) => answerTo(asked, seed),
  }: FakeOptions) {
    this.#answer = answer;
    this.#written = written;
    this.#steps = steps;
    this.#seed = seed;
    this.#hasOddStreams = hasOddStreams;
    this.#thought = thought;
    this.#server = createServer((request, response) => {
      // The clocks of tests are other ones.
      response.sendDate = false;
      return this.#receive(request, response);
    });
  }

  static async open(options: FakeOptions = {}): Promise<FakeEndpoint> {
    const fake = new FakeEndpoint(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    fake.#server.once('error', reject);
    fake.#server.listen(options.port ?? 0, '127.0.0.1', resolve);
    await promise;
    return fake;
  }

  get baseUrl(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the endpoint is closed');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('error', () => response.destroy());
    request.on('end', async () => {
      const reply = this.#reply(request, Buffer.concat(pieces));
      await this.#thought(this.asked.length);
      if (reply.type === 'stream') await this.#stream(response, reply);
      else deliver(response, reply);
    });
  }

  #reply({ method, url, headers }: IncomingMessage, body: Buffer): Sent {
    if (url === '/v1/models') {
      const names = new Set(['fake', ...this.asked.map((one) => one.body.model)]);
      return json(200, { object: 'list', data: [...names].map((id) => ({ id })) });
    }
    if (method !== 'POST' || url !== PATH) {
      return json(404, { error: { message: `${method} ${url}: there is only POST ${PATH}` } });
    }
    const asked = readAsked(body.toString('utf8'), headers, this.asked.length);
    if (asked === null) {
      return json(400, { error: { message: 'expected a JSON object with model and messages' } });
    }
    this.asked.push(asked);
    const sent = named(
      this.#steps.find(({ when }) => when(asked))?.sends ?? this.#answer(asked),
      asked.body.model,
    );
    return asked.body['stream'] === true
      ? streamed(sent, asked, this.#seed, this.#hasOddStreams)
      : sent;
  }

  async #stream(response: ServerResponse, { pieces, headers, ending }: SentStream): Promise<void> {
    response.writeHead(200, headers);
    for (const piece of pieces) {
      await this.#written();
      if (response.destroyed) return;
      response.write(piece);
    }
    await this.#written();
    if (ending === 'end') response.end();
    if (ending === 'cut') response.destroy();
  }
}

/** Answers carry the name of the model that was asked, like those of most servers. */
function named(sent: Sent, model: string): Sent {
  if (sent.type !== 'body') return sent;
  return {
    ...sent,
    text: sent.text.replace('"model":"fake"', () => `"model":${JSON.stringify(model)}`),
  };
}

/** Pieces written in different turns of the event loop are sent separately, as far as the system permits. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function deliver(response: ServerResponse, sent: SentAtOnce): void {
  switch (sent.type) {
    case 'silence':
      return;
    case 'cut':
      response.destroy();
      return;
    case 'bomb': {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      response.writeHead(200, headers);
      const zip = createGzip();
      zip.pipe(response).on('error', () => zip.destroy());
      Readable.from(blanks(sent.bytes)).pipe(zip);
      return;
    }
    case 'body': {
      const zip = sent.isZipped ? { 'content-encoding': 'gzip' } : {};
      response.writeHead(sent.status, { ...sent.headers, ...zip });
      response.end(sent.isZipped ? gzipSync(sent.text) : sent.text);
    }
  }
}

const PIECE = Buffer.alloc(1024 * 1024, ' ');

function* blanks(bytes: number): Generator<Buffer> {
  for (let sent = 0; sent < bytes; sent += PIECE.length) yield PIECE;
}
