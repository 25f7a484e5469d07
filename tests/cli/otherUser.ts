/**
 * Runs command lines twice, as this user with one store and as a user without rights with another, and prints a line
 * of JSON for each.
 *
 * Arguments: both stores, then a JSON array for each command line. The first pass loads all modules, since the other
 * user may be unable to read the sources.
 */
import { runCaught } from './caught.ts';
import type { Finished } from './shell.ts';

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
// Without root, file permissions already apply.
if (process.getuid?.() === 0) process.setuid?.(NOBODY);
for (const [index, words] of lines.entries()) {
  const theirs = await runCaught([...words, '--store', other]);
  process.stdout.write(`${JSON.stringify({ words, mine: mine[index], theirs })}\n`);
}
