/** A machine of a storm: a disk, a clock of the wall, and the processes on it. */
import { InMemoryStore } from '../../actors/stores/inMemory.ts';
import { Chance } from './chance.ts';
import { type DiskUser, SimulatedDisk } from './disk.ts';

type MachineProcess = DiskUser & { end(): void };

/** A store in a file: what it has acknowledged is there after a power cut. */
type StoreFile = {
  readonly store: InMemoryStore;
  change<T>(apply: (state: { readonly store: InMemoryStore }) => Promise<T>): Promise<T>;
};

export class Machine {
  readonly name: string;
  readonly disk: SimulatedDisk;
  /** Milliseconds by which its clock is wrong. */
  skewMs = 0;
  /** Until when its disk is full, it does not reach the server, and it has no power. */
  fullUntil = 0;
  cutUntil = 0;
  offUntil = 0;
  readonly file: StoreFile;
  readonly #processes = new Set<MachineProcess>();
  /** Files that a process has for itself. */
  readonly #locks = new Map<string, MachineProcess>();
  /** Times that it has started again. */
  starts = 0;
  #lastId: number;
  /** Whether a process gets the number of the one that it replaces, as the first process of a container does. */
  readonly #repeatsIds: boolean;

  constructor(
    name: string,
    {
      seed,
      repeatsIds,
      now,
    }: { readonly seed: string; readonly repeatsIds: boolean; readonly now: () => number },
  ) {
    const store = new InMemoryStore(() => now() + this.skewMs);
    this.file = { store, change: (apply) => apply({ store }) };
    this.name = name;
    this.disk = new SimulatedDisk(new Chance(`${seed} disk ${name}`));
    this.#repeatsIds = repeatsIds;
    this.#lastId = 0;
  }

  /** What tells this start of the machine from another one. */
  get space(): string {
    return `${this.name}-${this.starts}`;
  }

  get processes(): readonly MachineProcess[] {
    return [...this.#processes];
  }

  nextId(program: number): number {
    if (this.#repeatsIds) return program + 1;
    this.#lastId += 1;
    return this.#lastId;
  }

  isAlive(id: number): boolean {
    return this.processes.some((one) => one.id === id && one.isAlive);
  }

  add(process: MachineProcess): void {
    this.#processes.add(process);
  }

  forget(process: MachineProcess): void {
    this.#processes.delete(process);
    this.disk.open.delete(process);
    for (const [path, holder] of this.#locks) if (holder === process) this.#locks.delete(path);
  }

  /** Takes a file for a process alone; null where another one has it. */
  lock(process: MachineProcess, path: string): (() => void) | null {
    const holder = this.#locks.get(path);
    if (holder?.isAlive === true) return null;
    this.#locks.set(path, process);
    return () => void this.#locks.delete(path);
  }

  losePower(): void {
    for (const one of this.processes) one.end();
    this.disk.losePower();
    this.starts += 1;
    this.#lastId = 0;
  }
}
