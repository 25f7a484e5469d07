/**
 * A disk that forgets: data written and not synced may be lost, torn or out of order after a power cut.
 *
 * A sync of a file makes its bytes and its name durable, as on ext4, XFS and Btrfs. Name changes become durable in
 * order. Chance decides how many unsynced ones do.
 */
import { basename, dirname } from 'node:path';
import { namePartial } from '../../actors/ports/disk.ts';
import type { Disk, DiskFile } from '../../actors/ports/ports.ts';
import type { Chance } from '../support/chance.ts';

type Inode = {
  readonly id: number;
  bytes: Buffer;
  synced: Buffer;
  /** In order: appended bytes, or the new length after a truncation. */
  unsynced: (Buffer | number)[];
  /** Bytes of a failed sync: they never reach the disk, although reads return them. */
  holes: { readonly from: number; readonly to: number }[];
};

type NameChange = { readonly path: string; readonly inode: Inode | null };

export type DiskUser = {
  readonly id: number;
  readonly host: string;
  readonly space: string;
  readonly isAlive: boolean;
  /** `torn`: the process ends after a part of the change. `dead`: it has ended. Throws the system's error on a fault. */
  mayChange(what: 'write' | 'sync' | 'name', path: string): 'yes' | 'torn' | 'dead';
  pause(): Promise<void>;
  noteRead(path: string, text: string): void;
  noteWritten(path: string, text: string): void;
  /** Called before a file is written anew. */
  noteReplaced(path: string, text: string): void;
  /** Called before a write behind a line that has no end. */
  noteJoined(path: string): void;
};

export class SimulatedDisk {
  readonly #chance: Chance;
  #names = new Map<string, Inode>();
  #lasting = new Map<string, Inode>();
  #changes: NameChange[] = [];
  readonly #folders = new Set(['.', '/']);
  #inodes = 0;
  readonly open = new Map<DiskUser, Set<string>>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  files(): ReadonlyMap<string, string> {
    return new Map([...this.#names].map(([path, { bytes }]) => [path, bytes.toString('utf8')]));
  }

  /** For a look that is no part of the storm. */
  look(): Disk {
    return this.view(ONLOOKER);
  }

  /** Keeps lasting data, and by chance a part of the unsynced data. */
  losePower(): void {
    const kept = this.#chance.between(0, this.#changes.length);
    for (const change of this.#changes.slice(0, kept)) apply(this.#lasting, change);
    this.#changes = [];
    for (const inode of new Set(this.#lasting.values())) {
      inode.bytes = this.#settle(inode);
      inode.synced = inode.bytes;
      inode.unsynced = [];
      inode.holes = [];
    }
    this.#names = new Map(this.#lasting);
    this.open.clear();
  }

  view(user: DiskUser): Disk {
    const changeNames = (path: string, ...changes: NameChange[]) => {
      if (user.mayChange('name', path) === 'yes') for (const one of changes) this.#change(one);
    };
    return {
      has: (path) => this.#names.has(path) || this.#folders.has(path),
      isFile: (path) => this.#names.has(path),
      read: (path) => this.#read(path, user),
      list: (folder) => this.#list(folder),
      addFolder: (path) => this.#addFolder(path),
      removeFolder: (path) => {
        if (this.#list(path).length > 0) throw failure('ENOTEMPTY', path);
        this.#folders.delete(path);
      },
      makeFolder: (path) => this.#makeFolder(path),
      open: (path, mode) => this.#open(path, mode, user),
      save: (path, content) => this.#save(path, content, user),
      move: (from, to) => {
        this.#seekPlace(from);
        this.#seekPlace(to);
        const inode = this.#names.get(from);
        if (inode === undefined) throw failure('ENOENT', from);
        if (this.#folders.has(to)) throw failure('EISDIR', to);
        if (from !== to) changeNames(to, { path: to, inode }, { path: from, inode: null });
      },
      truncate: (path, bytes) => {
        this.#seekPlace(path);
        if (this.#folders.has(path)) throw failure('EISDIR', path);
        const inode = this.#names.get(path);
        if (inode === undefined) throw failure('ENOENT', path);
        if (user.mayChange('write', path) === 'yes') cut(inode, bytes);
      },
      remove: (path) => {
        if (this.#folders.has(path)) throw failure('ERR_FS_EISDIR', path);
        if (this.#isInFile(path)) throw failure('ENOTDIR', path);
        if (this.#names.has(path)) changeNames(path, { path, inode: null });
      },
      identify: (path) => this.#names.get(path)?.id ?? null,
    };
  }

  #seekPlace(path: string): void {
    const folder = dirname(path);
    if (this.#folders.has(folder)) return;
    throw failure(this.#isInFile(path) ? 'ENOTDIR' : 'ENOENT', path);
  }

  #isInFile(path: string): boolean {
    const above = dirname(path);
    return this.#names.has(above) || (above !== path && this.#isInFile(above));
  }

  #addFolder(path: string): void {
    this.#seekPlace(path);
    if (this.#folders.has(path) || this.#names.has(path)) throw failure('EEXIST', path);
    this.#folders.add(path);
  }

  #makeFolder(path: string): void {
    if (this.#folders.has(path)) return;
    this.#makeFolder(dirname(path));
    this.#addFolder(path);
  }

  #read(path: string, user: DiskUser): string | null {
    if (this.#folders.has(path)) throw failure('EISDIR', path);
    const text = this.#names.get(path)?.bytes.toString('utf8') ?? null;
    if (text !== null && user.isAlive) user.noteRead(path, text);
    return text;
  }

  #list(folder: string): readonly string[] {
    if (this.#names.has(folder)) throw failure('ENOTDIR', folder);
    this.#seekPlace(folder);
    if (!this.#folders.has(folder)) throw failure('ENOENT', folder);
    const isIn = (path: string) => path !== folder && dirname(path) === folder;
    return [...this.#names.keys(), ...this.#folders].filter(isIn).map((path) => basename(path));
  }

  #change(change: NameChange): void {
    apply(this.#names, change);
    this.#changes.push(change);
  }

  #create(path: string): Inode {
    this.#inodes += 1;
    const inode = createInode(this.#inodes);
    this.#change({ path, inode });
    return inode;
  }

  #open(path: string, mode: 'new' | 'append' | 'exclusive', user: DiskUser): DiskFile {
    const known = this.#names.get(path);
    this.#seekPlace(path);
    if (mode === 'exclusive' && this.view(user).has(path)) throw failure('EEXIST', path);
    if (this.#folders.has(path)) throw failure('EISDIR', path);
    const fate = known === undefined ? user.mayChange('name', path) : 'yes';
    // An ended process gets a file that is invisible to other processes.
    const inode = known ?? (fate === 'yes' ? this.#create(path) : createInode(0));
    if (known !== undefined && mode === 'new' && user.mayChange('write', path) === 'yes') {
      user.noteReplaced(path, known.bytes.toString('utf8'));
      known.bytes = Buffer.alloc(0);
      known.unsynced.push(0);
      known.holes = [];
    }
    const mine = this.open.get(user) ?? new Set();
    this.open.set(user, mine.add(path));
    let isOpen = true;
    const use = () => {
      if (!isOpen) throw failure('EBADF', path);
    };
    return {
      write: (content) => {
        use();
        const bytes = Buffer.from(content);
        if (user.isAlive && isTorn(inode.bytes)) user.noteJoined(path);
        const fate = user.mayChange('write', path);
        if (fate === 'yes') {
          append(inode, bytes);
          user.noteWritten(path, bytes.toString('utf8'));
        }
        if (fate === 'torn')
          append(inode, bytes.subarray(0, this.#chance.between(0, bytes.length)));
      },
      sync: () => {
        use();
        this.#syncFor(user, path, inode);
      },
      syncLater: async () => {
        use();
        await user.pause();
        this.#syncFor(user, path, inode);
      },
      close: () => {
        use();
        isOpen = false;
        mine.delete(path);
      },
    };
  }

  /** After a failed sync the system marks the bytes as clean, so no later sync writes them. */
  #syncFor(user: DiskUser, path: string, inode: Inode): void {
    try {
      if (user.mayChange('sync', path) === 'yes') this.#sync(inode);
    } catch (error) {
      inode.holes.push({ from: inode.synced.length, to: inode.bytes.length });
      this.#sync(inode);
      throw error;
    }
  }

  #sync(inode: Inode): void {
    // `bytes` is replaced and never changed, so it may be shared.
    inode.synced = inode.holes.length === 0 ? inode.bytes : Buffer.from(inode.bytes);
    for (const { from, to } of inode.holes) inode.synced.fill(0, from, to);
    inode.unsynced = [];
    this.#syncNames();
  }

  #syncNames(): void {
    for (const change of this.#changes) apply(this.#lasting, change);
    this.#changes = [];
  }

  async #save(path: string, content: string | Iterable<Uint8Array>, user: DiskUser): Promise<void> {
    const part = namePartial(path, { ...user, isAlive: () => true });
    const disk = this.view(user);
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.concat([...content]);
    await user.pause();
    try {
      const file = disk.open(part, 'new');
      try {
        file.write(bytes);
        await user.pause();
        file.sync();
      } finally {
        file.close();
      }
      await user.pause();
      disk.move(part, path);
      await user.pause();
      if (user.mayChange('sync', path) === 'yes') this.#syncNames();
    } catch (error) {
      disk.remove(part);
      throw error;
    }
    await user.pause();
  }

  #settle({ synced, unsynced }: Inode): Buffer {
    const kept = this.#chance.between(0, unsynced.length);
    let bytes = synced;
    for (const [index, change] of unsynced.slice(0, kept + 1).entries()) {
      if (typeof change === 'number') {
        if (index < kept) bytes = bytes.subarray(0, change);
        continue;
      }
      const isTorn = index === kept;
      const length = isTorn ? this.#chance.between(0, change.length) : change.length;
      // A later write has reached the disk before this one, so zeros take its place.
      const isMissing = !isTorn && this.#chance.is(OUT_OF_ORDER);
      bytes = Buffer.concat([bytes, isMissing ? Buffer.alloc(length) : change.subarray(0, length)]);
    }
    return bytes;
  }
}

const OUT_OF_ORDER = 0.2;

export const ONLOOKER: DiskUser = {
  id: 0,
  host: '',
  space: '',
  isAlive: false,
  mayChange: () => 'dead',
  pause: async () => {},
  noteRead: () => {},
  noteWritten: () => {},
  noteReplaced: () => {},
  noteJoined: () => {},
};

const LINE_END = 10;

function isTorn(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.at(-1) !== LINE_END;
}

function apply(names: Map<string, Inode>, { path, inode }: NameChange): void {
  if (inode === null) names.delete(path);
  else names.set(path, inode);
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

function createInode(id: number): Inode {
  const empty = Buffer.alloc(0);
  return { id, bytes: empty, synced: empty, unsynced: [], holes: [] };
}

function cut(inode: Inode, bytes: number): void {
  const more = bytes - inode.bytes.length;
  if (more > 0) {
    append(inode, Buffer.alloc(more));
    return;
  }
  inode.bytes = inode.bytes.subarray(0, bytes);
  inode.unsynced.push(bytes);
}

function append(inode: Inode, bytes: Buffer): void {
  inode.bytes = Buffer.concat([inode.bytes, bytes]);
  inode.unsynced.push(bytes);
}
