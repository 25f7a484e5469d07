/**
 * A session runs command lines one after the other in its own process, which starts only once.
 *
 * Use it for the output of a command. Use `glassbox` for properties of a process, such as signals and pipes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { tieToThisProcess } from '../support/tied.ts';
import { ENVIRONMENT, type Finished, type Surroundings } from './shell.ts';

const PROCESS = fileURLToPath(new URL('./sessionProcess.ts', import.meta.url));

const begun: ChildProcess[] = [];
afterAll(async () => {
  const ends = begun.map((child) => child.exitCode ?? once(child, 'exit'));
  for (const child of begun) child.stdin?.end();
  await Promise.all(ends);
});

type Place = Partial<Pick<Surroundings, 'cwd' | 'env'>>;

/** Runs a command line, optionally in another folder and with additional variables. */
export type Session = (args: readonly string[], place?: Place) => Promise<Finished>;

/** Begins a session. Its process ends with the tests of the file. */
export function beginSession({ cwd, env = {} }: Place = {}): Session {
  const child = spawn(process.execPath, [PROCESS], { cwd, env: { ...ENVIRONMENT, ...env } });
  begun.push(child);
  tieToThisProcess(child);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  return (args, place = {}) => {
    const finished = last.then(async () => {
      child.stdin.write(`${JSON.stringify({ args, ...place })}\n`);
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
 * A few sessions for all command lines of a file. Each command line gets a free session and must not wait for another
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
  return async (args, place) => {
    const session = await take();
    try {
      return await session(args, place);
    } finally {
      const next = waiting.shift();
      if (next === undefined) idle.push(session);
      else next(session);
    }
  };
}

/** Runs `glassbox` like the function in `shell.ts`, but in a process that has run other commands before. */
export const warmGlassbox: Session = keepWarm();

/** The same with this folder and these variables. */
export function warmIn(home: Place): Session {
  return (args, place) => warmGlassbox(args, { ...home, ...place });
}
