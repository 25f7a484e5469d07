/**
 * A shell for the tests: runs the real command in a real process, in a temporary folder.
 *
 * Nothing here waits for a fixed time. A test waits for a line, or for the end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { tieToThisProcess } from '../support/tied.ts';

const PROGRAM = fileURLToPath(new URL('../../cli/glassbox.ts', import.meta.url));
/** The folder of the run (tests/setup.ts) is removed at its end, and so are the folders in it. */
const ROOT = mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'cli-'));
/** The environment of a user, without settings for colours and without npm. */
const {
  FORCE_COLOR: _colour,
  npm_lifecycle_event: _event,
  npm_command: _command,
  INIT_CWD: _cwd,
  ...rest
} = process.env;
export const ENVIRONMENT = rest;

/** The words of a command line, or the line itself where no word has a space in it. */
export type CommandWords = string | readonly string[];
export const wordsOf = (line: CommandWords) => (typeof line === 'string' ? line.split(' ') : line);

export type Finished = {
  /** Null when a signal ended the process. */
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
};

export type Surroundings = {
  readonly cwd: string;
  readonly input: string | Buffer;
  readonly env: Readonly<Record<string, string>>;
  /** A program to run instead of `glassbox`. */
  readonly program: string;
};

let folders = 0;

export function aFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = join(ROOT, String(folders++));
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export function contents(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

export function glassbox(
  line: CommandWords,
  surroundings: Partial<Surroundings> = {},
): Promise<Finished> {
  return new Running(line, surroundings).finished;
}

/** Runs a line of a real shell, where $GLASSBOX is the command. */
export function sh(line: string, cwd: string): Promise<Finished> {
  return new Running(['-c', line], {
    cwd,
    program: '/bin/sh',
    env: { GLASSBOX: `${process.execPath} ${PROGRAM}` },
  }).finished;
}

export class Running {
  readonly finished: Promise<Finished>;
  readonly process: ChildProcess;
  #out = '';
  #err = '';
  readonly #waiting = new Set<() => void>();

  constructor(
    line: CommandWords,
    { cwd = ROOT, input = '', env = {}, program }: Partial<Surroundings> = {},
  ) {
    const args = wordsOf(line);
    const [file, ...words] =
      program === undefined ? [process.execPath, PROGRAM, ...args] : [program, ...args];
    const child = spawn(file, words, { cwd, env: { ...ENVIRONMENT, ...env } });
    this.process = child;
    tieToThisProcess(child);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text;
      this.#tell();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text;
      this.#tell();
    });
    this.finished = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exit) => resolve({ exit, out: this.#out, err: this.#err }));
    });
  }

  get out(): string {
    return this.#out;
  }

  get err(): string {
    return this.#err;
  }

  /** Waits until the words appear on either stream or the command ends. */
  async said(words: string): Promise<void> {
    const heard = new Promise<null>((resolve) => {
      const look = () => {
        if (!this.#out.includes(words) && !this.#err.includes(words)) return;
        this.#waiting.delete(look);
        resolve(null);
      };
      this.#waiting.add(look);
      look();
    });
    const ended = await Promise.race([heard, this.finished]);
    if (ended !== null) throw new Error(`"${words}" was never said: ${JSON.stringify(ended)}`);
  }

  /** Sends signals that arrive together, because the process sleeps meanwhile. */
  signal(...signals: readonly NodeJS.Signals[]): void {
    this.process.kill('SIGSTOP');
    for (const signal of signals) this.process.kill(signal);
    this.process.kill('SIGCONT');
  }

  #tell(): void {
    for (const look of this.#waiting) look();
  }
}

/** Runs a command line at a terminal; the number of its process is in the file "pid". */
export function runInTerminal(line: string, cwd: string): Running {
  const script = `echo $$ > pid; exec ${process.execPath} ${PROGRAM} ${line}`;
  return new Running(['-qec', script, '/dev/null'], { cwd, program: 'script' });
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Matches a printed failure: the message with its code last, in brackets. */
export function failureLine(words: string): RegExp {
  const { code, text } = /^(?<code>[a-z]+\/[a-z-]+): (?<text>.*)$/s.exec(words)?.groups ?? {};
  if (code === undefined) return new RegExp(literal(words));
  return new RegExp(`glassbox: ${literal(text ?? '')}.*\\[${code}\\]`);
}

/** Expects an exit status, and these on standard error: words, or a failure as "code: words". */
export function expectEnd(
  { exit, err }: Finished,
  status: number,
  ...words: readonly (string | RegExp)[]
): void {
  expect(exit, err).toBe(status);
  for (const part of words)
    expect(err).toMatch(typeof part === 'string' ? failureLine(part) : part);
}

/** Expects success without a word on standard error; returns what was printed. */
export function expectQuiet({ exit, out, err }: Finished): string {
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  return out;
}

export function jsonLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export function unpacked(page: string): string {
  const packed = /id="journal">([^<]*)</.exec(page)?.[1] ?? '';
  return gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
}
