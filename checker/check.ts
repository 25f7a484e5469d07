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
import { type Exploration, explore, type Observer, type Progress } from './explore.ts';
import type { Model, Move, Promised, State } from './model.ts';
import type { Stepper } from './step.ts';
import { Uncompilable } from './uncompilable.ts';
import type { Judged, Trace, Verdict } from './verdict.ts';
import { Waits } from './waits.ts';

export type CheckOptions = {
  readonly budget?: Budget;
  /** Uses the symmetry of the model; promises about what happens at last are then left out. */
  readonly isSymmetric?: boolean;
  /** Only the promises with these names; null for all. */
  readonly only?: readonly string[] | null;
  readonly engine?: Stepper<never, never>['engine'];
  readonly now?: () => number;
  readonly onProgress?: ((progress: Progress) => void) | null;
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
};

export function check<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions = {},
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

type Found<C, E extends EventObject> = {
  readonly stepper: Stepper<C, E>;
  readonly slow: string | null;
};

function checkWith<C, E extends EventObject>(
  model: Model<C, E>,
  { stepper, slow }: Found<C, E>,
  { only, budget, now, onProgress, ...options }: CheckOptions,
): Checked<E | EventObject> {
  const isSymmetric = options.isSymmetric === true && model.symmetry !== undefined;
  // A promise speaks of the world's events; those of timers come by as well, and are of no type that it asks for.
  const promises = model.promises as readonly Promised<C, E | EventObject>[];
  const wanted = promises.filter(({ name }) => only?.includes(name) ?? true);
  const watchers = wanted.map((promised) => new Watcher(promised));
  const waits = new Waits(wanted.filter((promised) => !isSymmetric || canBeExchanged(promised)));
  const exploration = explore(model, stepper, observerOf(watchers, waits), {
    isSymmetric,
    keepsMoves: waits.isNeeded,
    ...(budget === undefined ? {} : { budget }),
    ...(now === undefined ? {} : { now }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const { coverage, states, transitions, depth, frontier, ended, seconds, bytes } = exploration;
  return {
    model: model.name,
    engine: stepper.engine,
    slow,
    isSymmetric,
    ...{ states, transitions, depth, frontier, ended, seconds, bytes },
    broken: brokenIn(exploration),
    judged: watchers.map((watcher) => watcher.judged(exploration, waits)),
    coverage: coverage.report(),
  };
}

/** Whether a promise may be asked of orbits instead of states. */
function canBeExchanged<C, E>(promised: Promised<C, E>): boolean {
  const isLasting = promised.kind === 'eventually' || promised.kind === 'leads-to';
  return !isLasting || promised.isSymmetric === true;
}

/** Shows states and moves to whom they concern; moves only when they concern anybody. */
function observerOf<C, E>(watchers: readonly Watcher<C, E>[], waits: Waits<C, E>): Observer<C, E> {
  const atMoves = watchers.filter(({ looksAtMoves }) => looksAtMoves);
  const waitsAtMoves = waits.looksAtMoves ? waits : null;
  const onMove = (move: Move<C, E>, from: number) => {
    for (const watcher of atMoves) watcher.onMove(move, from);
    waitsAtMoves?.onMove(move);
  };
  return {
    onState: (state, number) => {
      for (const watcher of watchers) watcher.onState(state, number);
      waits.onState(state, number);
    },
    ...(atMoves.length > 0 || waitsAtMoves !== null ? { onMove } : {}),
    onEnd: (state, number) => {
      for (const watcher of watchers) watcher.onEnd(state, number);
    },
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

/** Watches one promise during the exploration. */
class Watcher<C, E> {
  readonly #promised: Promised<C, E>;
  /** Where it was broken first: the state, and the move into it where it is a step. */
  #broken: { readonly state: number; readonly move: Move<C, E> | null } | null = null;
  #witness: number | null = null;
  #antecedents = 0;

  constructor(promised: Promised<C, E>) {
    this.#promised = promised;
  }

  get looksAtMoves(): boolean {
    return this.#promised.kind === 'step';
  }

  onState(state: State<C>, number: number): void {
    const promised = this.#promised;
    if (promised.kind === 'always' && this.#broken === null && !promised.holds(state)) {
      this.#broken = { state: number, move: null };
    }
    if (promised.kind === 'never' && this.#broken === null && promised.holds(state)) {
      this.#broken = { state: number, move: null };
    }
    if (promised.kind === 'sometimes' && this.#witness === null && promised.holds(state)) {
      this.#witness = number;
    }
  }

  onMove(move: Move<C, E>, from: number): void {
    const promised = this.#promised;
    if (promised.kind !== 'step' || this.#broken !== null) return;
    if (promised.when !== undefined && !promised.when(move)) return;
    this.#antecedents += 1;
    if (!promised.holds(move)) this.#broken = { state: from, move };
  }

  onEnd(state: State<C>, number: number): void {
    if (this.#promised.kind === 'deadlock-free' && !state.isDone && this.#broken === null) {
      this.#broken = { state: number, move: null };
    }
  }

  judged(exploration: Exploration<E>, waits: Waits<C, E>): Judged<E> {
    const { name, sentence, kind, expect } = this.#promised;
    return {
      name,
      sentence,
      kind,
      expected: expect ?? 'proved',
      verdict: this.#verdict(exploration, waits),
    };
  }

  #verdict(exploration: Exploration<E>, waits: Waits<C, E>): Verdict<E> {
    const promised = this.#promised;
    if (this.#broken !== null) return violated(this.#broken, exploration);
    if (promised.kind === 'sometimes' && this.#witness !== null) {
      return { type: 'proved', antecedents: 1 };
    }
    if (exploration.ended !== null) {
      return { type: 'incomplete', why: `${exploration.ended} ended the search` };
    }
    switch (promised.kind) {
      case 'sometimes':
        return { type: 'violated', trace: NOWHERE };
      case 'eventually':
      case 'leads-to':
        if (!waits.isAsked(promised)) {
          return {
            type: 'incomplete',
            why: 'not asked modulo symmetry: it is not the same for all',
          };
        }
        return waits.verdict(promised, exploration);
      case 'step':
        if (this.#antecedents > 0) return { type: 'proved', antecedents: this.#antecedents };
        return { type: 'vacuous', why: 'no step ever was one that it speaks of' };
      default:
        return { type: 'proved', antecedents: null };
    }
  }
}

/** What should be seen sometimes was never seen: there is no run to show. */
const NOWHERE: Trace<never> = { events: [], loop: null, excludedBy: [] };

function violated<C, E>(
  { state, move }: { readonly state: number; readonly move: Move<C, E> | null },
  exploration: Exploration<E>,
): Verdict<E> {
  const events = exploration.eventsOf(exploration.wayTo(state));
  return {
    type: 'violated',
    trace: { events: move === null ? events : [...events, move.event], loop: null, excludedBy: [] },
  };
}
