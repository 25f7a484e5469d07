/**
 * Check: judges every property of a model in one exploration, each with a verdict of its own.
 *
 * Properties about states and steps are looked at as they are found; those about what happens at last are answered from
 * the graph when it is closed. A search that a budget ended proves nothing.
 */

import type { EventObject } from 'xstate';
import { compileStepper } from './compile.ts';
import type { CoverageReport, TransitionCounts } from './coverage.ts';
import type { PartCounts } from './draftSearch.ts';
import {
  type Exploration,
  type ExploreOptions,
  Search,
  type SearchObserver,
  type SearchProgress,
} from './explore.ts';
import type { Model, Property, PropertyResult, SearchBudget, State, Trace } from './model.ts';
import { PropertyMonitors, selectProperties } from './properties.ts';
import { PURITY_CODES, type PurityWatch, WatchedStepper } from './purity.ts';
import { MachineFault, type MachineStepper, Uncompilable } from './stepper.ts';
import { createXstateStepper } from './xstateStepper.ts';

/** A graph with more states than this has only their number at each depth. */
export const MOST_GRAPH_STATES = 20_000;
/** A graph with more moves than this leaves them out. */
const MOST_GRAPH_MOVES = 60_000;

/** A run, and the numbers of the states that it passes, the beginning included. */
export type GraphRun<E> = { readonly trace: Trace<E>; readonly states: readonly number[] };

export type StateGraph<E> = {
  /** How many states were found at each depth. */
  readonly depths: readonly number[];
  /** The state from which each was found, -1 for the first; null where there are too many. */
  readonly parents: readonly number[] | null;
  /** Moves that found nothing new: from, to, from, to. Null where they were not kept, or are too many. */
  readonly others: readonly number[] | null;
  readonly counts: TransitionCounts;
  /** By the name of the property: what breaks it, or the nearest state that was to be seen sometimes. */
  readonly runs: ReadonlyMap<string, GraphRun<E>>;
};

function describeGraph<E>(
  exploration: Exploration<E>,
  results: readonly PropertyResult<E>[],
  witnesses: readonly { readonly name: string; readonly state: number }[],
): StateGraph<E> {
  const { paths, states, coverage } = exploration;
  const parents = states > MOST_GRAPH_STATES ? null : paths.parents;
  const runs = new Map<string, GraphRun<E>>();
  for (const { name, state } of witnesses) {
    const events = exploration.eventsOf(exploration.pathTo(state));
    runs.set(name, followRun({ events, loop: null, excludedBy: [] }, exploration));
  }
  for (const { name, verdict, kind } of results) {
    if (verdict.type !== 'violated' || kind === 'sometimes') continue;
    runs.set(name, followRun(verdict.trace, exploration));
  }
  return {
    depths: paths.depths,
    parents,
    others: parents === null ? null : listOtherMoves(exploration, parents),
    counts: coverage.counts(),
    runs,
  };
}

function followRun<E>(trace: Trace<E>, { statesOf }: Exploration<E>): GraphRun<E> {
  return { trace, states: statesOf(trace.events) };
}

/** Each move once, without those by which a state was found and those that stay where they are. */
function listOtherMoves<E>(
  { moves, frontier, states, parts }: Exploration<E>,
  parents: readonly number[],
): readonly number[] | null {
  if (moves.length === 0 || parts !== null) return null;
  const found: number[] = [];
  for (let from = 0; from < states - frontier; from++) {
    const targets = new Set<number>();
    for (let move = moves.first(from); move < moves.end(from); move++) {
      const to = moves.target(move);
      if (to !== from && parents[to] !== from) targets.add(to);
    }
    for (const to of targets) found.push(from, to);
    if (found.length > 2 * MOST_GRAPH_MOVES) return null;
  }
  return found;
}

export type CheckOptions<C = unknown> = {
  readonly budget?: SearchBudget;
  /** Uses the symmetry of the model; properties about what happens at last are then left out. */
  readonly isSymmetric?: boolean;
  /** Only the properties with these names; null for all. */
  readonly only?: readonly string[] | null;
  readonly engine?: MachineStepper<never, never>['engine'];
  /** How closely the machine is watched for functions that are not pure; `each-step` unless set. */
  readonly purity?: PurityWatch;
  readonly now?: () => number;
  /** Bytes that are in use, for the budget of bytes. */
  readonly memory?: () => number;
  readonly onProgress?: ((progress: SearchProgress) => void) | null;
  /** Also returns the graph of the search, to be drawn. */
  readonly keepsGraph?: boolean;
  /** Ends the search as soon as it is aborted, as a budget does. */
  readonly signal?: AbortSignal;
  /** Shown every state once, in the order of their numbers; it decides nothing. */
  readonly onState?: (state: State<C>, number: number) => void;
};

export type CheckResult<E> = {
  readonly model: string;
  readonly engine: 'compiled' | 'xstate';
  /** Why the machine could not be compiled; null when it was. */
  readonly slow: string | null;
  readonly isSymmetric: boolean;
  readonly states: number;
  readonly transitions: number;
  /** What was searched within factored events; null where the model has none. */
  readonly parts: PartCounts | null;
  readonly depth: number;
  readonly frontier: number;
  readonly ended: string | null;
  /** The machine itself broke: a function of it threw, or a step never ended. Null when it did not. */
  readonly broken: {
    readonly message: string;
    /** Such as `machine/threw` or `machine/not-repeatable`. */
    readonly code: string;
    readonly trace: Trace<E>;
  } | null;
  readonly seconds: number;
  /** Bytes that were kept of the states that were found. */
  readonly bytes: number;
  readonly results: readonly PropertyResult<E>[];
  readonly coverage: CoverageReport;
  /** Null unless `keepsGraph` was set. */
  readonly graph: StateGraph<E> | null;
};

export function check<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions<C> = {},
): CheckResult<E | EventObject> {
  const found = chooseStepper(model, options);
  try {
    return new PropertySearch(model, found, options).run();
  } catch (error) {
    return new PropertySearch(model, startAnew(model, found, error), options).run();
  }
}

/** The same search, which gives way to everything else that the process does, twenty times a second. */
export async function checkInTurns<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions<C> = {},
): Promise<CheckResult<E | EventObject>> {
  const found = chooseStepper(model, options);
  try {
    return await new PropertySearch(model, found, options).runInTurns();
  } catch (error) {
    return new PropertySearch(model, startAnew(model, found, error), options).runInTurns();
  }
}

/** XState's engine, if the compiled stepper met something that it does not know; the search then starts over. */
function startAnew<C, E extends EventObject>(
  { machine, input }: Model<C, E>,
  { stepper }: ChosenStepper<C, E>,
  error: unknown,
): ChosenStepper<C, E> {
  if (!(error instanceof Uncompilable) || stepper.engine === 'xstate') throw error;
  return { stepper: createXstateStepper(machine, input), slow: error.message };
}

/** The stepper that serves, and why it is the slow one; null where it is not. */
type ChosenStepper<C, E extends EventObject> = {
  readonly stepper: MachineStepper<C, E>;
  readonly slow: string | null;
};

type PreparedSearch<C, E> = {
  readonly monitors: PropertyMonitors<C, E>;
  readonly observer: SearchObserver<C, E>;
  readonly explored: Partial<ExploreOptions>;
};

/** So long the rest of the process waits. */
const TURN_MS = 50;

class PropertySearch<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #found: ChosenStepper<C, E>;
  readonly #options: CheckOptions<C>;
  readonly #monitors: PropertyMonitors<C, E | EventObject>;
  readonly #stepper: WatchedStepper<C, E>;
  readonly #search: Search<C, E>;

  constructor(model: Model<C, E>, found: ChosenStepper<C, E>, options: CheckOptions<C>) {
    const { monitors, observer, explored } = prepareSearch(model, options);
    this.#model = model;
    this.#found = found;
    this.#options = options;
    this.#monitors = monitors;
    this.#stepper = new WatchedStepper(found.stepper, model, options.purity ?? 'each-step');
    this.#search = new Search(model, this.#stepper, observer, explored);
  }

  run(): CheckResult<E | EventObject> {
    this.#search.goOn(() => false);
    return this.#conclude();
  }

  async runInTurns(): Promise<CheckResult<E | EventObject>> {
    while (!this.#search.isOver()) {
      const end = performance.now() + TURN_MS;
      this.#search.goOn(() => performance.now() >= end);
      await new Promise((resolve) => setTimeout(resolve));
    }
    return this.#conclude();
  }

  #conclude(): CheckResult<E | EventObject> {
    const finished = {
      ...{ model: this.#model, found: this.#found },
      ...{ monitors: this.#monitors, options: this.#options },
    };
    return concludeCheck(finished, repeatSteps(this.#search.exploration(), this.#stepper));
  }
}

/** An exploration of a machine that does something else by now shows nothing. */
function repeatSteps<E>(
  exploration: Exploration<E>,
  stepper: Pick<WatchedStepper<never, never>, 'repeat'>,
): Exploration<E> {
  if (exploration.broken !== null) return exploration;
  try {
    stepper.repeat();
    return exploration;
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof MachineFault ? error.code : 'machine/threw';
    const broken = { state: 0, event: null, message, code };
    return { ...exploration, broken, ended: `an error (${message})` };
  }
}

/** What a search is asked, and who looks on. */
export function prepareSearch<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions<C>,
): PreparedSearch<C, E | EventObject> {
  const { only, budget, now, memory, onProgress, onState, signal } = options;
  const isSymmetric = options.isSymmetric === true && model.symmetry !== undefined;
  // A property speaks of the world's events; those of timers come by as well, and are of no type that it asks for.
  const properties = selectProperties(model, only ?? null) as readonly Property<
    C,
    E | EventObject
  >[];
  const monitors = new PropertyMonitors({ properties, isSymmetric });
  const explored = {
    isSymmetric,
    keepsMoves: monitors.liveness.isNeeded,
    ...(budget === undefined ? {} : { budget }),
    ...(now === undefined ? {} : { now }),
    ...(memory === undefined ? {} : { memory }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  };
  return { monitors, observer: monitors.observer(onState ?? null), explored };
}

/** Who looked at what. */
type FinishedSearch<C, E extends EventObject> = {
  readonly model: Model<C, E>;
  readonly found: ChosenStepper<C, E>;
  readonly monitors: PropertyMonitors<C, E | EventObject>;
  readonly options: CheckOptions<C>;
};

/** What an exploration found out about a model. */
export function concludeCheck<C, E extends EventObject>(
  finished: FinishedSearch<C, E>,
  exploration: Exploration<E | EventObject>,
): CheckResult<E | EventObject> {
  const { model, found, monitors, options } = finished;
  const { stepper, slow } = found;
  const results = isImpure(exploration)
    ? monitors.withhold(`the machine is not pure (${exploration.broken?.message})`)
    : monitors.conclude(exploration);
  const keepsGraph = options.keepsGraph === true && exploration.broken === null;
  const { coverage, states, transitions, parts, depth, frontier, ended } = exploration;
  const { seconds, bytes } = exploration;
  return {
    model: model.name,
    engine: stepper.engine,
    slow,
    isSymmetric: monitors.isSymmetric,
    ...{ states, transitions, parts, depth, frontier, ended, seconds, bytes },
    broken: describeFailure(exploration),
    results,
    coverage: coverage.report(),
    graph: keepsGraph ? describeGraph(exploration, results, monitors.witnesses()) : null,
  };
}

function describeFailure<E>(exploration: Exploration<E>): CheckResult<E>['broken'] {
  const { broken, eventsOf, pathTo } = exploration;
  if (broken === null) return null;
  const { event, message, code, state } = broken;
  const trace = { loop: null, excludedBy: [] };
  if (event === null) return { message, code, trace: { ...trace, events: [] } };
  try {
    const events = [...eventsOf(pathTo(state)), event];
    return { message, code, trace: { ...trace, events } };
  } catch {
    // Where steps cannot be repeated there may be no way back to this state.
    return { message, code, trace: { ...trace, events: [event] } };
  }
}

/** A machine that changes or forgets itself: nothing that was found about it counts. */
function isImpure<E>({ broken }: Exploration<E>): boolean {
  return broken !== null && PURITY_CODES.some((code) => code === broken.code);
}

/** The compiled stepper, or XState's engine with the reason why. */
export function chooseStepper<C, E extends EventObject>(
  { machine, input }: Model<C, E>,
  { engine }: Pick<CheckOptions, 'engine'> = {},
): ChosenStepper<C, E> {
  if (engine === 'xstate')
    return { stepper: createXstateStepper(machine, input), slow: 'it was requested' };
  try {
    return { stepper: compileStepper<C, E>(machine, input), slow: null };
  } catch (error) {
    if (!(error instanceof Uncompilable)) throw error;
    return { stepper: createXstateStepper(machine, input), slow: error.message };
  }
}
