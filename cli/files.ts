/** Files of the command line: what is read, what is written, and what is never overwritten. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Journal, readJournal } from '../actors/journal/reader.ts';
import { FileSink } from '../actors/journal/sink.ts';
import { EXIT, failure, reasonOf } from './failure.ts';

/** Longer files than this can't be held in one string. */
const LARGEST = 400 * 1024 * 1024;
const STANDARD_INPUT = '-';

/** The text of a file, or of standard input for "-". */
export function readText(path: string, what: string): string {
  try {
    if (path !== STANDARD_INPUT && statSync(path).size > LARGEST) {
      throw failure(
        EXIT.damaged,
        'input/too-large',
        `${path} is larger than ${LARGEST} bytes: is this ${what}?`,
      );
    }
    return readFileSync(path === STANDARD_INPUT ? 0 : path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'notes' in error) throw error;
    throw failure(
      EXIT.noInput,
      'input/cannot-read',
      `expected ${what} at ${path}, found that ${reasonOf(error)}`,
    );
  }
}

/** A journal, with its damages; refused when not a line of it can be used. */
export function openJournal(path: string): Journal {
  const journal = readJournal(readText(path, 'a journal'));
  const [damage] = journal.damages;
  if (journal.lines.length === 0 && damage !== undefined) {
    throw failure(EXIT.damaged, damage.code, `${path}: ${damage.text}`);
  }
  return journal;
}

/** Opens a file for a new journal. A journal may be overwritten, any other file is left alone. */
export function createJournal(path: string): FileSink {
  if (isForeign(path)) {
    throw failure(
      EXIT.cannotWrite,
      'output/not-a-journal',
      `${path} is there already and is no journal: choose another --out, or remove it`,
    );
  }
  try {
    mkdirSync(dirname(path), { recursive: true });
    return new FileSink(path);
  } catch (error) {
    throw failure(
      EXIT.cannotWrite,
      'output/cannot-write',
      `the journal can't be written to ${path}: ${reasonOf(error)}`,
    );
  }
}

/** A path that is free: with -2, -3 … before the ending when the first choice is taken. */
export function freePath(stem: string, ending: string): string {
  for (let copy = 1; ; copy++) {
    const path = copy === 1 ? `${stem}${ending}` : `${stem}-${copy}${ending}`;
    if (!existsSync(path)) return path;
  }
}

export function discard(path: string): void {
  rmSync(path, { force: true });
}

/** Whether a regular file is there that has something in it and does not begin like a journal. */
function isForeign(path: string): boolean {
  try {
    const status = statSync(path);
    if (!status.isFile() || status.size === 0) return false;
    return !beginning(path).includes('"type":"journal.opened"');
  } catch {
    return false;
  }
}

/** The header of a journal fits into this. */
const HEADER_BYTES = 256 * 1024;

function beginning(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    const length = readSync(file, bytes, 0, HEADER_BYTES, 0);
    return bytes.toString('utf8', 0, length).split('\n')[0] ?? '';
  } finally {
    closeSync(file);
  }
}
