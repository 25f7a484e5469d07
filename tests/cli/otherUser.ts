/**
 * Runs command lines twice, as this user with one store and as a user without rights with another, and prints a line of
 * JSON for each.
 *
 * Words: both stores, then for each command line a JSON array. The first time loads all modules, since the other user may
 * not be able to read the sources.
 */
import { createProgram, runCommandLine } from '../../cli/glassbox.ts';
import type { Finished } from './shell.ts';

/** What came of a command line. */
export type TriedTwice = {
  readonly words: readonly string[];
  readonly mine: Finished;
  readonly theirs: Finished;
};

const NOBODY = 65_534;

async function run(words: readonly string[]): Promise<Finished> {
  const printed = { out: '', err: '' };
  const { stdout, stderr } = process;
  const [out, err] = [stdout.write, stderr.write];
  const catching = (side: 'out' | 'err') => (text: string | Uint8Array) => {
    printed[side] += String(text);
    return true;
  };
  Object.assign(stdout, { write: catching('out') });
  Object.assign(stderr, { write: catching('err') });
  process.exitCode = 0;
  try {
    const exit = await runCommandLine(words, await createProgram());
    return { ...printed, exit };
  } finally {
    Object.assign(stdout, { write: out });
    Object.assign(stderr, { write: err });
    process.exitCode = 0;
  }
}

const [own = '', other = '', ...texts] = process.argv.slice(2);
const lines: readonly (readonly string[])[] = texts.map((text) => JSON.parse(text));
const mine: Finished[] = [];
for (const words of lines) mine.push(await run([...words, '--store', own]));
// Without rights of our own to change it, the rights of files hold for us already.
if (process.getuid?.() === 0) process.setuid?.(NOBODY);
for (const [index, words] of lines.entries()) {
  const theirs = await run([...words, '--store', other]);
  process.stdout.write(`${JSON.stringify({ words, mine: mine[index], theirs })}\n`);
}
