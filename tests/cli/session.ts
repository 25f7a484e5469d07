/**
 * A session runs command lines one after the other in its own process, which starts only once.
 *
 * Use it for the output of a command. Use `glassbox` for properties of a process, such as signals and pipes.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { tieToThisProcess } from '../support/tied.ts';
import {
  aFolder,
  type CommandWords,
  ENVIRONMENT,
  type Finished,
  type Surroundings,
  wordsOf,
} from './shell.ts';

const PROCESS = fileURLToPath(new URL('./sessionProcess.ts', import.meta.url));

type Surrounding = Partial<Pick<Surroundings, 'cwd' | 'env'>>;

/** Runs a command line, optionally in another folder and with additional variables. */
export type Session = (line: CommandWords, place?: Surrounding) => Promise<Finished>;

/** Begins a session. Its process ends with this one, and all files that share this one share the session. */
function beginSession({ cwd, env = {} }: Surrounding = {}): Session {
  const child = spawn(process.execPath, [PROCESS], { cwd, env: { ...ENVIRONMENT, ...env } });
  tieToThisProcess(child);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  return (line, { cwd, env } = {}) => {
    const args = wordsOf(line);
    const finished = last.then(async () => {
      child.stdin.write(`${JSON.stringify({ args, cwd, env })}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`the session ended at ${args.join(' ')}: ${err}`);
      return JSON.parse(value);
    });
    last = finished;
    return finished;
  };
}

/** All sessions start at the same time, and each costs a process, so there are few. */
const MOST_WARM = 2;

/**
 * A few sessions for all command lines of this process. Each command line gets a free session and must not wait for another
 * one.
 */
function keepWarm(): Session {
  const idle: Session[] = [];
  const waiting: ((session: Session) => void)[] = [];
  let count = 0;
  const take = async (): Promise<Session> => {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (count === MOST_WARM) return await new Promise((resolve) => waiting.push(resolve));
    count += 1;
    return beginSession();
  };
  return async (line, place) => {
    const session = await take();
    try {
      return await session(line, place);
    } finally {
      const next = waiting.shift();
      if (next === undefined) idle.push(session);
      else next(session);
    }
  };
}

/** Runs `glassbox` like the function in `shell.ts`, but in a process that has run other commands before. */
export const warmGlassbox: Session = keepWarm();

type Files = Parameters<typeof aFolder>[0];

/** A folder with files in it, for commands that run there with these variables, in a warm process. */
export function aPlace(files: Files = {}, env: Surroundings['env'] = {}) {
  const cwd = aFolder(files);
  const run = (line: CommandWords, more: Surroundings['env'] = {}) =>
    warmGlassbox(line, { cwd, env: { ...env, ...more } });
  return {
    cwd,
    env,
    run,
    /** Runs a command line that must succeed; returns what it prints. */
    done: async (line: CommandWords, more: Surroundings['env'] = {}) => {
      const { exit, out, err } = await run(line, more);
      expect(exit, err).toBe(0);
      return out;
    },
    path: (name: string) => join(cwd, name),
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
    write: (name: string, text: string | Buffer) => writeFileSync(join(cwd, name), text),
  };
}
export type Place = ReturnType<typeof aPlace>;
