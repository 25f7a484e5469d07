/**
 * A check on several threads, which finds exactly what one thread finds.
 *
 * There are many more moves than states. So workers make the moves, each with a replica of all states, and the states
 * are numbered here, in the order of one search. Until the workers are there the search goes on alone.
 */
import type { EventObject } from 'xstate';
import {
  asked,
  type Checked,
  type CheckOptions,
  check,
  concluded,
  type Found,
  stepperFor,
} from './check.ts';
import { Crew } from './crew.ts';
import { xstateStepper } from './engine.ts';
import { Search } from './explore.ts';
import { Merge } from './merge.ts';
import type { Model } from './model.ts';
import { modelFrom, type Source } from './source.ts';
import { Uncompilable } from './uncompilable.ts';
import type { Watch } from './watch.ts';

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
  source: Source,
  options: WorkerOptions<C>,
): Promise<Checked<E | EventObject>> {
  const model = await modelFrom<C, E>(source);
  if (options.workers < 2) return check(model, options);
  const found = stepperFor(model, options);
  try {
    return await new Sharing(source, model, found, options).run();
  } catch (error) {
    if (!(error instanceof Uncompilable) || found.stepper.engine === 'xstate') throw error;
    const stepper = xstateStepper<C, E>(model.machine, model.input);
    return new Sharing(source, model, { stepper, slow: error.message }, options).run();
  }
}

/** A search that is being shared. */
class Sharing<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #found: Found<C, E>;
  readonly #watch: Watch<C, E | EventObject>;
  readonly #search: Search<C, E>;
  readonly #merge: Merge<C, E>;
  readonly #source: Source;
  readonly #options: WorkerOptions<C>;
  /** States below this number were handed out, or expanded here. */
  #handed = 0;

  constructor(source: Source, model: Model<C, E>, found: Found<C, E>, options: WorkerOptions<C>) {
    const { stepper } = found;
    const { watch, observer, explored } = asked(model, options);
    const { workers } = options;
    this.#model = model;
    this.#found = found;
    this.#watch = watch;
    this.#search = new Search(model, stepper, observer, explored);
    this.#merge = new Merge(model, stepper, { search: this.#search, watch, workers });
    this.#source = source;
    this.#options = options;
  }

  async run(): Promise<Checked<E | EventObject>> {
    const { workers, only } = this.#options;
    const crew = new Crew(workers, {
      source: this.#source,
      engine: this.#found.stepper.engine,
      isSymmetric: this.#watch.isSymmetric,
      only: only ?? null,
      keepsMoves: this.#watch.waits.isNeeded,
    });
    try {
      while (!this.#search.isOver()) await this.#advance(crew);
    } finally {
      await crew.end();
    }
    return concluded(
      { model: this.#model, found: this.#found, watch: this.#watch, options: this.#options },
      this.#search.exploration(),
    );
  }

  /** Brings the search on by what is at hand, or waits for something. */
  async #advance(crew: Crew): Promise<void> {
    this.#handOut(crew);
    const search = this.#search;
    const found = crew.take(search.expanded);
    if (found !== null) this.#merge.take(found.worker, found.findings);
    else if (search.expanded < this.#handed || this.#fewest === 0) await crew.arrival();
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

  #handOut(crew: Crew): void {
    const { ways, expanded } = this.#search;
    const isWorthIt = () => this.#handed > expanded || ways.states - this.#handed >= this.#fewest;
    while (this.#handed < ways.states && isWorthIt()) {
      const member = crew.free;
      if (member === null) return;
      const share = Math.ceil((ways.states - this.#handed) / (2 * this.#options.workers));
      const first = this.#handed;
      this.#handed += Math.min(share, MOST_TOGETHER);
      const news = ways.pairs(member.known, ways.states);
      crew.hand(member, { first, end: this.#handed, news, done: expanded });
    }
  }
}
