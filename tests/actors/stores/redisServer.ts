/**
 * A Redis of the tests: a real server on a free port, with a folder of its own.
 *
 * tests/setup.ts installs redis-server where it can. Where there is none, the tests that need it are skipped and say so;
 * with CI=true they fail.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tieToThisProcess } from '../../support/tied.ts';

const isThere = () => spawnSync('redis-server', ['--version']).status === 0;

export const HAS_REDIS = isThere();
if (!HAS_REDIS && process.env['CI'] === 'true') throw new Error('redis-server is missing');
if (!HAS_REDIS) {
  const install = 'apt-get install redis-server, or brew install redis';
  console.warn(`SKIPPED: redis-server is missing, so nothing is tried on a Redis (${install})`);
}

export type Settings = {
  readonly durable?: boolean;
  readonly policy?: string;
  /** `everysec` delays a write while the disk is busy with the last one, so a kill can lose acknowledged data. */
  readonly fsync?: 'always' | 'everysec';
  readonly flags?: readonly string[];
};

export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: Settings;
  #process: ChildProcess | null = null;

  private constructor(port: number, settings: Settings) {
    this.port = port;
    this.#settings = settings;
    this.#folder = mkdtempSync(join(tmpdir(), 'glassbox-redis-'));
  }

  static async start(settings: Settings = {}): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.again();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async again(): Promise<void> {
    const { durable = true, policy = 'noeviction', fsync = 'always', flags = [] } = this.#settings;
    const child = spawn('redis-server', [
      ...['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder],
      ...['--save', '', '--appendonly', durable ? 'yes' : 'no', '--appendfsync', fsync],
      ...['--maxmemory-policy', policy, ...flags],
    ]);
    tieToThisProcess(child);
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      let told = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        told += text;
        if (told.includes('Ready to accept connections')) resolve();
      });
      child.on('exit', () => reject(new Error(`redis-server ended: ${told}`)));
    });
  }

  /** Ends it as a power cut would: kept when it is gone. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** It takes connections and answers nothing; `false` lets it go on. */
  freeze(isFrozen: boolean): void {
    this.#process?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves with the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
