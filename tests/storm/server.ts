/**
 * The server of a storm: the shared store and queue, and the connections to it. A connection keeps its calls in order and
 * sends unanswered calls again after it broke, so a call may be carried out twice. A sent call arrives even if its process
 * has ended.
 */
import { StoreLost } from '../../actors/stores/errors.ts';
import type { RedisConnection } from '../../actors/stores/redis.ts';
import type { Store } from '../../actors/stores/store.ts';
import { FORGETS_AT, type ForgettingFault } from './faults.ts';
import type { Ground } from './ground.ts';
import { JobBoard } from './jobs.ts';
import type { SimulatedProcess } from './process.ts';
import { createRedisStore, createSqliteStore, StormConnection } from './stores.ts';

type Change = {
  readonly ms: number;
  readonly clock: number;
  readonly apply: (state: ServerState) => Promise<unknown>;
};

type ServerState = {
  readonly store: Store;
  /** Null where the store is on SQLite. */
  readonly redis: RedisConnection | null;
  readonly board: JobBoard;
};

/** Milliseconds in transit, and until a broken connection is restored. */
const WAY_MS = 30;
const AGAIN_MS = 400;

export class Server {
  readonly #ground: Ground;
  skewMs = 0;
  downUntil = 0;
  fullUntil = 0;
  onForgets: (fault: ForgettingFault) => void = () => {};
  #state: ServerState;
  /** All changes so far: an earlier state is rebuilt from them. */
  #changes: Change[] = [];
  /** The time of a repeated change. The clock may have jumped since. */
  #past: number | null = null;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#state = this.#empty();
  }

  get redis(): RedisConnection | null {
    return this.#state.redis;
  }

  get store(): Store {
    return this.#state.store;
  }

  get board(): JobBoard {
    return this.#state.board;
  }

  async change<T>(apply: (state: ServerState) => Promise<T>): Promise<T> {
    this.#changes.push({ ms: this.#ground.timeline.now, clock: this.#clock(), apply });
    return await apply(this.#state);
  }

  noteCarriedOut(name: string): void {
    const { faults, timeline } = this.#ground;
    const call = FORGETS_AT.find((one) => name.startsWith(one));
    if (call === undefined) return;
    const fault = faults.take('forgets-at-call', faults.count(`${call} of all`), call);
    if (fault !== null) timeline.after(0, () => this.onForgets(fault));
  }

  /** Loses the changes of the last milliseconds. */
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
    const redis = this.#ground.hasRedis ? new StormConnection(now) : null;
    const store = redis === null ? createSqliteStore(now) : createRedisStore(redis);
    return { store, redis, board: new JobBoard(now) };
  }
}

export type LinkCall<T> = {
  readonly name: string;
  readonly isChange: boolean;
  readonly act: () => Promise<T>;
};

export interface Link {
  call<T>(call: LinkCall<T>): Promise<T>;
}

type CallAnswer<T> = {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
};

export function connectServer(ground: Ground, server: Server, process: SimulatedProcess): Link {
  const { timeline, faults } = ground;
  /** When the last call arrives, and the last answer. */
  let [lastThere, lastBack] = [0, 0];
  const isCut = () => timeline.now < server.downUntil || timeline.now < process.machine.cutUntil;

  function send<T>(call: LinkCall<T>, answer: CallAnswer<T>): void {
    if (!process.isAlive) return;
    const nth = faults.count('call');
    const late = faults.take('call-late', nth);
    const way = process.chance.between(1, WAY_MS) + (late?.forMs ?? 0);
    lastThere = Math.max(lastThere, timeline.now + way);
    timeline.after(lastThere - timeline.now, () => {
      if (isCut()) sendAgain(call, answer);
      else void timeline.hold(carryOut(call, answer, nth));
    });
  }

  async function carryOut<T>(call: LinkCall<T>, answer: CallAnswer<T>, nth: number) {
    let done: () => void;
    try {
      if (call.isChange && timeline.now < server.fullUntil) throw new StoreLost(FULL, REFUSED);
      const value = await call.act();
      server.noteCarriedOut(call.name);
      done = () => answer.resolve(value);
    } catch (error) {
      done = () => answer.reject(error);
    }
    lastBack = Math.max(lastBack, timeline.now + process.chance.between(1, WAY_MS));
    timeline.after(lastBack - timeline.now, () => {
      const isLost = faults.take('answer-lost', nth) !== null;
      if (isLost || isCut()) sendAgain(call, answer);
      else done();
    });
  }

  function sendAgain<T>(call: LinkCall<T>, answer: CallAnswer<T>): void {
    const until = Math.max(server.downUntil, process.machine.cutUntil, timeline.now);
    const wait = until - timeline.now + process.chance.between(AGAIN_MS, 2 * AGAIN_MS);
    timeline.note(process.name, `${call.name} is sent again`);
    timeline.after(wait, () => send(call, answer));
  }

  return {
    call: (call) =>
      new Promise((resolve, reject) =>
        send(call, {
          resolve: (value) => process.soon(() => resolve(value)),
          reject: (error) => process.soon(() => reject(error)),
        }),
      ),
  };
}

const FULL = 'Redis at server:6379 refuses: OOM command not allowed';
const REFUSED = 'store/refused';

/** The connection to a store in a file of this machine: short, and in the process itself. */
export function connectFile({ timeline }: Ground, process: SimulatedProcess): Link {
  return {
    async call({ isChange, act }) {
      await process.wait(process.chance.between(0, FILE_MS));
      if (isChange && timeline.now < process.machine.fullUntil)
        throw new StoreLost('the store refuses: the disk is full', REFUSED);
      const value = await timeline.hold(act());
      // A process killed here has written without knowing it.
      await process.wait(process.chance.between(0, FILE_MS));
      return value;
    },
  };
}

const FILE_MS = 8;
