import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realDisk } from '../../actors/ports/disk.ts';
import type { Disk, DiskFile } from '../../actors/ports/ports.ts';
import { Unreadable } from '../../actors/ports/reading.ts';
import { Chance } from '../support/chance.ts';
import { expectNoDifference } from '../support/histories.ts';
import { SEED, seeds } from '../support/seeds.ts';
import { ONLOOKER, SimulatedDisk } from './disk.ts';

const LENGTH = 100;
const PATHS = ['a', 'b', 'f/a', 'f/b', 'f/g/a', 'f', 'f/g', 'g', 'g/a', 'a/b'] as const;
const KINDS = [
  ...(['has', 'isFile', 'read', 'list', 'identify', 'addFolder', 'removeFolder'] as const),
  ...(['makeFolder', 'makeFolder', 'remove', 'open', 'open', 'open'] as const),
  ...(['write', 'write', 'write', 'sync', 'syncLater', 'close', 'close'] as const),
  ...(['save', 'save', 'move', 'truncate'] as const),
] as const;

type DiskOperation = ReturnType<typeof drawOperation>;

/** One thing that is done to a disk, with values for every kind of thing. Handles are numbered as they are opened. */
function drawOperation(chance: Chance) {
  return {
    type: chance.pick(KINDS),
    path: chance.pick(PATHS),
    to: chance.pick(PATHS),
    handle: chance.between(0, 3),
    mode: chance.pick(['new', 'append', 'exclusive'] as const),
    text: chance.pick(['', 'x', 'one line\n', 'ein Wörterbuch\n'] as const),
    bytes: chance.between(0, 20),
  } as const;
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

  /** The outcome of an operation, or the code of its error, as text. */
  async try(operation: DiskOperation): Promise<string> {
    try {
      return JSON.stringify((await this.#do(operation)) ?? null);
    } catch (error) {
      // The real disk refuses a folder with an error of our own.
      if (error instanceof Unreadable) return 'failed: EISDIR';
      return `failed: ${error instanceof Error && 'code' in error ? error.code : error}`;
    }
  }

  async #do({
    type,
    to,
    handle,
    mode,
    text,
    bytes,
    ...operation
  }: DiskOperation): Promise<unknown> {
    const path = this.#at(operation.path);
    const opened = this.#handles.filter(({ isOpen }) => isOpen)[handle];
    switch (type) {
      case 'write':
        return opened?.file.write(text);
      case 'sync':
      case 'syncLater':
        return await opened?.file[type]();
      case 'close':
        if (opened !== undefined) opened.isOpen = false;
        return opened?.file.close();
      case 'open': {
        const file = this.#disk.open(path, mode);
        this.#handles.push({ number: this.#disk.identify(path), file, isOpen: true });
        return null;
      }
      case 'save':
        return await this.#disk.save(path, text);
      case 'move':
        return this.#disk.move(path, this.#at(to));
      case 'truncate':
        return this.#disk.truncate(path, bytes);
      case 'list':
        return this.#disk.list(path).toSorted();
      case 'identify':
        // Folders have no number here, and the numbers of files are the system's.
        return this.#disk.isFile(path) && this.#disk.identify(path) !== null;
      default:
        return this.#disk[type](path);
    }
  }

  #at(path: string): string {
    return join(this.#root, path);
  }

  /** The program never cuts or reopens a file that is being written, and moves only files, never into themselves. */
  isOurs({ type, path, to }: DiskOperation): boolean {
    const at = this.#at(path);
    if (type === 'move') {
      const isFolder = this.#disk.has(at) && !this.#disk.isFile(at);
      return !isFolder && !path.startsWith(`${to}/`);
    }
    if (type !== 'open' && type !== 'truncate') return true;
    // With two writers the system would decide their positions.
    const number = this.#disk.identify(at);
    return !this.#handles.some((handle) => handle.isOpen && handle.number === number);
  }

  closeAll(): void {
    for (const { file, isOpen } of this.#handles) if (isOpen) file.close();
  }
}

const QUIET = { ...ONLOOKER, id: 1, host: 'here', isAlive: true, mayChange: () => 'yes' as const };

/** The first difference between the simulated disk and the real one, or null. */
async function findDiskDifference(
  operations: readonly DiskOperation[],
  root: string,
): Promise<string | null> {
  const folder = mkdtempSync(join(root, 'disk-'));
  const real = new DiskInUse(realDisk, folder);
  const simulated = new DiskInUse(new SimulatedDisk(new Chance('quiet')).view(QUIET), '');
  const reads = PATHS.map(
    (path) => ({ ...drawOperation(new Chance('')), type: 'read', path }) as const,
  );
  try {
    for (const operation of [...operations, ...reads]) {
      if (!simulated.isOurs(operation)) continue;
      const [expected, found] = [await real.try(operation), await simulated.try(operation)];
      if (found !== expected)
        return `${JSON.stringify(operation)}: expected ${expected}, found ${found}`;
    }
    return null;
  } finally {
    real.closeAll();
    rmSync(folder, { recursive: true });
  }
}

const histories = seeds(30, 2000);

test(`the simulated disk agrees with a real one in ${histories} histories of ${LENGTH} operations`, async () => {
  const root = mkdtempSync(join(tmpdir(), 'glassbox-disk-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (let history = 0; history < histories; history++) {
    const chance = new Chance(`${SEED} ${history}`);
    const operations = Array.from({ length: LENGTH }, () => drawOperation(chance));
    await expectNoDifference(`history ${history}`, operations, (some) =>
      findDiskDifference(some, root),
    );
  }
  expect(readdirSync(root)).toEqual([]);
});
