/** Failures of a command: a sentence with the expectation, the finding and the fix; a stable code; an exit status. */

import type { Note } from '../../machines/types.ts';

/** Exit statuses, as in sysexits.h where it has one. */
export const EXIT = {
  done: 0,
  /** Something was looked for and found: a difference, a violation. */
  found: 1,
  usage: 2,
  unusable: 3,
  /** Nothing was found, and that says too little: a property that never applied, a part of the chart never reached. */
  gate: 4,
  /** A budget ended the search before it was closed. */
  incomplete: 5,
  damaged: 65,
  noInput: 66,
  unreachable: 69,
  internal: 70,
  cannotWrite: 73,
  configuration: 78,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class Failure extends Error {
  readonly notes: readonly Note[];
  readonly exit: ExitCode;
  /** Problems that were counted, beyond those that the notes describe. */
  readonly unlisted: number;

  constructor(exit: ExitCode, notes: readonly Note[], unlisted = 0) {
    super(notes.map(({ text }) => text).join('\n'));
    this.notes = notes;
    this.exit = exit;
    this.unlisted = unlisted;
  }
}

export function createFailure(exit: ExitCode, code: string, text: string): Failure {
  return new Failure(exit, [{ code, text }]);
}

export type PlainFailure = Pick<Failure, 'exit' | 'notes' | 'unlisted'>;

export function toPlainFailure({ exit, notes, unlisted }: Failure): PlainFailure {
  return { exit, notes, unlisted };
}

export function fromPlainFailure({ exit, notes, unlisted }: PlainFailure): Failure {
  return new Failure(exit, notes, unlisted);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'something else is there already',
  EFBIG: 'the file would be larger than is allowed',
  EIO: 'the device does not answer',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is no folder',
  ENXIO: 'there is no reader at the other end',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
};

export function describeSystemError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [code = ''] = /^E[A-Z0-9]+(?=[:,])/.exec(message) ?? [];
  return REASONS[code] ?? message;
}

/** Characters of a word from outside that a sentence shows; of a longer one, the beginning and the end. */
const LONGEST_WORD = 300;
const WORD_END = 50;

export function shorten(word: string): string {
  if (word.length <= LONGEST_WORD) return word;
  return `${word.slice(0, LONGEST_WORD / 2)}…${word.slice(-WORD_END)}`;
}

export function nameOf(path: string): string {
  if (path === '-') return 'standard input';
  const name = shorten(path);
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}

export function refuseToWrite(path: string, error: unknown, what: string, rest = ''): Failure {
  const why = `cannot write ${what} to ${nameOf(path)}: ${describeSystemError(error)}${rest}`;
  return createFailure(EXIT.cannotWrite, 'output/cannot-write', why);
}

export function writeOrRefuse<T>(path: string, what: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw refuseToWrite(path, error, what);
  }
}

/** Tells people on standard error, in visible characters, what happens to a file. */
export function noteFile(text: string): void {
  process.stderr.write(`${text.replace(/[\p{Cc}\p{Cf}]/gu, '')}\n`);
}
