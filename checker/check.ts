/** Judges a model in one exploration: states and steps while it searches, liveness in the complete graph. */
import type { EventObject } from 'xstate';
import { compileStepper } from './compile.ts';
import type { CoverageReport, TransitionCounts } from './coverage.ts';
import { type Exploration, type ExploreOptions, Search } from './explore.ts';
import {
  createTrace,
  type Model,
  type Property,
  type PropertyResult,
  type State,
  type Trace,
} from './model.ts';
import { PropertyMonitors } from './properties.ts';
import { PURITY_CODES, WatchedStepper } from './purity.ts';
import { describeError, describeFault, type MachineStepper, Uncompilable } from './stepper.ts';
import { describeSteps } from './steps.ts';
import { BrokenSymmetry } from './symmetryTest.ts';
import { isObject, remember } from './values.ts';
import { createXstateStepper } from './xstateStepper.ts';

/** Above this number of states, a graph only counts the states at each depth. */
const MOST_GRAPH_STATES = 20_000;
/** Above this number of moves, a graph omits them. */
const MOST_GRAPH_MOVES = 60_000;

/** A run, and the numbers of the states on it, including the start. */
export type GraphRun<E> = { readonly trace: Trace<E>; readonly states: readonly number[] };

export type StateGraph<E> = {
  readonly depths: readonly number[];
  /** The predecessor through which each state was found, or -1 for the first. Null for a graph with too many states. */
  readonly parents: readonly number[] | null;
  /** Moves to known states: from, to, from, to. Null if they were not kept or are too many. */
  readonly others: readonly number[] | null;
  readonly counts: TransitionCounts;
  readonly places: Pick<PlaceCounts, 'names' | 'nodes' | 'counts' | 'of'>;
  /** By property name: a violating run, or a shortest run to the state of a `sometimes` property. */
  readonly runs: ReadonlyMap<string, GraphRun<E>>;
};

/** The place of each of the first states, and the number of states at each place with the ids of its nodes. */
class PlaceCounts {
  readonly names: string[] = [];
  readonly nodes: (readonly string[])[] = [];
  readonly of: number[] = [];
  readonly counts: number[] = [];
  readonly #numbers = new Map<State<unknown>['nodes'], number>();

  /** States come in order of their numbers. Number 0 comes again when another engine takes over. */
  note({ at, nodes }: State<unknown>, state: number): void {
    if (state === 0) {
      this.#numbers.clear();
      for (const list of [this.names, this.nodes, this.of, this.counts]) list.length = 0;
    }
    const place = remember(this.#numbers, nodes, () => this.names.length);
    if (place === this.names.length) {
      this.names.push(at);
      this.nodes.push(nodes.map(({ id }) => id));
    }
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    if (state < MOST_GRAPH_STATES) this.of[state] = place;
  }
}

function describeGraph<E>(
  exploration: Exploration<E>,
  results: readonly PropertyResult<E>[],
  witnesses: readonly { readonly name: string; readonly state: number }[],
  places: PlaceCounts,
): StateGraph<E> {
  const { paths, states, coverage, statesOf, eventsOf } = exploration;
  const parents = states > MOST_GRAPH_STATES ? null : paths.parents;
  const runs = new Map<string, GraphRun<E>>();
  const follow = (name: string, trace: Trace<E>) =>
    runs.set(name, { trace, states: statesOf(trace.events) });
  for (const { name, state } of witnesses) follow(name, createTrace(eventsOf(paths.pathTo(state))));
  for (const { name, verdict, kind } of results) {
    if (verdict.type === 'violated' && kind !== 'sometimes') follow(name, verdict.trace);
  }
  return {
    depths: paths.depths,
    parents,
    others: parents === null ? null : listOtherMoves(exploration, parents),
    counts: coverage.counts(),
    places,
    runs,
  };
}

/** Each move once, without self-loops and without the moves through which states were found. */
function listOtherMoves<E>(
  { graph, frontier, states, parts }: Exploration<E>,
  parents: readonly number[],
): readonly number[] | null {
  if (graph.outerMoves === 0 || parts !== null) return null;
  const found: number[] = [];
  for (let from = 0; from < states - frontier; from++) {
    const targets = new Set<number>();
    for (const move of graph.movesOf(from)) {
      const to = graph.target(move);
      if (to !== from && parents[to] !== from) targets.add(to);
    }
    for (const to of targets) found.push(from, to);
    if (found.length > 2 * MOST_GRAPH_MOVES) return null;
  }
  return found;
}

export type CheckOptions<C = unknown> = Partial<Omit<ExploreOptions, 'keepsMoves'>> & {
  /** Only the properties with these names, or null for all. */
  readonly only?: readonly string[] | null;
  readonly engine?: MachineStepper<never, never>['engine'];
  readonly keepsGraph?: boolean;
  /** Receives every state once, in the order of their numbers. It cannot affect the search. */
  readonly onState?: (state: State<C>, number: number) => void;
};

export type CheckResult<E> = Pick<
  Exploration<E>,
  'states' | 'transitions' | 'parts' | 'depth' | 'frontier' | 'ended' | 'seconds' | 'bytes'
> & {
  readonly model: string;
  readonly engine: 'compiled' | 'xstate';
  /** Why the machine could not be compiled, or null if it was. */
  readonly slow: string | null;
  readonly isSymmetric: boolean;
  /** Set when the machine broke: a function threw, or a step never ended. Otherwise null. */
  readonly broken: {
    readonly message: string;
    /** Such as `machine/threw` or `machine/not-repeatable`. */
    readonly code: string;
    readonly trace: Trace<E>;
  } | null;
  readonly results: readonly PropertyResult<E>[];
  readonly coverage: CoverageReport;
  readonly graph: StateGraph<E> | null;
};

export function check<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions<C> = {},
): CheckResult<E | EventObject> {
  const turns = searchInTurns(model, options, () => () => false);
  let turn = turns.next();
  while (turn.done !== true) turn = turns.next();
  return turn.value;
}

const TURN_MS = 50;

export async function checkInTurns<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions<C> = {},
): Promise<CheckResult<E | EventObject>> {
  const turns = searchInTurns(model, options, () => {
    const end = performance.now() + TURN_MS;
    return () => performance.now() >= end;
  });
  let turn = turns.next();
  for (; turn.done !== true; turn = turns.next())
    await new Promise((resolve) => setTimeout(resolve));
  return turn.value;
}

type ChosenStepper<C, E extends EventObject> = {
  readonly stepper: MachineStepper<C, E>;
  readonly slow: string | null;
};

/** Begins again without a broken symmetry, and with XState's engine for a feature that the compiled stepper lacks. */
function* searchInTurns<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions<C>,
  beginTurn: () => () => boolean,
): Generator<void, CheckResult<E | EventObject>, void> {
  let found = chooseStepper(model, options);
  let unlike: BrokenSymmetry | null = null;
  for (;;) {
    const isSymmetric = options.isSymmetric === true && unlike === null;
    try {
      const { search, conclude } = startSearch(model, found, { ...options, isSymmetric });
      while (!search.isOver()) {
        search.goOn(beginTurn());
        yield;
      }
      const checked = conclude();
      if (unlike === null) return checked;
      const finding = describeSymmetry(model, unlike, found.stepper);
      return { ...checked, results: [...checked.results, finding] };
    } catch (error) {
      if (error instanceof BrokenSymmetry) unlike = error;
      else if (!(error instanceof Uncompilable)) throw error;
      else
        found = { stepper: createXstateStepper(model.machine, model.input), slow: error.message };
    }
  }
}

function startSearch<C, E extends EventObject>(
  model: Model<C, E>,
  found: ChosenStepper<C, E>,
  options: CheckOptions<C>,
) {
  const places = options.keepsGraph === true ? new PlaceCounts() : null;
  const isSymmetric = options.isSymmetric === true && model.symmetry !== undefined;
  const asked = model.properties.filter(({ name }) => options.only?.includes(name) ?? true);
  // A property declares only the world's event types, but its monitor also receives timer events.
  const properties = asked as readonly Property<C, E | EventObject>[];
  const monitors = new PropertyMonitors(properties, isSymmetric);
  const observer = monitors.observer((state, number) => {
    places?.note(state, number);
    options.onState?.(state, number);
  });
  const stepper = new WatchedStepper(found.stepper, model, options.purity ?? 'each-step');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const search = new Search(model, stepper, observer, {
    ...Object.fromEntries(given),
    isSymmetric,
    keepsMoves: monitors.liveness.properties.length > 0 || places !== null,
  });
  const conclude = () => ({
    model: model.name,
    ...concludeCheck(repeatSteps(search.exploration(), stepper), found, monitors, places),
  });
  return { search, conclude };
}

function describeSymmetry<C, E extends EventObject>(
  { symmetry }: Model<C, E>,
  { events, message: why }: BrokenSymmetry,
  stepper: MachineStepper<C, E>,
): PropertyResult<E | EventObject> {
  return {
    name: 'exchange-changes-nothing',
    sentence: `Exchanging ${symmetry?.name} changes nothing else.`,
    kind: 'symmetry',
    expected: 'proved',
    verdict: withSteps({ type: 'violated', trace: createTrace(events), why } as const, stepper),
  };
}

/** Repeats some steps at the end. If the machine now behaves differently, the exploration proves nothing. */
function repeatSteps<E>(
  exploration: Exploration<E>,
  stepper: Pick<WatchedStepper<never, never>, 'repeat'>,
): Exploration<E> {
  if (exploration.broken !== null) return exploration;
  try {
    stepper.repeat();
    return exploration;
  } catch (error) {
    const broken = { state: 0, event: null, ...describeFault(error) };
    return { ...exploration, broken, ended: `an error (${broken.message})` };
  }
}

function concludeCheck<C, E extends EventObject>(
  exploration: Exploration<E | EventObject>,
  { stepper, slow }: ChosenStepper<C, E>,
  monitors: PropertyMonitors<C, E | EventObject>,
  places: PlaceCounts | null,
): Omit<CheckResult<E | EventObject>, 'model'> {
  const { broken, states, transitions, parts, depth, frontier, ended } = exploration;
  const { coverage, seconds, bytes } = exploration;
  const results = PURITY_CODES.some((code) => code === broken?.code)
    ? monitors.withhold(`the machine is not pure (${broken?.message})`)
    : monitors.conclude(exploration);
  return {
    engine: stepper.engine,
    slow,
    isSymmetric: monitors.isSymmetric,
    ...{ states, transitions, parts, depth, frontier, ended, seconds, bytes },
    broken: withSteps(describeFailure(exploration), stepper),
    // A state that was never reached has no run.
    results: results.map((result) =>
      result.kind === 'sometimes'
        ? result
        : { ...result, verdict: withSteps(result.verdict, stepper) },
    ),
    coverage: coverage.report(),
    graph:
      places === null || broken !== null
        ? null
        : describeGraph(exploration, results, monitors.witnesses(), places),
  };
}

function withSteps<C, E extends EventObject, T>(shown: T, stepper: MachineStepper<C, E>): T {
  if (!isObject(shown) || !('trace' in shown)) return shown;
  const trace = shown.trace as Trace<E>; // only traces have this name
  return { ...shown, trace: { ...trace, steps: describeSteps(stepper, trace.events) } };
}

function describeFailure<E>({ broken, eventsOf, paths }: Exploration<E>): CheckResult<E>['broken'] {
  if (broken === null) return null;
  const { event, message, code, state } = broken;
  let events: readonly E[] = event === null ? [] : [event];
  try {
    if (event !== null) events = [...eventsOf(paths.pathTo(state)), event];
  } catch {
    // An impure machine may offer no path back to this state.
  }
  return { message, code, trace: createTrace(events) };
}

/** The compiled stepper, or XState's engine with the reason. */
export function chooseStepper<C, E extends EventObject>(
  { machine, input }: Model<C, E>,
  { engine }: Pick<CheckOptions, 'engine'> = {},
): ChosenStepper<C, E> {
  if (engine === 'xstate')
    return { stepper: createXstateStepper(machine, input), slow: 'it was requested' };
  try {
    return { stepper: compileStepper<C, E>(machine, input), slow: null };
  } catch (error) {
    // A broken chart is refused when the search begins.
    return { stepper: createXstateStepper(machine, input), slow: describeError(error) };
  }
}
