/** Clients of `glassbox serve`: a socket of OpenEnv, and an agent that speaks MCP with a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { isRecord } from '../../machines/text.ts';
import { ENVIRONMENT, Running } from '../cli/shell.ts';
import { tieToThisProcess } from '../support/tied.ts';

const PROGRAM = fileURLToPath(new URL('../../cli/glassbox.ts', import.meta.url));

export type JsonObject = Readonly<Record<string, unknown>>;

export function readObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error(`expected an object, found ${text.slice(0, 200)}`);
  return value;
}

/** Starts `glassbox serve` for trainers. */
export async function serveTrainers(words: readonly string[], cwd: string) {
  const server = new Running(['serve', '--port', '0', ...words], { cwd });
  await server.said('Ctrl-C ends it.');
  return { server, url: /http:\S+(?=\/ )/.exec(server.err)?.[0] ?? '' };
}

/** A socket of OpenEnv. */
export class Trainer {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  /** The code of the end of the connection; null while it is open. */
  code: number | null = null;
  readonly #heard: string[] = [];
  #wake = () => {};

  constructor(url: string) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
    this.opened = new Promise((resolve) => {
      this.socket.once('open', resolve);
    });
    this.socket.on('error', () => {});
    this.socket.on('message', (data) => {
      this.#heard.push(String(data));
      this.#wake();
    });
    this.socket.on('close', (code) => {
      this.code = code;
      this.#wake();
    });
  }

  /** The next frame; null after the end of the connection. */
  async hear(): Promise<string | null> {
    while (this.#heard.length === 0 && this.code === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#heard.shift() ?? null;
  }

  async ask(frame: string | Buffer | object): Promise<string | null> {
    await this.opened;
    const isRaw = typeof frame === 'string' || Buffer.isBuffer(frame);
    this.socket.send(isRaw ? frame : JSON.stringify(frame));
    return await this.hear();
  }

  async close(): Promise<void> {
    this.socket.close();
    while ((await this.hear()) !== null);
  }
}

/** An agent and the process of `glassbox serve --mcp` that it has started. */
export class Agent {
  readonly process: ChildProcess;
  readonly finished: Promise<number | null>;
  err = '';
  readonly #heard: string[] = [];
  #begun = '';
  #wake = () => {};
  #isOver = false;
  #count = 0;

  constructor(words: readonly string[], cwd: string) {
    const line = [PROGRAM, 'serve', '--mcp', '--port', '0', ...words];
    const child = spawn(process.execPath, line, { cwd, env: ENVIRONMENT });
    this.process = child;
    tieToThisProcess(child);
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${this.#begun}${text}`.split('\n');
      this.#begun = lines.pop() ?? '';
      this.#heard.push(...lines);
      this.#wake();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.finished = new Promise((resolve) => {
      child.on('close', (exit) => {
        this.#isOver = true;
        this.#wake();
        resolve(exit);
      });
    });
  }

  write(line: string | Buffer | object): void {
    const isRaw = typeof line === 'string' || Buffer.isBuffer(line);
    this.process.stdin?.write(isRaw ? line : JSON.stringify(line));
    this.process.stdin?.write('\n');
  }

  /** The next line; null after the end of the process. */
  async hear(): Promise<string | null> {
    while (this.#heard.length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#heard.shift() ?? null;
  }

  /** Everything that is said before the answer to this request, and the answer. */
  async ask(method: string, params: object = {}) {
    const id = `ask-${this.#count++}`;
    this.write({ jsonrpc: '2.0', id, method, params });
    const before: string[] = [];
    for (let line = await this.hear(); line !== null; line = await this.hear()) {
      const answer = readObject(line);
      if (answer['id'] === id) return { before, answer };
      before.push(line);
    }
    throw new Error(`the process has ended before its answer: ${this.err}`);
  }

  async greet(): Promise<void> {
    const clientInfo = { name: 'test', version: '1' };
    const protocolVersion = '2025-11-25';
    await this.ask('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** The text of the result of a tool, whether it is an error, and everything that was said before. */
  async call(name: string, args: object = {}) {
    const { before, answer } = await this.ask('tools/call', { name, arguments: args });
    const { result } = answer;
    const { content, isError } = isRecord(result) ? result : {};
    const [first]: readonly unknown[] = Array.isArray(content) ? content : [];
    const text = isRecord(first) ? String(first['text']) : JSON.stringify(answer);
    return { before, text, isError: isError === true };
  }
}
