/**
 * Failures of a command: a sentence, a stable code and an exit status.
 *
 * Whatever comes from outside may be wrong. The sentence says what was expected, what was found and what to do.
 */
import type { Note } from '../machines/types.ts';

/** Exit statuses, as in sysexits.h where it has one. */
export const EXIT = {
  done: 0,
  /** Something was looked for and found: a difference, a violation. */
  found: 1,
  usage: 2,
  /** Input data is damaged. */
  damaged: 65,
  /** An input file can't be opened. */
  noInput: 66,
  /** A mistake of this program. */
  internal: 70,
  cannotWrite: 73,
  configuration: 78,
  interrupted: 130,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

export class Failure extends Error {
  readonly notes: readonly Note[];
  readonly exit: Exit;

  constructor(exit: Exit, notes: readonly Note[]) {
    super(notes.map(({ text }) => text).join('\n'));
    this.notes = notes;
    this.exit = exit;
  }
}

export function failure(exit: Exit, code: string, text: string): Failure {
  return new Failure(exit, [{ code, text }]);
}

/** What the operating system says, in words for people. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is no folder',
    ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only',
  };
  return known[code] ?? (error instanceof Error ? error.message : String(error));
}
