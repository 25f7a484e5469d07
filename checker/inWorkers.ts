/**
 * A check on several threads, which finds exactly what one thread finds.
 *
 * There are many more moves than states. So workers make the moves, each with a state of all states, and the states
 * are numbered here, in the order of one search. Until the workers are there the search goes on alone.
 */
import type { EventObject } from 'xstate';
import {
  type CheckOptions,
  type CheckResult,
  type ChosenStepper,
  check,
  chooseStepper,
  concludeCheck,
  prepareSearch,
} from './check.ts';
import { SearchWorkers } from './crew.ts';
import { createXstateStepper } from './engine.ts';
import { Search } from './explore.ts';
import { FindingsMerger } from './merge.ts';
import type { Model } from './model.ts';
import { loadModel, type ModelSource } from './source.ts';
import { Uncompilable } from './uncompilable.ts';
import type { PropertyMonitors } from './watch.ts';

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
/** So many states are expanded here before it is looked whether workers are there. */
const ALONE_TOGETHER = 16;

/** Checks the model that comes from a source, which workers ask for it as well. */
export async function checkInWorkers<C, E extends EventObject>(
  source: ModelSource,
  options: WorkerOptions<C>,
): Promise<CheckResult<E | EventObject>> {
  const model = await loadModel<C, E>(source);
  if (options.workers < 2) return check(model, options);
  const found = chooseStepper(model, options);
  try {
    return await new SharedSearch(source, model, found, options).run();
  } catch (error) {
    if (!(error instanceof Uncompilable) || found.stepper.engine === 'xstate') throw error;
    const stepper = createXstateStepper<C, E>(model.machine, model.input);
    return new SharedSearch(source, model, { stepper, slow: error.message }, options).run();
  }
}

/** A search that is being shared. */
class SharedSearch<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #found: ChosenStepper<C, E>;
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
    const { stepper } = found;
    const { monitors, observer, explored } = prepareSearch(model, options);
    const { workers } = options;
    this.#model = model;
    this.#found = found;
    this.#monitors = monitors;
    this.#search = new Search(model, stepper, observer, explored);
    this.#merge = new FindingsMerger(model, stepper, { search: this.#search, monitors, workers });
    this.#source = source;
    this.#options = options;
  }

  async run(): Promise<CheckResult<E | EventObject>> {
    const { only } = this.#options;
    const workers = new SearchWorkers(this.#options.workers, {
      source: this.#source,
      engine: this.#found.stepper.engine,
      isSymmetric: this.#monitors.isSymmetric,
      only: only ?? null,
      keepsMoves: this.#monitors.liveness.isNeeded,
    });
    try {
      while (!this.#search.isOver()) await this.#advance(workers);
    } finally {
      await workers.end();
    }
    return concludeCheck(
      { model: this.#model, found: this.#found, monitors: this.#monitors, options: this.#options },
      this.#search.exploration(),
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
