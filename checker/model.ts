/**
 * A model is a machine as it runs in production, its possible events in each state without its timers, and properties,
 * which are plain data and can be written without importing the checker.
 */
import type { AnyStateMachine, AnyStateNode, EventObject } from 'xstate';
import type { Codec } from './parts.ts';
import {
  type GivenSnapshots,
  listRunning,
  type MachineEffect,
  type MachinePoint,
} from './stepper.ts';
import type { TraceStep } from './steps.ts';

/** A state as properties see it, named as in the chart. */
export type State<C> = {
  /** The active leaves, such as "discussion.bidding". With parallel regions joined by " & ". */
  readonly at: string;
  readonly tags: ReadonlySet<string>;
  readonly context: C;
  /** `stopped` occurs only on a running actor. */
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  /** Whether it ended in a final state. A machine that failed or was stopped is not done. */
  readonly isDone: boolean;
  /** The active nodes of the chart. Unlike `at`, they tell states with odd names apart. */
  readonly nodes: readonly AnyStateNode[];
  /** Sorted ids of the running children, invoked or spawned. */
  readonly children: readonly string[];
};

export type MachineStep<C, E> = {
  readonly before: State<C>;
  readonly event: E;
  readonly after: State<C>;
  readonly effects: readonly MachineEffect[];
};

export type MachineStart<C> = {
  readonly state: State<C>;
  readonly effects: readonly MachineEffect[];
};

/** Weak fairness: a move that `helps` selects and that stays possible is eventually made. Reports print `name`. */
export type Fairness<C, E> = {
  readonly name: string;
  readonly helps: (state: State<C>, event: E) => boolean;
};

/** A property. Reports print `sentence`. */
export type Property<C, E> = {
  readonly name: string;
  readonly sentence: string;
  readonly expect?: 'violated';
} & (
  | {
      readonly kind: 'always' | 'never' | 'sometimes';
      readonly holds: (state: State<C>) => boolean;
    }
  /** `when` selects the steps. Without any such step the property is vacuous. A text says why it does not hold. */
  | {
      readonly kind: 'step';
      readonly holds: (move: MachineStep<C, E>) => boolean | string;
      readonly when?: (move: MachineStep<C, E>) => boolean;
    }
  | { readonly kind: 'start'; readonly holds: (start: MachineStart<C>) => boolean | string }
  | { readonly kind: 'deadlock-free' }
  | (LivenessFields<C, E> & { readonly kind: 'eventually' })
  | (LivenessFields<C, E> & {
      readonly kind: 'leads-to';
      readonly from: (state: State<C>) => boolean;
    })
);

type LivenessFields<C, E> = {
  readonly holds: (state: State<C>) => boolean;
  /** Moves that the world eventually makes. Without this assumption it may postpone any move for ever. */
  readonly fair?: readonly Fairness<C, E>[];
  /** Not assumed. A trace names those that would rule its loop out. */
  readonly excuses?: readonly Fairness<C, E>[];
  /**
   * The property and its assumptions are invariant under the model's symmetry, so orbits can be checked: a fair loop of
   * orbits becomes a fair loop of states after enough rounds. Otherwise the property is skipped under symmetry.
   */
  readonly isSymmetric?: true;
};

/** How equal parts, such as seats or processes, can be exchanged. */
export type Symmetry<C> = {
  /** Equal for two points, and for two drafts on them, exactly if exchanging parts maps one to the other. */
  orbit(point: MachinePoint<C>, draft?: EventDraft<C, unknown>): string | number;
  readonly name: string;
};

/** The intermediate result of the parts taken so far. */
export type EventDraft<C, Choice> = {
  /** The state of the machine, which does not change until the event comes. */
  readonly at: string;
  /** The context with the choices taken so far. */
  readonly context: C;
  /** A bit for each part that was taken. */
  readonly taken: number;
  /** By part, the choices kept for the settling. Otherwise null. */
  readonly kept: readonly (Choice | null)[];
};

/** How an event may end after all parts were taken. An end contains the kept choices, but none of the taken ones. */
export type EventEnds<E> = {
  /** The plain end comes first. */
  readonly ends: readonly E[];
  /** Ends that lead to the same point as the plain end and differ only in their report. */
  readonly asides: {
    /** All data that the asides and their properties depend on. Each value is judged once. */
    readonly reads: string;
    readonly list: () => readonly E[];
  };
};

export type FactoredEvent<C, E, Choice = unknown> = {
  /** The number of parts, at most 30, or null if the event cannot come. */
  parts(state: State<C>): number | null;
  /** The possible choices of a part, at least one. The first means that the part says nothing. */
  choices(draft: EventDraft<C, Choice>, part: number): readonly Choice[];
  /** The context with the choice applied, or the unchanged context and the data kept for the settling. */
  take(
    draft: EventDraft<C, Choice>,
    part: number,
    choice: Choice,
  ): { readonly context: C; readonly kept: Choice | null };
  /** All data that `choices`, `take` and the properties of one choice can depend on. */
  reads(draft: EventDraft<C, Choice>, part: number): string;
  /**
   * The next part to take. The default is the first open one. Every order leads to the same ends.
   * Under symmetry, an order that is the same for equivalent drafts merges more of them.
   */
  next?(draft: EventDraft<C, Choice>, parts: number): number;
  /** The event of this choice alone, which judges the properties of one choice. */
  alone(draft: EventDraft<C, Choice>, choice: Choice): E;
  /** The possible ends of the event, at least one. */
  settle(draft: EventDraft<C, Choice>): EventEnds<E>;
  /** The whole event: this end with all choices in the order of the parts. */
  join(end: E, choices: readonly Choice[]): E;
};

export type Model<C, E extends EventObject> = {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly input?: unknown;
  /** The possible next events, without timers and factored events. */
  readonly world: (state: State<C>) => readonly E[];
  readonly factored?: Readonly<Partial<Record<E['type'], FactoredEvent<C, E>>>>;
  readonly properties: readonly Property<C, E>[];
  readonly codec?: Codec | undefined;
  /**
   * A projection: states with equal views are merged. Use it for data that grows without bound and
   * decides nothing. `checkBisimulation` tests that as far as its search goes.
   */
  readonly view?: ((state: State<C>) => unknown) | undefined;
  readonly symmetry?: Symmetry<C> | undefined;
  /** Snapshots of actors that the machine reads, by system id or id. They stay as they are. */
  readonly snapshots?: GivenSnapshots | undefined;
};

export function stateOf<C>({ place, context, status, children }: MachinePoint<C>): State<C> {
  return {
    at: place.name,
    tags: place.tags,
    context,
    status,
    isDone: status === 'done',
    nodes: place.nodes,
    children: children.length === 0 ? children : listRunning(children),
  };
}

export type SearchBudget = {
  readonly states: number;
  readonly seconds: number;
  /** Limit for the `memory` option, or for the bytes that the search keeps. No limit if unset. */
  readonly bytes?: number;
};

/** Ends the search of a machine that grows without bound. The bytes are those that the search itself keeps. */
export const DEFAULT_BUDGET: SearchBudget = {
  states: 1_000_000,
  seconds: 120,
  bytes: 1_500_000_000,
};

export const UNLIMITED: SearchBudget = {
  states: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
};

/**
 * `proved`: every reachable state was seen. `violated`: there is a counterexample. `incomplete`: a budget ended the
 * search, and no violation was found so far. `vacuous`: the property never applied.
 */
export type PropertyVerdict<E> =
  | { readonly type: 'proved'; readonly antecedents: number | null }
  /** `why` is the reason that the property gave, if it gave one. */
  | { readonly type: 'violated'; readonly trace: Trace<E>; readonly why?: string }
  | { readonly type: 'incomplete'; readonly why: string }
  | { readonly type: 'vacuous'; readonly why: string };

/** A run from the start. With `loop` it repeats the events from that index to the end for ever. */
export type Trace<E> = {
  readonly events: readonly E[];
  /** Index of the first event of the loop, or null for a finite run. */
  readonly loop: number | null;
  /** The states along the run. The first step is the start. */
  readonly steps?: readonly TraceStep<E>[];
  /** Fairness assumptions that would rule this loop out. */
  readonly excludedBy: readonly string[];
};

export function createTrace<E>(events: readonly E[]): Trace<E> {
  return { events, loop: null, excludedBy: [] };
}

export type PropertyResult<E> = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: string;
  readonly expected: 'proved' | 'violated';
  readonly verdict: PropertyVerdict<E>;
};

export function isAsDeclared<E>({ verdict, expected }: PropertyResult<E>): boolean {
  return verdict.type === expected;
}

/** Refuses what JavaScript would take for a yes or a no: nothing, a promise, a number. */
export function readAnswer<T>({ name }: { readonly name: string }, answer: T): T {
  if (typeof answer === 'boolean') return answer;
  const found = answer === undefined ? 'nothing' : `a value of type ${typeof answer}`;
  throw new TypeError(`property "${name}": expected true or false, found ${found}`);
}
