/**
 * Runs command lines twice, as this user with one store and as a user without rights with another, and prints a line of
 * JSON for each.
 *
 * Words: both stores, then for each command line a JSON array. The first time loads all modules, since the other user may
 * not be able to read the sources.
 */
import { runCaught } from './caught.ts';
import type { Finished } from './shell.ts';

/** What came of a command line. */
export type TriedTwice = {
  readonly words: readonly string[];
  readonly mine: Finished;
  readonly theirs: Finished;
};

const NOBODY = 65_534;

const [own = '', other = '', ...texts] = process.argv.slice(2);
const lines: readonly (readonly string[])[] = texts.map((text) => JSON.parse(text));
const mine: Finished[] = [];
for (const words of lines) mine.push(await runCaught([...words, '--store', own]));
// Without rights of our own to change it, the rights of files hold for us already.
if (process.getuid?.() === 0) process.setuid?.(NOBODY);
for (const [index, words] of lines.entries()) {
  const theirs = await runCaught([...words, '--store', other]);
  process.stdout.write(`${JSON.stringify({ words, mine: mine[index], theirs })}\n`);
}
