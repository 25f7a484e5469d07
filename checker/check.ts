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
import { type Exploration, explore, type Progress } from './explore.ts';
import type { Model, Move, Promised, State } from './model.ts';
import type { Stepper } from './step.ts';
import { Uncompilable } from './uncompilable.ts';
import type { Judged, Trace, Verdict } from './verdict.ts';
import { Waits } from './waits.ts';

export type CheckOptions = {
  readonly budget?: Budget;
  /** Uses the symmetry of the model; promises about what happens at last are then left out. */
  readonly isSymmetric?: boolean;
  /** Only the promises with these names. */
  readonly only?: readonly string[];
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
  readonly seconds: number;
  readonly judged: readonly Judged<E>[];
  readonly coverage: CoverageReport;
};

export function check<C, E extends EventObject>(
  model: Model<C, E>,
  options: CheckOptions = {},
): Checked<E | EventObject> {
  const { stepper, slow } = stepperFor(model, options);
  const isSymmetric = options.isSymmetric === true && model.symmetry !== undefined;
  const wanted = model.promises.filter(({ name }) => options.only?.includes(name) ?? true);
  const watchers = wanted.map((promised) => new Watcher<C, E | EventObject>(promised));
  const waits = isSymmetric ? null : new Waits<C, E | EventObject>(wanted);
  const exploration = explore(
    model,
    stepper,
    {
      onState: (state, number) => {
        for (const watcher of watchers) watcher.onState(state, number);
        waits?.onState(state, number);
      },
      onMove: (move, from, to) => {
        for (const watcher of watchers) watcher.onMove(move, from, to);
        waits?.onMove(move, from);
      },
      onEnd: (state, number) => {
        for (const watcher of watchers) watcher.onEnd(state, number);
      },
    },
    {
      isSymmetric,
      keepsMoves: waits?.isNeeded === true,
      ...(options.budget === undefined ? {} : { budget: options.budget }),
      ...(options.now === undefined ? {} : { now: options.now }),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    },
  );
  const { coverage, states, transitions, depth, frontier, ended, seconds } = exploration;
  return {
    model: model.name,
    engine: stepper.engine,
    slow,
    isSymmetric,
    ...{ states, transitions, depth, frontier, ended, seconds },
    judged: watchers.map((watcher) => watcher.judged(exploration, waits)),
    coverage: coverage.report(),
  };
}

/** The compiled stepper, or XState's engine with the reason why. */
export function stepperFor<C, E extends EventObject>(
  { machine, input }: Model<C, E>,
  { engine }: Pick<CheckOptions, 'engine'> = {},
): { readonly stepper: Stepper<C, E>; readonly slow: string | null } {
  if (engine === 'xstate')
    return { stepper: xstateStepper(machine, input), slow: 'it was asked for' };
  try {
    const stepper = compiledStepper<C, E>(machine, input);
    stepper.initial();
    return { stepper, slow: null };
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

  onMove(move: Move<C, E>, from: number, _to: number): void {
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

  judged(exploration: Exploration<E>, waits: Waits<C, E> | null): Judged<E> {
    const { name, sentence, kind, expect } = this.#promised;
    return {
      name,
      sentence,
      kind,
      expected: expect ?? 'proved',
      verdict: this.#verdict(exploration, waits),
    };
  }

  #verdict(exploration: Exploration<E>, waits: Waits<C, E> | null): Verdict<E> {
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
        if (waits === null) return { type: 'incomplete', why: 'not asked under symmetry' };
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
