/** Commands and flags that an older version had, each with what does the same now. */

type RemovedWord = readonly [was: string, instead: string];

/** The command, then the flag. One line in the changelog belongs to each row. */
export const REMOVED: readonly RemovedWord[] = [
  ['meet', 'use "run FILE"'],
  ['replay', 'use "verify JOURNAL"'],
  ['stats', 'use "report JOURNALS"'],
  ['tables', 'use "report JOURNALS"'],
  ['deduce', 'use "report JOURNALS"'],
];

/** What to use instead of a removed command, or of a removed flag of one; null where it was none. */
export function findReplacement(words: readonly string[]): string | null {
  const was = words.join(' ');
  return REMOVED.find(([name]) => name === was)?.[1] ?? null;
}
