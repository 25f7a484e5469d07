/** A machine of a storm: a disk, a clock of the wall, and the processes on it. */

import type { RedisConnection } from '../../actors/stores/redis.ts';
import type { Store } from '../../actors/stores/store.ts';
import { Chance } from '../support/chance.ts';
import { type DiskUser, SimulatedDisk } from './disk.ts';
import { createSqliteStore } from './stores.ts';

type MachineProcess = DiskUser & { end(): void };

/** On the server, or in a file of a machine. */
export type StoreHome = {
  readonly store: Store;
  readonly redis?: RedisConnection | null;
  change<T>(apply: (state: { readonly store: Store }) => Promise<T>): Promise<T>;
};

export class Machine {
  readonly name: string;
  readonly disk: SimulatedDisk;
  skewMs = 0;
  fullUntil = 0;
  cutUntil = 0;
  offUntil = 0;
  /** A store in a file: acknowledged changes survive a power cut. */
  readonly file: StoreHome;
  readonly #processes = new Set<MachineProcess>();
  readonly #locks = new Map<string, MachineProcess>();
  starts = 0;
  #lastId = 0;
  /** A process gets the number of the one that it replaces, as the first process of a container does. */
  readonly #repeatsIds: boolean;

  constructor(
    name: string,
    { seed, repeatsIds, now }: { seed: string; repeatsIds: boolean; now: () => number },
  ) {
    const store = createSqliteStore(() => now() + this.skewMs);
    this.file = { store, change: (apply) => apply({ store }) };
    this.name = name;
    this.disk = new SimulatedDisk(new Chance(`${seed} disk ${name}`));
    this.#repeatsIds = repeatsIds;
  }

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
