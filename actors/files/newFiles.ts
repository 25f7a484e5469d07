import { basename, dirname, join, resolve } from 'node:path';
import { parseJson, readField } from '../../machines/text.ts';
import { AheadFile } from '../engine/journal/aheadFile.ts';
import { readJournal } from '../engine/journal/reader.ts';
import { FileSink } from '../engine/journal/sink.ts';
import { gameSeed, journalName } from '../jobs/gameJob.ts';
import { isAbandoned, isPartial, realDisk } from '../ports/disk.ts';
import { createFailure, EXIT, type Failure, noteFile, refuseToWrite } from './failure.ts';
import { findEntry, isThere, openBundleFile, readStart, sizeOf } from './openFiles.ts';

export type JournalFile = {
  readonly path: string;
  readonly sink: FileSink;
  readonly folders: readonly string[];
};

/** Opens a file for a new journal. An existing file is refused, unless it is the same game played `again`. */
export function createJournal(path: string, again = false): JournalFile {
  refuseForeign(path, '--out');
  if (!again) refuseOverJournal(path);
  return openJournalFile(path, () => new FileSink(path));
}

export function refuseForeign(path: string, option: string): void {
  if (!isForeign(path)) return;
  throw createFailure(
    EXIT.cannotWrite,
    'output/not-a-journal',
    `${path} exists and is no journal: choose another ${option}, or remove the file`,
  );
}

/** Null if the journal is no plain file, as /dev/null. */
export function openAhead(path: string, goesOn: boolean): AheadFile | null {
  if (findEntry(path) !== 'file') return null;
  const file = new AheadFile(path, goesOn);
  file.onFailure = (reason) => {
    const text = `answers can't be written ahead of the journal, to ${path}.ahead (${reason}): if this process is killed, those of an open tick are asked for again`;
    noteFile(text);
  };
  return file;
}

/** Opens a new file in a folder, with -2, -3 … behind its name when others have it already. */
export function createJournalIn(folder: string, name: string): JournalFile {
  for (let copy = 1; ; copy++) {
    const path = `${folder}/${name}${copy === 1 ? '' : `-${copy}`}.jsonl`;
    try {
      return openJournalFile(path, () => {
        // Another program that looks for a free name at the same time cannot get this one.
        realDisk.open(path, 'exclusive').close();
        return new FileSink(path);
      });
    } catch (error) {
      if (!isThere(path)) throw error;
    }
  }
}

function openJournalFile(path: string, open: () => FileSink): JournalFile {
  const folders: string[] = [];
  try {
    folders.push(...makeFolders(dirname(path)));
    return { path, sink: open(), folders };
  } catch (error) {
    removeFolders(folders);
    throw refuseToWrite(path, error, 'the journal');
  }
}

/** Returns the new ones. Node's recursive option never returns where the system refuses folders, as in /proc. */
function makeFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let inner = resolve(folder); !isThere(inner); inner = dirname(inner)) missing.unshift(inner);
  for (const [index, inner] of missing.entries()) {
    try {
      realDisk.addFolder(inner);
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
      realDisk.removeFolder(folder);
    } catch {
      // Another program has put something in it.
    }
  }
}

export function abandonJournal({ path, sink, folders }: JournalFile): Failure {
  const start = readStart(path, HEADER_BYTES);
  if (start !== null && readJournal(start).lines.length > 0)
    return refuseToWrite(path, sink.failure, 'the journal', '; the file keeps the lines before');
  if (start !== null) realDisk.remove(path);
  removeFolders(folders);
  return refuseToWrite(path, sink.failure, 'the journal');
}

function isForeign(path: string): boolean {
  return sizeOf(path) > 0 && !readHeader(path).includes('"type":"match.opened"');
}

function readHeader(path: string): string {
  // UTF-16 is these letters with zeros between them.
  const start = readStart(path, HEADER_BYTES)?.replaceAll('\0', '').trimStart() ?? '';
  return start.split('\n', 1)[0] ?? '';
}

const HEADER_BYTES = 1024 * 1024;

export function newRunFolder(folder: string, name: string): string {
  for (let copy = 1; ; copy++) {
    const path = `${folder}/${name}${copy === 1 ? '' : `-${copy}`}`;
    try {
      makeFolders(dirname(path));
      realDisk.addFolder(path);
      return path;
    } catch (error) {
      if (!isThere(path)) throw refuseFolder(path, error);
    }
  }
}

/** Journals of the same names are written anew. Other files are refused. */
export function namedRunFolder(path: string, games: number): string {
  try {
    makeFolders(path);
    refuseOtherFiles(path, realDisk.list(path), games);
  } catch (error) {
    throw error instanceof Error && 'exit' in error ? error : refuseFolder(path, error);
  }
  return path;
}

type RunSeeds = { readonly seed: number; readonly games: number };

/** Locks a folder; the returned function unlocks it. Refuses one in use, and one with games of another seed. */
export async function claimRunFolder(path: string, run: RunSeeds): Promise<() => void> {
  namedRunFolder(path, run.games);
  // One game has one file, and leaves no lock behind when it is killed and resumed.
  const unlock = run.games === 1 ? () => {} : await lockRunFolder(path);
  if (unlock === null) {
    const text = `another run is writing to ${path}: wait until it is over, or choose another --out`;
    throw createFailure(EXIT.cannotWrite, 'output/running', text);
  }
  const other = findOtherGame(path, run);
  if (other === null) return unlock;
  unlock();
  const text = `${path} holds games of another run: ${other}. They would be written over: choose another --out, or remove them`;
  throw createFailure(EXIT.cannotWrite, 'output/other-run', text);
}

const LOCK = '.running';

async function lockRunFolder(path: string): Promise<(() => void) | null> {
  const { lockFile } = await import('../stores/sqlite.ts');
  try {
    return lockFile(`${path}/${LOCK}`);
  } catch (error) {
    throw refuseFolder(path, error);
  }
}

function findOtherGame(path: string, { seed, games }: RunSeeds): string | null {
  for (const name of realDisk.list(path)) {
    const game = Number.parseInt(name, 10);
    if (name !== journalName(game, games)) continue;
    const found = readField(parseJson(readHeader(`${path}/${name}`)), 'seed');
    const own = gameSeed(seed, game);
    if (typeof found === 'number' && found !== own) return `${name} has seed ${found}, not ${own}`;
  }
  return null;
}

function refuseOtherFiles(path: string, names: readonly string[], games: number): void {
  const foreign = names.find((name) => !name.startsWith(LOCK) && !isOurs(path, name, games));
  if (foreign === undefined) return;
  const text = `${path} is there already with ${JSON.stringify(foreign)} in it, which this run would not write: choose another --out, or remove it`;
  throw createFailure(EXIT.cannotWrite, 'output/not-a-run', text);
}

function isOurs(folder: string, name: string, games: number): boolean {
  const game = Number.parseInt(name, 10);
  if (!(game >= 1 && game <= games) || name !== journalName(game, games)) return false;
  const path = `${folder}/${name}`;
  return findEntry(path) === 'file' && !isForeign(path);
}

export function refuseFolder(path: string, error: unknown): Failure {
  return refuseToWrite(path, error, 'the journals');
}

/** Refuses to write over a journal: it is a record, and can't be made again. */
export function refuseOverJournal(path: string, inputs: readonly string[] = []): void {
  const isInput = inputs.some((input) => input !== '-' && resolve(input) === resolve(path));
  const isJournal = findEntry(path) === 'file' && sizeOf(path) > 0 && !isForeign(path);
  const isPacked = PACKED.some((sign) => readStart(path, KIND_LETTERS)?.startsWith(sign));
  if (!isInput && !isJournal && !isPacked) return;
  const what = isPacked ? 'packed, as a journal may be' : 'a journal';
  const text = `${path} is ${what}, which is not written over: choose another name, or remove it`;
  throw createFailure(EXIT.cannotWrite, 'output/is-a-journal', text);
}

/** How gzip and zstd begin, read as text. */
const PACKED = ['\u001f\ufffd', '(\ufffd/\ufffd'];

/** Says before any work whether an output that begins with `start` can be written to a file. */
export function refuseOtherKind(path: string, start: string, force = false): void {
  refuseOverJournal(path);
  const found = sizeOf(path) > 0 ? readStart(path, KIND_LETTERS) : null;
  if (force || found === null || found === start.slice(0, KIND_LETTERS)) return;
  const text = `${path} is there and was not written by this command: choose another name, or write over it with --force`;
  throw createFailure(EXIT.cannotWrite, 'output/other-kind', text);
}

/** Enough letters to tell a page, a picture, XML and a chart apart. */
const KIND_LETTERS = 4;

/** Replaces a file in one step, so a full disk or a kill leaves the old one. Devices and pipes are written to directly. */
export async function writeOutput(
  path: string,
  content: string | Uint8Array,
  { what, force }: { readonly what: string; readonly force?: boolean | undefined },
): Promise<void> {
  const bytes = Buffer.from(content);
  refuseOtherKind(path, bytes.toString('utf8', 0, KIND_LETTERS), force);
  if (['pipe', 'device'].includes(findEntry(path))) writeText(path, bytes, what);
  else await writeBytes(path, bytes, what);
}

export type WrittenFile = { readonly path: string; readonly wasThere: boolean };

async function writeBytes(path: string, bytes: Uint8Array, what: string): Promise<void> {
  const entry = findEntry(path);
  try {
    if (entry !== 'nothing' && entry !== 'file')
      throw new Error('something other than a file is there');
    removeAbandoned(path);
    await realDisk.save(path, [bytes]);
  } catch (error) {
    throw refuseToWrite(path, error, what);
  }
}

function removeAbandoned(path: string): void {
  const folder = dirname(path);
  for (const name of isThere(folder) ? realDisk.list(folder) : []) {
    if (name.startsWith(`${basename(path)}.`) && isPartial(name) && isAbandoned(name))
      realDisk.remove(join(folder, name));
  }
}

/** Writes to `STEM.ENDING`, or with -2, -3 … behind the stem where files of other content have that name. */
export async function writeBeside(
  stem: string,
  ending: string,
  content: string | Uint8Array,
  what: string,
): Promise<WrittenFile> {
  const bytes = Buffer.from(content);
  for (let copy = 1; ; copy++) {
    const path = `${stem}${copy === 1 ? '' : `-${copy}`}.${ending}`;
    if (isThere(path)) {
      if (sizeOf(path) === bytes.length && bytes.equals(await openBundleFile(path)))
        return { path, wasThere: true };
      continue;
    }
    writeText(path, '', what, 'exclusive');
    await writeBytes(path, bytes, what);
    return { path, wasThere: false };
  }
}

function writeText(
  path: string,
  text: string | Uint8Array,
  what: string,
  mode: 'new' | 'exclusive' = 'new',
): void {
  try {
    const file = realDisk.open(path, mode);
    try {
      file.write(text);
    } finally {
      file.close();
    }
  } catch (error) {
    throw refuseToWrite(path, error, what);
  }
}

export function resultPathOf(path: string): string | null {
  const stem = stemOf(path);
  return stem === null ? null : `${stem}.why.json`;
}

export function stemOf(path: string): string | null {
  if (path === '-' || findEntry(path) !== 'file') return null;
  return path.replace(/\.jsonl(?:\.gz|\.zst)?$/, '');
}
