/**
 * A process of a storm: the ports of one process on one machine. After its end its promises stay open and its writes go
 * nowhere, as after SIGKILL.
 */
import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type LeagueGameOutcome, playLeagueGame } from '../../actors/league/game.ts';
import type { LeagueGame } from '../../actors/league/plan.ts';
import type { LeaguePorts } from '../../actors/league/ports.ts';
import type { Compression, TimePort, Workers } from '../../actors/ports/ports.ts';
import { tallyGame } from '../../analysis/league/tally.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { Chance } from '../support/chance.ts';
import type { DiskUser } from './disk.ts';
import type { Ground } from './ground.ts';
import type { Machine } from './machine.ts';

const EPOCH = Date.UTC(2026, 0, 1);

export class SimulatedProcess implements DiskUser {
  readonly id: number;
  readonly name: string;
  readonly folder: string;
  readonly machine: Machine;
  readonly host: string;
  readonly space: string;
  readonly ports: LeaguePorts;
  readonly stopping = new AbortController();
  readonly chance: Chance;
  readonly #ground: Ground;
  /** Called when a fault kills it, with the milliseconds until its next start. */
  onKilled: (forMs: number) => void = () => {};
  /** The server has forgotten, and the process has settled and taught nothing since. */
  isUnaware = false;
  #standsUntil = 0;
  #isAlive = true;
  readonly #threads = new Set<() => void>();
  #ids = 0;
  readonly #due = new Set<() => void>();

  constructor(
    ground: Ground,
    machine: Machine,
    { name, id, folder }: { readonly name: string; readonly id: number; readonly folder: string },
  ) {
    this.#ground = ground;
    this.machine = machine;
    this.name = name;
    this.folder = folder;
    this.id = id;
    this.host = machine.name;
    this.space = machine.space;
    this.chance = ground.chance.split(`process ${name} ${ground.faults.count('process')}`);
    this.ports = {
      process: { id, host: machine.name, isAlive: (other) => machine.isAlive(other) },
      time: this.#timePort(),
      disk: machine.disk.view(this),
      workers: this.#workers(),
      compression: SIMULATED_COMPRESSION,
      space: this.space,
      createId: () => {
        this.#ids += 1;
        return `${this.name}-${this.#ground.timeline.now}-${this.#ids}`;
      },
    };
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get hasOpenFiles(): boolean {
    return (this.machine.disk.open.get(this)?.size ?? 0) > 0;
  }

  /** Schedules `act` in this process: later while it stands still, never after its end. */
  after(ms: number, act: () => void): () => void {
    let callOff: () => void;
    const wake = () => {
      this.#due.delete(drop);
      if (!this.#isAlive) return;
      const late = this.#standsUntil - this.#ground.timeline.now;
      if (late <= 0) act();
      else {
        this.#due.add(drop);
        callOff = this.#ground.timeline.after(late, wake);
      }
    };
    const drop = () => {
      this.#due.delete(drop);
      callOff();
    };
    if (!this.#isAlive) return () => {};
    callOff = this.#ground.timeline.after(ms, wake);
    this.#due.add(drop);
    return drop;
  }

  soon(act: () => void): void {
    if (this.#standsUntil > this.#ground.timeline.now) this.after(0, act);
    else if (this.#isAlive) act();
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  end(): void {
    this.#isAlive = false;
    for (const drop of [...this.#due]) drop();
    this.#threads.clear();
    this.machine.forget(this);
  }

  standStill(ms: number): void {
    this.#standsUntil = this.#ground.timeline.now + ms;
  }

  endThread(): void {
    const [first] = this.#threads;
    first?.();
  }

  mayChange(what: 'write' | 'sync' | 'name', path: string): 'yes' | 'torn' | 'dead' {
    if (!this.#isAlive) return 'dead';
    const { faults, promises, timeline } = this.#ground;
    const { machine, name } = this;
    if (what === 'name') return 'yes';
    if (what === 'sync') {
      const nth = faults.count(`sync of ${machine.name}`);
      if (faults.take('sync-fails', nth, machine.name) === null) return 'yes';
      promises.noteDiskFailed('sync');
      timeline.note(name, `can't sync ${path}`);
      throw new Error('EIO: i/o error, fsync');
    }
    const ending = faults.take('kill-in-write', faults.count(`write of ${name}`), name);
    if (ending !== null) {
      timeline.note(name, `is killed while it writes ${path}`);
      this.onKilled(ending.forMs);
      return 'torn';
    }
    const nth = faults.count(`write to ${machine.name}`);
    const fails = faults.take('write-fails', nth, machine.name) !== null;
    const isFull = timeline.now < machine.fullUntil;
    promises.noteWrite(this, path, isFull || fails);
    if (!isFull && !fails) return 'yes';
    promises.noteDiskFailed('write');
    timeline.note(name, `can't write ${path}`);
    throw new Error(isFull ? 'ENOSPC: no space left on device, write' : 'EIO: i/o error, write');
  }

  async pause(): Promise<void> {
    await this.wait(this.chance.between(0, DISK_MS));
  }

  noteRead(path: string, text: string): void {
    this.#ground.promises.noteRead(this, path, text);
  }

  noteWritten(path: string, text: string): void {
    this.#ground.promises.noteWritten(path, text);
  }

  noteReplaced(path: string, text: string): void {
    this.#ground.promises.noteReplaced(this, path, text);
  }

  noteJoined(path: string): void {
    this.#ground.promises.noteTornAppend(this, path);
  }

  #timePort(): TimePort {
    const { timeline } = this.#ground;
    const sleep = (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted === true) return resolve();
        const wake = () => {
          drop();
          resolve();
        };
        const drop = this.after(ms, () => {
          signal?.removeEventListener('abort', wake);
          resolve();
        });
        signal?.addEventListener('abort', wake, { once: true });
      });
    return {
      setTimeout: (fn, ms) => this.after(ms, () => fn()),
      clearTimeout: (id) => {
        if (typeof id === 'function') id();
      },
      now: () => timeline.now,
      date: () => EPOCH + timeline.now + this.machine.skewMs,
      sleep,
      idle: (ms) => sleep(ms),
    };
  }

  /** Threads. A game is played at once, and its outcome comes after a drawn time. */
  #workers(): Workers {
    return {
      start: (_file, _data, { onMessage, onEnd }) => {
        let isOn = true;
        const end = () => {
          isOn = false;
          this.#threads.delete(end);
          this.after(0, () => onEnd('it was ended'));
        };
        this.#threads.add(end);
        const tell = (ms: number, message: object) =>
          this.after(ms, () => {
            if (isOn) onMessage(JSON.parse(JSON.stringify(message)));
          });
        return {
          send: (message) => {
            const { type, number, job } = JSON.parse(JSON.stringify(message));
            if (type !== 'begin' || !isOn) return;
            void this.#ground.timeline.hold(playOnce(job)).then((outcome) => {
              const ms = this.chance.between(20, LONGEST_GAME_MS);
              tell(ms, { type: 'free', number });
              tell(ms, { type: 'done', number, outcome });
            });
          },
          stop: async () => {
            isOn = false;
            this.#threads.delete(end);
            await this.wait(1);
          },
        };
      },
    };
  }
}

const DISK_MS = 20;
const LONGEST_GAME_MS = 4000;

/** Games of offline minds by their digest: a second play would be the same. */
const played = new Map<string, Promise<LeagueGameOutcome>>();

export async function playOnce(game: LeagueGame): Promise<LeagueGameOutcome> {
  const key = hash('sha256', canonical(game), 'hex');
  const known = played.get(key) ?? playLeagueGame(game, { count: tallyGame, models: null });
  played.set(key, known);
  return await known;
}

/** Packs at once: the threads of the real one end in an order that no seed decides. */
const SIMULATED_COMPRESSION: Compression = {
  pack: async (text) => deflateRawSync(text, { level: 0 }),
  unpack: async (packed, mostBytes) => {
    try {
      return inflateRawSync(packed, { maxOutputLength: mostBytes });
    } catch {
      return null;
    }
  },
};
