/**
 * Check: judges every promise of a model in one exploration, each with a verdict of its own.
 *
 * Promises about states and steps are looked at as they are found; those about what happens at last are answered from
 * the graph when it is closed. A search that a budget ended proves nothing.
 */
import type { EventObject } from 'xstate';
import type { Budget } from './budget.ts';
import { compiledStepper } from './compiled.ts';
import type { CoverageReport } from './coverage.ts';
import { xstateStepper } from './engine.ts';
import type { Exploration, ExploreOptions, Observer, Progress } from './exploration.ts';
import { explore } from './explore.ts';
import type { Model, Promised, State } from './model.ts';
import type { Stepper } from './step.ts';
import { type Survey, surveyed } from './survey.ts';
import { Uncompilable } from './uncompilable.ts';
import type { Judged, Trace } from './verdict.ts';
import { Watch, wantedOf } from './watch.ts';

export type CheckOptions<C = unknown> = {
  readonly budget?: Budget;
  /** Uses the symmetry of the model; promises about what happens at last are then left out. */
  readonly isSymmetric?: boolean;
  /** Only the promises with these names; null for all. */
  readonly only?: readonly string[] | null;
  readonly engine?: Stepper<never, never>['engine'];
  readonly now?: () => number;
  /** Bytes that are in use, for the budget of bytes. */
  readonly memory?: () => number;
  readonly onProgress?: ((progress: Progress) => void) | null;
  /** Surveys the search as well, for whoever draws it. */
  readonly isSurveyed?: boolean;
  /** Shown every state once, in the order of their numbers; it decides nothing. */
  readonly onState?: (state: State<C>, number: number) => void;
};

export type Checked<E> = {
  readonly model: string;
  readonly engine: 'compiled' | 'xstate';
  /** Why the machine could not be compiled; null when it was. */
  readonly slow: string | null;
  readonly isSymmetric: boolean;
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly frontier: number;
  readonly ended: string | null;
  /** The machine itself broke: a function of it threw, or a step never ended. Null when it did not. */
  readonly broken: { readonly message: string; readonly trace: Trace<E> } | null;
  readonly seconds: number;
  /** Bytes that were kept of the states that were found. */
  readonly bytes: number;
  readonly judged: readonly Judged<E>[];
  readonly coverage: CoverageReport;
  /** Null where nobody asked for it. */
  readonly survey: Survey<E> | null;
};

export function check<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions<C> = {},
): Checked<E | EventObject> {
  const found = stepperFor(model, options);
  try {
    return checkWith(model, found, options);
  } catch (error) {
    if (!(error instanceof Uncompilable) || found.stepper.engine === 'xstate') throw error;
    const stepper = xstateStepper<C, E>(model.machine, model.input);
    return checkWith(model, { stepper, slow: error.message }, options);
  }
}

/** The stepper that serves, and why it is the slow one; null where it is not. */
export type Found<C, E extends EventObject> = {
  readonly stepper: Stepper<C, E>;
  readonly slow: string | null;
};

type Asked<C, E> = {
  readonly watch: Watch<C, E>;
  readonly observer: Observer<C, E>;
  readonly explored: Partial<ExploreOptions>;
};

function checkWith<C, E extends EventObject>(
  model: Model<C, E>,
  found: Found<C, E>,
  options: CheckOptions<C>,
): Checked<E | EventObject> {
  const { watch, observer, explored } = asked(model, options);
  const exploration = explore(model, found.stepper, observer, explored);
  return concluded({ model, found, watch, options }, exploration);
}

/** What a search is asked, and who looks on. */
export function asked<C, E extends EventObject>(
  model: Model<C, E>,
  { only, budget, now, memory, onProgress, onState, ...options }: CheckOptions<C>,
): Asked<C, E | EventObject> {
  const isSymmetric = options.isSymmetric === true && model.symmetry !== undefined;
  // A promise speaks of the world's events; those of timers come by as well, and are of no type that it asks for.
  const promises = wantedOf(model, only ?? null) as readonly Promised<C, E | EventObject>[];
  const watch = new Watch({ promises, isSymmetric });
  const explored = {
    isSymmetric,
    keepsMoves: watch.waits.isNeeded,
    ...(budget === undefined ? {} : { budget }),
    ...(now === undefined ? {} : { now }),
    ...(memory === undefined ? {} : { memory }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  return { watch, observer: watch.observer(onState ?? null), explored };
}

/** Who looked at what. */
export type Concluding<C, E extends EventObject> = {
  readonly model: Model<C, E>;
  readonly found: Found<C, E>;
  readonly watch: Watch<C, E | EventObject>;
  readonly options: CheckOptions<C>;
};

/** What an exploration found out about a model. */
export function concluded<C, E extends EventObject>(
  { model, found, watch, options }: Concluding<C, E>,
  exploration: Exploration<E | EventObject>,
): Checked<E | EventObject> {
  const { stepper, slow } = found;
  const judged = watch.judged(exploration);
  const isSurveyed = options.isSurveyed === true && exploration.broken === null;
  const { coverage, states, transitions, depth, frontier, ended, seconds, bytes } = exploration;
  return {
    model: model.name,
    engine: stepper.engine,
    slow,
    isSymmetric: watch.isSymmetric,
    ...{ states, transitions, depth, frontier, ended, seconds, bytes },
    broken: brokenIn(exploration),
    judged,
    coverage: coverage.report(),
    survey: isSurveyed ? surveyed(exploration, judged, watch.witnesses()) : null,
  };
}

function brokenIn<E>(exploration: Exploration<E>): Checked<E>['broken'] {
  const { broken, eventsOf, wayTo } = exploration;
  if (broken === null) return null;
  const { event, message, state } = broken;
  const events = event === null ? [] : [...eventsOf(wayTo(state)), event];
  return { message, trace: { events, loop: null, excludedBy: [] } };
}

/** The compiled stepper, or XState's engine with the reason why. */
export function stepperFor<C, E extends EventObject>(
  { machine, input }: Model<C, E>,
  { engine }: Pick<CheckOptions, 'engine'> = {},
): Found<C, E> {
  if (engine === 'xstate')
    return { stepper: xstateStepper(machine, input), slow: 'it was asked for' };
  try {
    return { stepper: compiledStepper<C, E>(machine, input), slow: null };
  } catch (error) {
    if (!(error instanceof Uncompilable)) throw error;
    return { stepper: xstateStepper(machine, input), slow: error.message };
  }
}
