import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Disk, DiskFile, FileAccess, ProcessPort } from './ports.ts';
import { realProcess } from './process.ts';
import { inspectPath, readOwnFile } from './reading.ts';

export const realDisk: Disk = {
  has: (path) => fs.existsSync(path),
  isFile: (path) => inspectPath(path).type === 'file',
  read: readOwnFile,
  list: (folder) => fs.readdirSync(folder),
  addFolder: (path) => fs.mkdirSync(path),
  removeFolder: (path) => fs.rmdirSync(path),
  makeFolder,
  open: openFile,
  save: async (path, content, access) => {
    const part = namePartial(path, thisWriter());
    try {
      await writePart(part, content, access);
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (error) {
      fs.rmSync(part, { force: true });
      throw error;
    }
  },
  move: (from, to) => fs.renameSync(from, to),
  truncate: (path, bytes) => fs.truncateSync(path, bytes),
  remove: (path) => fs.rmSync(path, { force: true }),
  identify: (path) => fs.statSync(path, { throwIfNoEntry: false })?.ino ?? null,
};

/** `recursive` of Node never ends where the system takes no folders, as in /proc. */
function makeFolder(path: string, access?: FileAccess): void {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, access);
  try {
    fs.mkdirSync(path, access === 'private' ? PRIVATE_FOLDER : undefined);
  } catch (error) {
    // Another process may have made it.
    if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/** The first of these paths that is a link, which would lead a write elsewhere. */
export function findLink(paths: readonly string[]): string | undefined {
  return paths.find((path) => fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
}

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const PART = '.part';

export type FileWriter = Pick<ProcessPort, 'id' | 'host' | 'isAlive'> & { readonly space: string };

/** A file that `save` has not finished. Other processes, of other machines too, may write the same one meanwhile. */
export function namePartial(path: string, writer: FileWriter): string {
  return `${path}.${namePlace(writer)}-${writer.id}${PART}`;
}

/** The scope of process ids (host and namespace), short enough for a file name. */
function namePlace({ host, space }: FileWriter): string {
  return createHash('sha256').update(`${host} ${space}`).digest('hex').slice(0, PLACE_LETTERS);
}
const PLACE_LETTERS = 8;

export function isPartial(name: string): boolean {
  return name.endsWith(PART);
}

/** Whether a partial file will never be finished: its process was one of this machine, and is no more. */
export function isAbandoned(name: string, mine: FileWriter = thisWriter()): boolean {
  const [, place, id] = /\.([0-9a-f]+)-(\d+)\.part$/.exec(name) ?? [];
  if (mine.space === '' || place !== namePlace(mine)) return false;
  return !mine.isAlive(Number(id));
}

async function writePart(
  part: string,
  content: string | Iterable<Uint8Array>,
  access?: FileAccess,
): Promise<void> {
  const file = await open(part, 'w', access === 'private' ? PRIVATE_FILE : undefined);
  try {
    await file.writeFile(content);
    // File handles of Yarn's PnP have no sync.
    await promisify(fs.fsync)(file.fd).catch(throwUnlessUnsyncable);
  } finally {
    await file.close();
  }
}

/** The new name of a file outlives a power cut once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and one may be written to by users who may not list it.
  const folder = await open(path, 'r').catch(() => null);
  if (folder === null) return;
  await using _closed = { [Symbol.asyncDispose]: () => folder.close() };
  await promisify(fs.fsync)(folder.fd).catch(throwUnlessUnsyncable);
}

const OPEN_FLAGS = { new: 'w', append: 'a', exclusive: 'wx' } as const;

function openFile(path: string, mode: keyof typeof OPEN_FLAGS, access?: FileAccess): DiskFile {
  const file = fs.openSync(path, OPEN_FLAGS[mode], access === 'private' ? PRIVATE_FILE : undefined);
  return {
    write: (content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(file, bytes, at);
    },
    sync: () => {
      try {
        fs.fsyncSync(file);
      } catch (error) {
        throwUnlessUnsyncable(error);
      }
    },
    syncLater: () => promisify(fs.fsync)(file).catch(throwUnlessUnsyncable),
    close: () => fs.closeSync(file),
  };
}

/** Error codes for devices, pipes and file systems that can't be synced. */
const UNSYNCABLE: readonly unknown[] = ['EINVAL', 'ENOTSUP', 'EROFS'];

export function throwUnlessUnsyncable(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (!UNSYNCABLE.includes(code)) throw error;
}

/**
 * Whether another user could write to a folder, or put another one in its place. A group of the user's own, named alike
 * on most systems, is no other user. Nothing is known of Windows, where a profile is private.
 */
export function isOpenToOthers(folder: string, allowed = 0): boolean {
  const user = process.getuid?.();
  if (user === undefined) return false;
  const status = fs.statSync(folder, { throwIfNoEntry: false });
  if (status !== undefined) {
    const { uid, gid, mode } = status;
    const isOwn = uid === user || uid === 0;
    const isWritable = (mode & BY_OTHERS) !== 0 || ((mode & BY_GROUP) !== 0 && gid !== uid);
    if (!isOwn || (isWritable && (mode & allowed) === 0)) return true;
  }
  const parent = dirname(resolve(folder));
  return parent !== folder && isOpenToOthers(parent, STICKY);
}

const BY_OTHERS = 0o002;
const BY_GROUP = 0o020;
/** Above the folder: nobody can move or remove the entries of others there. */
const STICKY = 0o1000;

export function canWrite(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Changes with each state of a file; null where there is no file. */
export function readStamp(path: string): string | null {
  const status = fs.statSync(path, { throwIfNoEntry: false, bigint: true });
  return status === undefined ? null : `${status.ino} ${status.size} ${status.mtimeNs}`;
}

/** Tells a file from every other one of this machine; null where there is none. Holds as long as the file is open or there. */
export function identifyFile(path: string): string | null {
  const status = fs.statSync(path, { throwIfNoEntry: false, bigint: true });
  return status === undefined ? null : nameIdentity(status);
}

function nameIdentity({ dev, ino }: fs.BigIntStats): string {
  return `${dev} ${ino}`;
}

/** Opens a file, or makes it, and keeps it open: until it is closed no other file is identified alike. */
export function pinFile(path: string): { readonly identity: string; close(): void } {
  const file = fs.openSync(path, 'a');
  return {
    identity: nameIdentity(fs.fstatSync(file, { bigint: true })),
    close: () => fs.closeSync(file),
  };
}

export function thisWriter(): FileWriter {
  return { ...realProcess, space: findProcessSpace() };
}

/** Linux: a new one at each start of the machine. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** Identifies this start of this machine, and this container in it; '' where the system does not say. */
export function findProcessSpace(): string {
  try {
    // The name of the space is the same on all machines, so the machine's boot id is added.
    return `${fs.readFileSync(BOOT_ID, 'utf8').trim()} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
