/**
 * A check on several threads, which finds exactly what one thread finds.
 *
 * There are many more moves than states. So workers make the moves, each with a copy of all states, and the states
 * are numbered here, in the order of one search. Until the workers are there the search goes on alone.
 */

import { Worker } from 'node:worker_threads';
import type { EventObject } from 'xstate';
import {
  type CheckOptions,
  type CheckResult,
  type ChosenStepper,
  checkInTurns,
  chooseStepper,
  concludeCheck,
  prepareSearch,
  repeatSteps,
  startAnew,
} from '../check.ts';
import { listEvents, Search } from '../explore.ts';
import type { Model } from '../model.ts';
import { type Frontier, NumberList } from '../paths.ts';
import type { PropertyMonitors } from '../properties.ts';
import { type PurityWatch, WatchedStepper } from '../purity.ts';
import type { MachinePlace, MachineStepper, Transition } from '../stepper.ts';

/** Compiled, a thread runs JavaScript. */
const WORKER = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';

/** Where a model comes from, so that another thread can build it: a function of a module, and an argument that can be cloned. */
export type ModelSource = {
  /** The address of the module, such as `import.meta.url`. */
  readonly module: string;
  /** The name of the function. */
  readonly export: string;
  readonly argument?: unknown;
};

export async function loadModel<C, E extends EventObject>(
  source: ModelSource,
): Promise<Model<C, E>> {
  const found: Readonly<Record<string, unknown>> = await import(source.module);
  const build = found[source.export];
  if (typeof build !== 'function') {
    const names = Object.keys(found).join(', ');
    throw new Error(
      `expected a function ${source.export} in ${source.module}, which exports ${names}`,
    );
  }
  return Reflect.apply(build, undefined, [source.argument]); // what it builds is the caller's word
}

/*
 * Chunks: runs of states that are expanded elsewhere, and what is found there.
 *
 * No state ever travels: it is named by its number, or by the state and the event that lead to it, and a thread
 * that does not have it makes that one step itself. So nothing must be put into JSON, and nothing that states share is copied.
 */

/** What a worker gets when it begins. */
export type WorkerSetup = {
  readonly source: ModelSource;
  readonly engine: 'compiled' | 'xstate';
  readonly isSymmetric: boolean;
  /** The names of the properties whose steps it looks at; null for all. */
  readonly only: readonly string[] | null;
  /** Whether it says where moves lead. */
  readonly keepsMoves: boolean;
  readonly purity: PurityWatch;
};

/** States from `first` to before `end` are to be expanded. */
export type StateChunk = {
  readonly first: number;
  readonly end: number;
  /** For each state that is new since the last chunk, its parent and the place of the event that led to it. */
  readonly news: Int32Array;
  /** States below this number are needed no more. */
  readonly done: number;
};

export type ChunkFindings = {
  readonly first: number;
  readonly end: number;
  /** False when something was thrown on the way: then it must be seen again where it can be told. */
  readonly isWhole: boolean;
  /** How many moves each state has. */
  readonly degrees: Int32Array;
  /** Points that this worker had not seen before: the state and the place of the event that led there. */
  readonly found: Int32Array;
  /**
   * Where each move leads: the number of a state, or below 0 the place in the list of all points that this worker
   * ever found, as its complement. Null unless `keepsMoves` is set.
   */
  readonly targets: Int32Array | null;
  /** What the assumptions of fairness say of each move; null when there are none. */
  readonly helps: Int32Array | null;
  /** How often each property about steps spoke. */
  readonly antecedents: Int32Array;
  /** Places of the properties about steps that were broken here. */
  readonly violated: readonly number[];
  /** Transitions of a shape that this worker had not seen before: the state and the place of the event. */
  readonly shapes: Int32Array;
  /** Kinds of transitions by their place in the list of all that this worker ever saw, and how many there were of each. */
  readonly counts: Int32Array;
  /** How often guards passed and failed, by the number of the transition; null where they can't be watched. */
  readonly guards: { readonly passed: Int32Array; readonly failed: Int32Array } | null;
};

/** What a worker says: that it is there, or what it found. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'found'; readonly findings: ChunkFindings };

/*
 * The worker threads of one search, and how busy each is.
 *
 * `awaitMessage` resolves with everything that can end the waiting: a worker that found something, one that is
 * ready, and one that is lost.
 */

/** A chunk to work on and one to go on with, so that no worker waits for the next one. */
const MOST_CHUNKS = 2;

/** A thread ended before the search did: it ran out of memory, or something in the model ended it. */
export class WorkerLost extends Error {
  readonly code = 'worker/lost';

  constructor(reason: string) {
    super(`a worker ended before the search did: ${reason}`);
    this.name = 'WorkerLost';
  }
}

/** Findings, and the number of the worker whose they are. */
type FoundChunk = { readonly worker: number; readonly findings: ChunkFindings };

type SearchWorker = {
  readonly number: number;
  readonly thread: Worker;
  isReady: boolean;
  /** Chunks that it was handed and has not brought back. */
  chunks: number;
  /** States that it knows of: the news for it begin there. */
  known: number;
};

class SearchWorkers {
  readonly #members: readonly SearchWorker[];
  /** What was brought back and not yet asked for, by the first state of the chunk. */
  readonly #found = new Map<number, FoundChunk>();
  #lost: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(workers: number, setup: WorkerSetup) {
    this.#members = Array.from({ length: workers }, (_, number) => {
      const thread = new Worker(new URL(WORKER, import.meta.url), { workerData: setup });
      const member = { number, thread, isReady: false, chunks: 0, known: 1 };
      thread.on('message', (message: WorkerMessage) => this.#hear(member, message));
      thread.on('messageerror', (error) => this.#lose(error.message));
      thread.on('error', (error) =>
        this.#lose(error instanceof Error ? error.message : `${error}`),
      );
      thread.on('exit', (code) => this.#lose(`exit code ${code}`));
      return member;
    });
  }

  /** The worker with the least to do; null when none can take another chunk. */
  get free(): SearchWorker | null {
    let free: SearchWorker | null = null;
    for (const member of this.#members) {
      const hasRoom = member.isReady && member.chunks < MOST_CHUNKS;
      if (hasRoom && (free === null || member.chunks < free.chunks)) free = member;
    }
    return free;
  }

  send(member: SearchWorker, chunk: StateChunk): void {
    member.chunks += 1;
    member.known += chunk.news.length / 2;
    member.thread.postMessage(chunk);
  }

  /** What was found in the chunk that begins there; null when it is not back. */
  take(first: number): FoundChunk | null {
    const found = this.#found.get(first) ?? null;
    this.#found.delete(first);
    return found;
  }

  /** Something has happened, or happens now. */
  async awaitMessage(): Promise<void> {
    if (this.#lost !== null) throw this.#lost;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
    if (this.#lost !== null) throw this.#lost;
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(({ thread }) => thread.terminate()));
  }

  #hear(member: SearchWorker, message: WorkerMessage): void {
    if (message.type === 'ready') member.isReady = true;
    else {
      member.chunks -= 1;
      this.#found.set(message.findings.first, {
        worker: member.number,
        findings: message.findings,
      });
    }
    this.#wake?.();
  }

  #lose(reason: string): void {
    this.#lost ??= new WorkerLost(reason);
    this.#wake?.();
  }
}

/*
 * Replays: moves that were made elsewhere and are made once more, to have the points to which they lead.
 *
 * What a machine and its world do depends on nothing but the state, so a state and the place of an event in what the
 * world lists are enough. Replays count for nothing: guards are asked again, and it is forgotten.
 */

export class MoveReplayer<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #stepper: MachineStepper<C, E>;
  readonly #frontier: Frontier<C>;
  /** The state whose events were listed last: moves are mostly replayed state by state. */
  #last: { readonly state: number; readonly events: readonly (E | EventObject)[] } | null = null;

  constructor(model: Model<C, E>, stepper: MachineStepper<C, E>, frontier: Frontier<C>) {
    this.#model = model;
    this.#stepper = stepper;
    this.#frontier = frontier;
  }

  /** The move out of a state that waits, by the event at that place. */
  move(
    state: number,
    via: number,
  ): { readonly event: E | EventObject; readonly transition: Transition<C> } {
    const point = this.#frontier.at(state);
    if (this.#last?.state !== state) {
      this.#last = { state, events: listEvents(this.#model, point) };
    }
    const event = this.#last.events[via];
    if (event === undefined)
      throw new Error(
        '`world` listed other events for the same state: it must depend on nothing but the state',
      );
    return { event, transition: this.#stepper.step(point, event) };
  }

  /** Does something, and forgets what the guards said meanwhile. */
  uncounted(work: () => void): void {
    const { guards } = this.#stepper;
    const passed = guards?.passed.slice() ?? [];
    const failed = guards?.failed.slice() ?? [];
    work();
    guards?.passed.splice(0, passed.length, ...passed);
    guards?.failed.splice(0, failed.length, ...failed);
  }
}

/*
 * The merge: makes what workers found part of a search, in the order in which the search would have found it.
 *
 * Chunks are merged one after another, each as a whole. What has to be told exactly (a broken property, an error, the
 * very state at which a budget ends the search) is not taken from a worker: that chunk is expanded again here.
 */

/** What is known of one worker. */
type SendingWorker<C> = {
  /** The numbers of all points that it ever found, in its order. */
  readonly found: NumberList;
  /** All shapes of transitions that it ever saw, in its order: the first transition of each, and where it began with what. */
  readonly shapes: {
    readonly transition: Transition<C>;
    readonly at: MachinePlace;
    readonly event: string;
  }[];
};

class FindingsMerger<C, E extends EventObject> {
  readonly #search: Search<C, E>;
  readonly #monitors: PropertyMonitors<C, E | EventObject>;
  readonly #stepper: MachineStepper<C, E>;
  readonly #replayer: MoveReplayer<C, E>;
  readonly #senders: readonly SendingWorker<C>[];

  constructor(
    model: Model<C, E>,
    stepper: MachineStepper<C, E>,
    { search, monitors, workers }: MergerParts<C, E>,
  ) {
    this.#search = search;
    this.#monitors = monitors;
    this.#stepper = stepper;
    this.#replayer = new MoveReplayer(model, stepper, search.frontier);
    this.#senders = Array.from({ length: workers }, () => ({
      found: new NumberList(),
      shapes: [],
    }));
  }

  /** Merges what a worker found in the states that are next; the search may be over before all of them. */
  take(worker: number, findings: ChunkFindings): void {
    const search = this.#search;
    const sender = this.#senders[worker];
    if (sender === undefined) throw new Error(`there is no worker ${worker}`);
    const isAsItIs = this.#isAsItIs(findings);
    if (!isAsItIs) {
      while (search.expanded < findings.end && !search.isOver()) search.expandNext();
      if (search.isOver()) return;
    }
    this.#replayer.uncounted(() => this.#learn(sender, findings));
    if (isAsItIs) this.#count(sender, findings);
    search.letGo();
  }

  #isAsItIs({ isWhole, found, violated }: ChunkFindings): boolean {
    const { steps } = this.#monitors;
    return (
      isWhole &&
      this.#search.hasRoomFor(found.length / 2) &&
      violated.every((index) => steps[index]?.isBroken === true)
    );
  }

  /** Learns what the worker means by its points and its shapes of transitions. */
  #learn({ found, shapes }: SendingWorker<C>, findings: ChunkFindings): void {
    for (let at = 0; at < findings.found.length; at += 2) {
      const [state, via] = [findings.found[at] ?? 0, findings.found[at + 1] ?? 0];
      const { transition } = this.#replayer.move(state, via);
      found.push(this.#search.number(transition.point, state, via));
    }
    for (let at = 0; at < findings.shapes.length; at += 2) {
      const state = findings.shapes[at] ?? 0;
      const { event, transition } = this.#replayer.move(state, findings.shapes[at + 1] ?? 0);
      shapes.push({ transition, at: this.#search.frontier.at(state).place, event: event.type });
    }
  }

  #count({ found, shapes }: SendingWorker<C>, findings: ChunkFindings): void {
    const { degrees, targets, helps, antecedents, counts, guards } = findings;
    const search = this.#search;
    search.passOver(degrees, targets?.map((to) => (to < 0 ? found.at(~to) : to)) ?? null);
    if (helps !== null) this.#monitors.liveness.onMoves(helps);
    for (const [index, monitor] of this.#monitors.steps.entries()) {
      monitor.count(antecedents[index] ?? 0);
    }
    for (let at = 0; at < counts.length; at += 2) {
      const shape = shapes[counts[at] ?? 0];
      if (shape === undefined)
        throw new Error('a worker counts a transition that it never reported');
      search.coverage.note(shape.transition, shape.at, shape.event, counts[at + 1]);
    }
    addCounts(guards?.passed, this.#stepper.guards?.passed);
    addCounts(guards?.failed, this.#stepper.guards?.failed);
  }
}

type MergerParts<C, E extends EventObject> = {
  readonly search: Search<C, E>;
  readonly monitors: PropertyMonitors<C, E | EventObject>;
  readonly workers: number;
};

function addCounts(counts: Int32Array | undefined, sums: number[] | undefined): void {
  if (counts === undefined || sums === undefined) return;
  for (const [index, count] of counts.entries()) sums[index] = (sums[index] ?? 0) + count;
}

export type WorkerOptions<C = unknown> = CheckOptions<C> & {
  /** How many threads make moves; with one nothing is shared. */
  readonly workers: number;
  /** So few states that wait are expanded here. 0 leaves all to the workers, even while they start. */
  readonly fewest?: number;
};

/** So few states are expanded before they are sent and back. */
const FEWEST = 16;
/** More states than this are not handed out together: others would wait for them in the end. */
const MOST_TOGETHER = 64;
/** States that are expanded here before the search looks whether the workers have started. */
const ALONE_TOGETHER = 16;

/** Checks the model that comes from a source, which workers ask for it as well. */
export async function checkInWorkers<C, E extends EventObject>(
  source: ModelSource,
  options: WorkerOptions<C>,
): Promise<CheckResult<E | EventObject>> {
  const model = await loadModel<C, E>(source);
  // Drafts of factored events are looked at once each: threads that do not share them would look at them all.
  if (options.workers < 2 || model.factored !== undefined) return checkInTurns(model, options);
  const found = chooseStepper(model, options);
  try {
    return await new SharedSearch(source, model, found, options).run();
  } catch (error) {
    return new SharedSearch(source, model, ...startAnew(model, found, { error, options })).run();
  }
}

/** A search that is being shared. */
class SharedSearch<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #found: ChosenStepper<C, E>;
  readonly #stepper: WatchedStepper<C, E>;
  readonly #monitors: PropertyMonitors<C, E | EventObject>;
  readonly #search: Search<C, E>;
  readonly #merge: FindingsMerger<C, E>;
  readonly #source: ModelSource;
  readonly #options: WorkerOptions<C>;
  /** States below this number were handed out, or expanded here. */
  #handed = 0;

  constructor(
    source: ModelSource,
    model: Model<C, E>,
    found: ChosenStepper<C, E>,
    options: WorkerOptions<C>,
  ) {
    const stepper = new WatchedStepper(found.stepper, model, options.purity ?? 'each-step');
    const { monitors, observer, explored } = prepareSearch(model, found, options);
    const { workers } = options;
    this.#model = model;
    this.#found = found;
    this.#stepper = stepper;
    this.#monitors = monitors;
    this.#search = new Search(model, stepper, observer, explored);
    this.#merge = new FindingsMerger(model, stepper, { search: this.#search, monitors, workers });
    this.#source = source;
    this.#options = options;
  }

  async run(): Promise<CheckResult<E | EventObject>> {
    const { only, purity = 'each-step' } = this.#options;
    const workers = new SearchWorkers(this.#options.workers, {
      source: this.#source,
      engine: this.#found.stepper.engine,
      isSymmetric: this.#monitors.isSymmetric,
      only: only ?? null,
      keepsMoves: this.#monitors.liveness.isNeeded,
      purity,
    });
    try {
      while (this.#search.isReplaying && !this.#search.isOver()) await this.#goOnAlone();
      while (!this.#search.isOver()) await this.#advance(workers);
    } finally {
      await workers.end();
    }
    return concludeCheck(
      {
        ...{ model: this.#model, found: this.#found, monitors: this.#monitors },
        ...{ options: this.#options, search: this.#search },
      },
      repeatSteps(this.#search.exploration(), this.#stepper),
    );
  }

  /** Brings the search on by what is at hand, or waits for something. */
  async #advance(workers: SearchWorkers): Promise<void> {
    this.#handOut(workers);
    const search = this.#search;
    const found = workers.take(search.expanded);
    if (found !== null) this.#merge.take(found.worker, found.findings);
    else if (search.expanded < this.#handed || this.#fewest === 0) await workers.awaitMessage();
    else await this.#goOnAlone();
  }

  async #goOnAlone(): Promise<void> {
    const search = this.#search;
    for (let left = ALONE_TOGETHER; left > 0 && !search.isOver(); left--) {
      search.expandNext();
      search.letGo();
    }
    this.#handed = search.expanded;
    // Messages of the workers are heard between two turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }

  get #fewest(): number {
    return this.#options.fewest ?? FEWEST;
  }

  #handOut(workers: SearchWorkers): void {
    const { paths, expanded } = this.#search;
    const isWorthIt = () => this.#handed > expanded || paths.states - this.#handed >= this.#fewest;
    while (this.#handed < paths.states && isWorthIt()) {
      const member = workers.free;
      if (member === null) return;
      const share = Math.ceil((paths.states - this.#handed) / (2 * this.#options.workers));
      const first = this.#handed;
      this.#handed += Math.min(share, MOST_TOGETHER);
      const news = paths.pairs(member.known, paths.states);
      workers.send(member, { first, end: this.#handed, news, done: expanded });
    }
  }
}
