/**
 * The only code that inspects and reads outside paths, where anything may be. Looking never throws and never waits.
 * Reading takes regular files and pipes, unpacks gzip and zstd, and throws `Unreadable` for everything else.
 */
import { isAscii } from 'node:buffer';
import * as fs from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** The entry at a path, with links resolved. `bytes` may exceed exact integers, and is wrong for /proc. */
export type FoundEntry =
  | { readonly type: 'file'; readonly bytes: number }
  | { readonly type: 'folder' | 'pipe' | 'device' | 'socket' | 'nothing' }
  /** The system can't tell: links in a circle, no permission, a name that is too long. */
  | { readonly type: 'hidden'; readonly error: unknown };

export function inspectPath(path: string): FoundEntry {
  try {
    const status = fs.statSync(path, { throwIfNoEntry: false, bigint: true });
    return status === undefined ? { type: 'nothing' } : describeStatus(status);
  } catch (error) {
    return { type: 'hidden', error };
  }
}

/** When a file was written last, in milliseconds since 1970; null where there is none. */
export function readWriteTime(path: string): number | null {
  try {
    const status = fs.statSync(path, { throwIfNoEntry: false });
    return status?.isFile() === true ? status.mtimeMs : null;
  } catch {
    return null;
  }
}

function describeStatus(status: fs.BigIntStats): FoundEntry {
  if (status.isFile()) return { type: 'file', bytes: Number(status.size) };
  if (status.isDirectory()) return { type: 'folder' };
  if (status.isFIFO()) return { type: 'pipe' };
  return { type: status.isSocket() ? 'socket' : 'device' };
}

export function findFiles(pattern: string, folder: string): readonly string[] {
  try {
    const isFile = (path: string) => inspectPath(join(folder, path)).type === 'file';
    return fs.globSync(pattern, { cwd: folder }).filter(isFile).toSorted();
  } catch {
    return [];
  }
}

/** The paths in a folder and its folders: of files, and of links, pipes and devices, which aren't followed. */
export function listFolder(folder: string) {
  const [files, others]: [string[], string[]] = [[], []];
  const list = (path: string): void => {
    for (const entry of fs.readdirSync(join(folder, path), { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) list(inner);
      else (entry.isFile() ? files : others).push(inner);
    }
  };
  list('');
  return { files: files.toSorted(), others: others.toSorted() };
}

export const UNREADABLE = ['cannot-open', 'too-long', 'foreign', 'packing'] as const;

/** Thrown for unreadable input. The message continues "found that". */
export class Unreadable extends Error {
  readonly reason: (typeof UNREADABLE)[number];

  constructor(reason: Unreadable['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

export const NO_FILE: Readonly<Partial<Record<FoundEntry['type'], string>>> = {
  folder: 'it is a folder',
  device: 'it is a device and no file',
  socket: 'it is a socket and no file',
  pipe: 'it is a pipe and no file',
};

/** Waits until another program writes to a named pipe. An unpacked file with more bytes than may be read is refused. */
export async function* readBytes(path: string, mostBytes: number): AsyncGenerator<Uint8Array> {
  refuseEntry(inspectPath(path));
  try {
    yield* openToRead(path, mostBytes);
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('cannot-open', '', error);
  }
}

function refuseEntry(entry: FoundEntry): void {
  if (entry.type === 'hidden') throw new Unreadable('cannot-open', '', entry.error);
  const why = NO_FILE[entry.type];
  if (why !== undefined && entry.type !== 'pipe') throw new Unreadable('cannot-open', why);
}

/**
 * A pipe is opened without waiting and read as a socket is: a thread that waited in the system for a writer could not be
 * called back, and would keep the process from ending.
 */
function openToRead(path: string, mostBytes: number): AsyncIterable<Uint8Array> {
  const file = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  try {
    // The file may have changed since the first look.
    const status = fs.fstatSync(file, { bigint: true });
    refuseEntry(describeStatus(status));
    if (status.isFile() && status.size > mostBytes && !isPacked(file))
      throw createTooLong(mostBytes);
    if (status.isFIFO()) return new Socket({ fd: file, readable: true, writable: false });
    return fs.createReadStream('', { fd: file, highWaterMark: STREAM_BYTES });
  } catch (error) {
    fs.closeSync(file);
    throw error;
  }
}

/** Most journals have no more, and come at one go. */
const STREAM_BYTES = 512 * 1024;

function isPacked(file: number): boolean {
  const start = Buffer.alloc(START_BYTES);
  fs.readSync(file, start, 0, START_BYTES, 0);
  return packingOf(start) !== null;
}

function createTooLong(mostBytes: number): Unreadable {
  return new Unreadable('too-long', `it has more than ${mostBytes} bytes`);
}

const PART_BYTES = 64 * 1024;

/** Null if there is no file. Throws the system's error, or `Unreadable` if it is no plain file: a pipe would block. */
export function readOwnFile(path: string): string | null {
  const entry = inspectPath(path);
  if (entry.type === 'nothing') return null;
  if (entry.type === 'hidden') throw entry.error;
  refuseNoFile(entry);
  if (entry.type === 'file' && entry.bytes > OWN_BYTES) throw createTooLong(OWN_BYTES);
  const file = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  using _closed = { [Symbol.dispose]: () => fs.closeSync(file) };
  refuseNoFile(describeStatus(fs.fstatSync(file, { bigint: true })));
  return fs.readFileSync(file, 'utf8');
}

/** More than any text of ours, and than a string holds. */
const OWN_BYTES = 512 * 1024 * 1024;

export function refuseNoFile({ type }: FoundEntry): void {
  const why = NO_FILE[type];
  if (why !== undefined) throw new Unreadable('cannot-open', why);
}

/** The text of the first bytes of a regular file. Null if it can't be read. */
export function readStart(path: string, most: number): string | null {
  if (inspectPath(path).type !== 'file') return null;
  try {
    const file = fs.openSync(path, 'r');
    using _closed = { [Symbol.dispose]: () => fs.closeSync(file) };
    const bytes = Buffer.alloc(most);
    return bytes.toString('utf8', 0, fs.readSync(file, bytes, 0, most, 0));
  } catch {
    return null;
  }
}

/** Bytes of a regular file up to and including its last line feed, or 0. Throws the system's error. */
export function findLastBreak(path: string): number {
  const file = fs.openSync(path, 'r');
  using _closed = { [Symbol.dispose]: () => fs.closeSync(file) };
  const part = Buffer.alloc(PART_BYTES);
  for (let end = fs.fstatSync(file).size; end > 0; ) {
    const start = Math.max(0, end - PART_BYTES);
    const bytes = fs.readSync(file, part, 0, end - start, start);
    const at = part.subarray(0, bytes).lastIndexOf(LINE_FEED);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

const LINE_FEED = 0x0a;

/** The text in some bytes: unpacked where they are packed, in UTF-8 or, where they say so, in UTF-16. */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let size = 0;
  for await (const part of withStart(unpack(bytes))) {
    decoder ??= new TextDecoder(encodingOf(part));
    size += part.length;
    if (size > mostBytes) throw createTooLong(mostBytes);
    for (const stretch of splitByWidth(part)) yield decoder.decode(stretch, { stream: true });
  }
  if (decoder !== null) yield decoder.decode();
}

/** Splits text into runs of rows in pure ASCII, as most are, which take half the memory and time, and others. */
function* splitByWidth(part: Uint8Array): Generator<Uint8Array> {
  let begin = 0;
  let wasNarrow = true;
  for (let at = 0; at < part.length; ) {
    const feed = part.indexOf(LINE_FEED, at);
    const end = feed < 0 ? part.length : feed + 1;
    const isNarrow = isAscii(part.subarray(at, end));
    if (isNarrow !== wasNarrow && at > begin) {
      yield part.subarray(begin, at);
      begin = at;
    }
    wasNarrow = isNarrow;
    at = end;
  }
  yield part.subarray(begin);
}

const START_BYTES = 16;

/** The same bytes, with a first part long enough to identify the kind. */
async function* withStart(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | null = new Uint8Array();
  for await (const part of parts) {
    if (start === null) {
      yield part;
      continue;
    }
    start = Buffer.concat([start, part]);
    if (start.length < START_BYTES) continue;
    yield start;
    start = null;
  }
  if (start !== null && start.length > 0) yield start;
}

function encodingOf(start: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (beginsWith(start, [0xff, 0xfe])) return 'utf-16le';
  return beginsWith(start, [0xfe, 0xff]) ? 'utf-16be' : 'utf-8';
}

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

const FOREIGN: readonly (readonly [start: string, what: string])[] = [
  ['SQLite format 3\0', 'it is a SQLite database, such as a store: give that with --store'],
  ['\x89PNG', 'it is a picture (PNG)'],
  ['GIF8', 'it is a picture (GIF)'],
  ['\xff\xd8\xff', 'it is a picture (JPEG)'],
  ['%PDF-', 'it is a document (PDF)'],
  ['\x7fELF', 'it is a program'],
  ['PK\x03\x04', 'it is a zip archive: unpack it first'],
  ['BZh91AY&SY', 'it is packed with bzip2: unpack it first'],
  ['\xfd7zXZ\0', 'it is packed with xz: unpack it first'],
  ['\xff\xfe\0\0', 'it is text in UTF-32: write it in UTF-8'],
];

async function* unpack(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts = withStart(bytes);
  const first = await parts.next();
  if (first.done === true) return;
  const start = first.value;
  const whole = (async function* () {
    yield start;
    yield* parts;
  })();
  const packing = packingOf(start);
  if (packing === null) {
    refuseForeign(start, '');
    yield* whole;
    return;
  }
  let isFirst = true;
  for await (const part of withStart(inflate(whole, packing))) {
    if (isFirst && packingOf(part) !== null)
      throw new Unreadable('foreign', 'it is packed twice: unpack it first');
    if (isFirst) refuseForeign(part, ', packed');
    isFirst = false;
    yield part;
  }
}

type Packing = 'gzip' | 'zstd';

function packingOf(start: Uint8Array): Packing | null {
  if (beginsWith(start, GZIP)) return 'gzip';
  return beginsWith(start, ZSTD) ? 'zstd' : null;
}

function refuseForeign(start: Uint8Array, more: string): void {
  const text = Buffer.from(start.subarray(0, START_BYTES)).toString('latin1');
  const found = FOREIGN.find(([begin]) => text.startsWith(begin));
  if (found !== undefined) throw new Unreadable('foreign', `${found[1]}${more}`);
}

function beginsWith(start: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => start[index] === byte);
}

/** Data unpacked before an error in the compression is delivered before the error is thrown. */
async function* inflate(
  bytes: AsyncIterable<Uint8Array>,
  packing: Packing,
): AsyncGenerator<Uint8Array> {
  const unpacker = packing === 'gzip' ? createGunzip() : createZstdDecompress();
  const source = Readable.from(bytes);
  source.on('error', (error) => unpacker.destroy(error));
  source.pipe(unpacker);
  try {
    for await (const part of unpacker) yield part;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Unreadable('packing', `its packing is damaged: ${why}`, error);
  } finally {
    source.destroy();
  }
}
