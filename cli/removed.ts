/** Removed commands and flags, each with its replacement. */

type RemovedWord = readonly [was: string, instead: string];

/** The command, then the flag. One line in the changelog belongs to each row. */
export const REMOVED: readonly RemovedWord[] = [
  ['meet', 'use "run FILE", or "run electrical" for the demonstration'],
  ['complete', 'use "completion"'],
  ['run --config', 'use "run FILE"'],
  ['run --play', 'use "play", with "--as COLOUR" for a seat'],
  ['run --terminal', 'use "play --terminal"'],
  ['run --think', 'use "play --think SECONDS"'],
  ['replay', 'use "verify JOURNAL"'],
  ['stats', 'use "report --stats JOURNALS"'],
  ['tables', 'use "report --tables JOURNALS --out FOLDER"'],
  ['deduce', 'use "report --deduce JOURNALS"'],
  ['export --format', 'for Inspect run examples/inspect.py on the tables of "report --tables"'],
  ['export --send', 'write the tables with "report --tables"'],
  ['export --start', 'write the tables with "report --tables"'],
  ['export --prices', 'use "report --stats --prices FILE"'],
  ['league verify', 'use "verify LEAGUE"'],
  ['check --journal', 'use "verify JOURNAL"'],
  ['check --selftest', 'the tests of the checker package do it'],
  ['check --workers', 'one thread searches: leave it out, or use "--combinations folded"'],
  ['check --checkpoint', 'search once, with a greater --max-states or --max-seconds'],
  ['check --resume', 'search once, with a greater --max-states or --max-seconds'],
  ['check --sarif', 'use --json or --junit'],
];

/** What to use instead of a removed command, or of a removed flag of one; null where it was none. */
export function findReplacement(words: readonly string[]): string | null {
  const was = words.join(' ');
  return REMOVED.find(([name]) => name === was)?.[1] ?? null;
}
