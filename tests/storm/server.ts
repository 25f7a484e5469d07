/**
 * The server of a storm: the store and the queue of jobs that all machines share, and the connections to it.
 *
 * A connection keeps its calls in order and is patient: what was not answered when it broke is sent again, so a call may be
 * carried out twice. What was sent arrives even if its process has ended.
 */
import { InMemoryStore } from '../../actors/stores/inMemory.ts';
import { StoreLost } from '../../actors/stores/store.ts';
import { FORGETS_AT, type ForgettingFault } from './faults.ts';
import type { Ground } from './ground.ts';
import { JobBoard } from './jobs.ts';
import type { SimulatedProcess } from './process.ts';

type Change = {
  readonly ms: number;
  /** What the clock of the server said. */
  readonly clock: number;
  readonly apply: (state: ServerState) => Promise<unknown>;
};

type ServerState = { readonly store: InMemoryStore; readonly board: JobBoard };

/** Milliseconds on the way, and until a connection that broke is there again. */
const WAY_MS = 30;
const AGAIN_MS = 400;

export class Server {
  readonly #ground: Ground;
  /** Milliseconds by which its clock is wrong. */
  skewMs = 0;
  downUntil = 0;
  fullUntil = 0;
  /** Is called when it is to forget at a call that it has carried out. */
  onForgets: (fault: ForgettingFault) => void = () => {};
  #state: ServerState;
  /** All changes so far, from which an earlier state can be made again. */
  #changes: Change[] = [];
  /** What the clock said at a change that is made again: it may have jumped since. */
  #past: number | null = null;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#state = this.#empty();
  }

  get store(): InMemoryStore {
    return this.#state.store;
  }

  get board(): JobBoard {
    return this.#state.board;
  }

  /** Carries out a change, and remembers it. */
  async change<T>(apply: (state: ServerState) => Promise<T>): Promise<T> {
    this.#changes.push({ ms: this.#ground.timeline.now, clock: this.#clock(), apply });
    return await apply(this.#state);
  }

  /** A call was carried out, at which it may forget. */
  noteCarriedOut(name: string): void {
    const { faults, timeline } = this.#ground;
    const call = FORGETS_AT.find((one) => name.startsWith(one));
    if (call === undefined) return;
    const fault = faults.take('forgets-at-call', faults.count(`${call} of all`), call);
    if (fault !== null) timeline.after(0, () => this.onForgets(fault));
  }

  /** Loses what was changed in the last milliseconds. */
  async forget(backMs: number): Promise<void> {
    const least = this.#ground.timeline.now - backMs;
    const kept = this.#changes.filter(({ ms }) => ms <= least);
    this.#changes = kept;
    const state = this.#empty();
    for (const { clock, apply } of kept) {
      this.#past = clock;
      await apply(state).catch(() => {});
    }
    this.#past = null;
    this.#state = state;
  }

  #clock(): number {
    return this.#past ?? this.#ground.timeline.now + this.skewMs;
  }

  #empty(): ServerState {
    const now = () => this.#clock();
    return { store: new InMemoryStore(now), board: new JobBoard(now) };
  }
}

/** What a call does at the other end. */
export type LinkCall<T> = {
  readonly name: string;
  readonly isChange: boolean;
  readonly act: () => Promise<T>;
};

export interface Link {
  call<T>(call: LinkCall<T>): Promise<T>;
}

/** The connection of a process to the server. */
export class ServerLink implements Link {
  readonly #ground: Ground;
  readonly #server: Server;
  readonly #process: SimulatedProcess;
  /** When the last call arrives, and the last answer. */
  #lastThere = 0;
  #lastBack = 0;

  constructor(ground: Ground, server: Server, process: SimulatedProcess) {
    this.#ground = ground;
    this.#server = server;
    this.#process = process;
  }

  call<T>(call: LinkCall<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#process.isAlive) return;
      this.#send(call, {
        resolve: (value) => this.#process.soon(() => resolve(value)),
        reject: (error) => this.#process.soon(() => reject(error)),
      });
    });
  }

  #send<T>(call: LinkCall<T>, answer: CallAnswer<T>): void {
    if (!this.#process.isAlive) return;
    const { timeline, faults } = this.#ground;
    const nth = faults.count('call');
    const late = faults.take('call-late', nth);
    const way = this.#process.chance.between(1, WAY_MS) + (late?.forMs ?? 0);
    const there = Math.max(this.#lastThere, timeline.now + way);
    this.#lastThere = there;
    timeline.after(there - timeline.now, () => {
      if (this.#isCut()) this.#sendAgain(call, answer);
      else void timeline.hold(this.#carryOut(call, answer, nth));
    });
  }

  async #carryOut<T>(call: LinkCall<T>, answer: CallAnswer<T>, nth: number): Promise<void> {
    const { timeline } = this.#ground;
    let done: () => void;
    if (call.isChange && timeline.now < this.#server.fullUntil) {
      const text = 'Redis at server:6379 refuses: OOM command not allowed';
      done = () => answer.reject(new StoreLost(text, 'store/refused'));
    } else {
      try {
        const value = await call.act();
        this.#server.noteCarriedOut(call.name);
        done = () => answer.resolve(value);
      } catch (error) {
        done = () => answer.reject(error);
      }
    }
    const back = Math.max(this.#lastBack, timeline.now + this.#process.chance.between(1, WAY_MS));
    this.#lastBack = back;
    timeline.after(back - timeline.now, () => {
      const isLost = this.#ground.faults.take('answer-lost', nth) !== null;
      if (isLost || this.#isCut()) this.#sendAgain(call, answer);
      else done();
    });
  }

  #sendAgain<T>(call: LinkCall<T>, answer: CallAnswer<T>): void {
    const { timeline } = this.#ground;
    const until = Math.max(this.#server.downUntil, this.#process.machine.cutUntil, timeline.now);
    const wait = until - timeline.now + this.#process.chance.between(AGAIN_MS, 2 * AGAIN_MS);
    this.#ground.trace.note(this.#process.name, `${call.name} is sent again`);
    timeline.after(wait, () => this.#send(call, answer));
  }

  #isCut(): boolean {
    const { timeline } = this.#ground;
    return timeline.now < this.#server.downUntil || timeline.now < this.#process.machine.cutUntil;
  }
}

type CallAnswer<T> = {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
};

/** The way to a store in a file of this machine: short, and in the process itself. */
export class FileLink implements Link {
  readonly #ground: Ground;
  readonly #process: SimulatedProcess;

  constructor(ground: Ground, process: SimulatedProcess) {
    this.#ground = ground;
    this.#process = process;
  }

  async call<T>({ isChange, act }: LinkCall<T>): Promise<T> {
    const { timeline } = this.#ground;
    await this.#process.wait(this.#process.chance.between(0, FILE_MS));
    if (isChange && timeline.now < this.#process.machine.fullUntil)
      throw new StoreLost('the store refuses: the disk is full', 'store/refused');
    const value = await timeline.hold(act());
    // A process that is killed here has written, and does not know it.
    await this.#process.wait(this.#process.chance.between(0, FILE_MS));
    return value;
  }
}

const FILE_MS = 8;
