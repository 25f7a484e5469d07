/** Journal files: where a new journal goes, what is never overwritten, and what is left when writing fails. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readJournal } from '../actors/engine/journal/reader.ts';
import { FileSink } from '../actors/engine/journal/sink.ts';
import { createFailure, describeSystemError, EXIT, type Failure } from './exit.ts';

export type JournalFile = {
  readonly path: string;
  readonly sink: FileSink;
  /** The folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
};

/** Opens a file for a new journal. A journal may be overwritten, any other file is left alone. */
export function createJournal(path: string): JournalFile {
  refuseForeign(path, '--out');
  return opened(path, () => new FileSink(path));
}

/** Throws where another file is that must not be overwritten; `option` is what named it. */
export function refuseForeign(path: string, option: string): void {
  if (!isForeign(path)) return;
  throw createFailure(
    EXIT.cannotWrite,
    'output/not-a-journal',
    `${path} is there already and is no journal: choose another ${option}, or remove it`,
  );
}

/** Opens a new file in a folder, with -2, -3 … behind its name when others have it already. */
export function createJournalIn(folder: string, name: string): JournalFile {
  for (let copy = 1; ; copy++) {
    const path = `${folder}/${name}${copy === 1 ? '' : `-${copy}`}.jsonl`;
    try {
      return opened(path, () => {
        // Nobody else who looks for a free name at the same time can get this one.
        closeSync(openSync(path, 'wx'));
        return new FileSink(path);
      });
    } catch (error) {
      if (!existsSync(path)) throw error;
    }
  }
}

function opened(path: string, open: () => FileSink): JournalFile {
  const folders: string[] = [];
  try {
    folders.push(...foldersMade(dirname(path)));
    return { path, sink: open(), folders };
  } catch (error) {
    removeFolders(folders);
    throw cannotWrite(path, error);
  }
}

/**
 * Makes a folder and those that it lies in; returns the ones that were not there. One by one: asked for all at once,
 * Node 24 never returns where the system takes no folders, as in /proc.
 */
export function foldersMade(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let inner = resolve(folder); !existsSync(inner); inner = dirname(inner)) {
    missing.unshift(inner);
  }
  for (const [index, inner] of missing.entries()) {
    try {
      mkdirSync(inner);
    } catch (error) {
      removeFolders(missing.slice(0, index));
      throw error;
    }
  }
  return missing;
}

function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody else has put something in it.
    }
  }
}

/** What a journal that could not be written to its end leaves behind: the file if a reader can use it, else nothing. */
export function abandoned({ path, sink, folders }: JournalFile): Failure {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile && readJournal(readFileSync(path, 'utf8')).lines.length > 0) {
    return cannotWrite(path, sink.failure, '; what was written before is kept');
  }
  if (isFile) rmSync(path, { force: true });
  removeFolders(folders);
  return cannotWrite(path, sink.failure);
}

function cannotWrite(path: string, error: unknown, rest = ''): Failure {
  const text = `the journal can't be written to ${path}: ${describeSystemError(error)}${rest}`;
  return createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
}

/** Whether a regular file is there that has something in it and does not begin like a journal. */
export function isForeign(path: string): boolean {
  try {
    const status = statSync(path);
    if (!status.isFile() || status.size === 0) return false;
    const header = beginning(path);
    return !header.includes('"type":"match.opened"');
  } catch {
    return false;
  }
}

/** The header of a journal fits into this. */
const HEADER_BYTES = 1024 * 1024;

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
