import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { realDisk } from '../../actors/ports/disk.ts';
import type { Disk, DiskFile } from '../../actors/ports/ports.ts';
import { Unreadable } from '../../actors/ports/reading.ts';
import { SEED, seeds } from '../support/seeds.ts';
import { shrinkList } from '../support/shrink.ts';
import { Chance } from './chance.ts';
import { type DiskUser, SimulatedDisk } from './disk.ts';

const LENGTH = 100;
const PATHS = ['a', 'b', 'f/a', 'f/b', 'f/g/a', 'f', 'f/g', 'g', 'g/a', 'a/b'] as const;
const MODES = ['new', 'append', 'exclusive'] as const;
const TEXTS = ['', 'x', 'one line\n', 'ein Wörterbuch\n'] as const;

/** One thing that is done to a disk. Handles are numbered as they are opened. */
type DiskOperation =
  | { readonly type: 'has' | 'isFile' | 'read' | 'list' | 'identify'; readonly path: string }
  | { readonly type: 'addFolder' | 'removeFolder' | 'makeFolder'; readonly path: string }
  | { readonly type: 'remove'; readonly path: string }
  | { readonly type: 'open'; readonly path: string; readonly mode: (typeof MODES)[number] }
  | { readonly type: 'write'; readonly handle: number; readonly text: string }
  | { readonly type: 'sync' | 'syncLater' | 'close'; readonly handle: number }
  | { readonly type: 'save'; readonly path: string; readonly text: string }
  | { readonly type: 'move'; readonly path: string; readonly to: string }
  | { readonly type: 'truncate'; readonly path: string; readonly bytes: number };

const BY_PATH = ['has', 'isFile', 'read', 'list', 'identify', 'addFolder', 'removeFolder'] as const;
const BY_HANDLE = ['sync', 'syncLater', 'close', 'close'] as const;
const KINDS = [
  ...BY_PATH,
  'makeFolder',
  'makeFolder',
  'remove',
  'open',
  'open',
  'open',
  'write',
  'write',
  'write',
  ...BY_HANDLE,
  'save',
  'save',
  'move',
  'truncate',
] as const;

function drawOperation(chance: Chance): DiskOperation {
  const type = chance.pick(KINDS);
  const path = chance.pick(PATHS);
  const handle = chance.between(0, 3);
  switch (type) {
    case 'open':
      return { type, path, mode: chance.pick(MODES) };
    case 'write':
      return { type, handle, text: chance.pick(TEXTS) };
    case 'sync':
    case 'syncLater':
    case 'close':
      return { type, handle };
    case 'save':
      return { type, path, text: chance.pick(TEXTS) };
    case 'move':
      return { type, path, to: chance.pick(PATHS) };
    case 'truncate':
      return { type, path, bytes: chance.between(0, 20) };
    default:
      return { type, path };
  }
}

type OpenedFile = { readonly number: number | null; readonly file: DiskFile; isOpen: boolean };

class DiskInUse {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #handles: OpenedFile[] = [];

  constructor(disk: Disk, root: string) {
    this.#disk = disk;
    this.#root = root;
  }

  async try(operation: DiskOperation): Promise<unknown> {
    try {
      return (await this.#do(operation)) ?? null;
    } catch (error) {
      // The real disk refuses a folder with an error of our own.
      if (error instanceof Unreadable) return { failed: 'EISDIR' };
      return { failed: error instanceof Error && 'code' in error ? error.code : String(error) };
    }
  }

  async #do(operation: DiskOperation): Promise<unknown> {
    switch (operation.type) {
      case 'write':
      case 'sync':
      case 'syncLater':
      case 'close':
        return await this.#use(operation);
      case 'open':
        return this.#open(this.#at(operation.path), operation.mode);
      case 'save':
        return await this.#disk.save(this.#at(operation.path), operation.text);
      case 'move':
        return this.#disk.move(this.#at(operation.path), this.#at(operation.to));
      case 'truncate':
        return this.#disk.truncate(this.#at(operation.path), operation.bytes);
      case 'list':
        return this.#disk.list(this.#at(operation.path)).toSorted();
      case 'identify':
        return this.#identifyFile(this.#at(operation.path));
      default:
        return this.#disk[operation.type](this.#at(operation.path));
    }
  }

  /** Folders have no number here, and the numbers of files are the system's. */
  #identifyFile(path: string): string {
    if (!this.#disk.isFile(path)) return 'no file';
    return this.#disk.identify(path) === null ? 'without a number' : 'numbered';
  }

  #at(path: string): string {
    return join(this.#root, path);
  }

  isFolder(path: string): boolean {
    const at = this.#at(path);
    return this.#disk.has(at) && !this.#disk.isFile(at);
  }

  /** A file may be open only once: with two writers the system decides their positions. */
  isWrittenTo(path: string): boolean {
    const number = this.#disk.identify(this.#at(path));
    return this.#handles.some((handle) => handle.isOpen && handle.number === number);
  }

  #open(path: string, mode: (typeof MODES)[number]): void {
    const file = this.#disk.open(path, mode);
    this.#handles.push({ number: this.#disk.identify(path), file, isOpen: true });
  }

  async #use(operation: Extract<DiskOperation, { readonly handle: number }>): Promise<void> {
    const handle = this.#handles.filter(({ isOpen }) => isOpen)[operation.handle];
    if (handle === undefined) return;
    if (operation.type === 'write') return handle.file.write(operation.text);
    if (operation.type === 'close') handle.isOpen = false;
    await handle.file[operation.type]();
  }

  closeAll(): void {
    for (const { file, isOpen } of this.#handles) if (isOpen) file.close();
  }
}

const QUIET: DiskUser = {
  id: 1,
  host: 'here',
  space: '',
  isAlive: true,
  mayChange: () => 'yes',
  pause: async () => {},
  noteRead: () => {},
  noteWritten: () => {},
  noteJoined: () => {},
};

/** The first difference between the simulated disk and the real one, or null. */
async function findDiskDifference(
  operations: readonly DiskOperation[],
  root: string,
): Promise<string | null> {
  const folder = mkdtempSync(join(root, 'disk-'));
  const real = new DiskInUse(realDisk, folder);
  const simulated = new DiskInUse(new SimulatedDisk(new Chance('quiet')).view(QUIET), '');
  try {
    for (const [index, operation] of operations.entries()) {
      if (isOurs(operation, simulated)) {
        const [one, other] = [await real.try(operation), await simulated.try(operation)];
        const [expected, found] = [JSON.stringify(one), JSON.stringify(other)];
        if (found !== expected)
          return `operation ${index + 1}, ${operation.type}: expected ${expected}, found ${found}`;
      }
    }
    for (const path of PATHS) {
      const operation = { type: 'read', path } as const;
      const [one, other] = [await real.try(operation), await simulated.try(operation)];
      if (JSON.stringify(one) !== JSON.stringify(other))
        return `${path} at the end: expected ${JSON.stringify(one)}, found ${JSON.stringify(other)}`;
    }
    return null;
  } finally {
    real.closeAll();
    rmSync(folder, { recursive: true });
  }
}

/** The program never cuts or reopens a file that is being written, and moves only files, never into themselves. */
function isOurs(operation: DiskOperation, disk: DiskInUse): boolean {
  if (operation.type === 'move')
    return !disk.isFolder(operation.path) && !operation.path.startsWith(`${operation.to}/`);
  if (operation.type !== 'open' && operation.type !== 'truncate') return true;
  return !disk.isWrittenTo(operation.path);
}

describe('the disk of storms', () => {
  const histories = seeds(100, 2000);

  test(`the simulated disk agrees with a real one in ${histories} histories of ${LENGTH} operations`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'glassbox-disk-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (let history = 0; history < histories; history++) {
      const chance = new Chance(`${SEED} ${history}`);
      const operations = Array.from({ length: LENGTH }, () => drawOperation(chance));
      const difference = await findDiskDifference(operations, root);
      if (difference === null) continue;
      const fewer = await shrinkList(operations, async (some) => {
        return (await findDiskDifference(some, root)) !== null;
      });
      const list = fewer.map((operation) => JSON.stringify(operation)).join('\n');
      const last = await findDiskDifference(fewer, root);
      expect.fail(
        `FC_SEED=${SEED}, history ${history}, made as short as can be:\n${list}\n${last}`,
      );
    }
    expect(readdirSync(root)).toEqual([]);
  });
});
