/** The disk of this machine. */
import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { open, rename } from 'node:fs/promises';
import type { Disk, DiskFile } from './ports.ts';
import { realProcess } from './process.ts';

export const realDisk: Disk = {
  has: (path) => existsSync(path),
  read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
  list: (folder) => readdirSync(folder),
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  open: openFile,
  save: async (path, text) => {
    // Another process may write the same file.
    const part = `${path}.${realProcess.id}${PART}`;
    const file = await open(part, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  },
  truncate: (path, bytes) => truncateSync(path, bytes),
  remove: (path) => rmSync(path, { force: true }),
  identify: (path) => statSync(path, { throwIfNoEntry: false })?.ino ?? null,
};

/** Behind the name of a file that `save` has not finished; a process that was killed leaves it. */
export const PART = '.part';

function openFile(path: string, mode: 'new' | 'append'): DiskFile {
  const file = openSync(path, mode === 'append' ? 'a' : 'w');
  return {
    write: (text) => {
      // The system may take a part of a text only.
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    },
    sync: () => {
      try {
        fsyncSync(file);
      } catch {}
    },
    syncLater: () => new Promise((resolve) => fsync(file, () => resolve())),
    close: () => closeSync(file),
  };
}
