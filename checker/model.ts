/**
 * A model: a machine, what the world may do to it, and its properties.
 *
 * The machine is the one that runs; the world is one function from where the machine is to the events that could come
 * next. Timers of the machine are events of the world too and need not be listed. Properties are plain data, so that
 * they can be written beside the machine without knowing this checker.
 */
import type { AnyStateMachine, EventObject } from 'xstate';
import type { Codec } from './identity.ts';
import { listRunning, type MachineEffect, type MachinePoint } from './stepper.ts';

/** What a property may look at: a state, named as the chart names it. */
export type State<C> = {
  /** The leaves, such as "discussion.bidding"; with parallel regions joined by " & ". */
  readonly at: string;
  readonly tags: ReadonlySet<string>;
  readonly context: C;
  readonly isDone: boolean;
  /** Children that run, by id, sorted: invoked or spawned. */
  readonly children: readonly string[];
};

/** One step of the machine. */
export type MachineStep<C, E> = {
  readonly before: State<C>;
  readonly event: E;
  readonly after: State<C>;
  readonly effects: readonly MachineEffect[];
};

/** How the machine begins: its first state, and what it wants done to get there. */
export type MachineStart<C> = {
  readonly state: State<C>;
  readonly effects: readonly MachineEffect[];
};

/**
 * Weak fairness: a move that stays possible is made in the end. `helps` says which events are meant; `name` is how the
 * assumption reads in a report: "every player votes in the end".
 */
export type Fairness<C, E> = {
  readonly name: string;
  readonly helps: (state: State<C>, event: E) => boolean;
};

type PropertyText = {
  readonly name: string;
  readonly sentence: string;
  readonly expect?: 'violated';
};

/** A property. `sentence` says it in words, for reports. */
export type Property<C, E> = PropertyText &
  (
    | {
        readonly kind: 'always' | 'never' | 'sometimes';
        readonly holds: (state: State<C>) => boolean;
      }
    /** `when` selects the moves that the property is about; without any such move it is vacuous. */
    | {
        readonly kind: 'step';
        readonly holds: (move: MachineStep<C, E>) => boolean;
        readonly when?: (move: MachineStep<C, E>) => boolean;
      }
    | { readonly kind: 'start'; readonly holds: (start: MachineStart<C>) => boolean }
    | { readonly kind: 'deadlock-free' }
    | (LivenessFields<C, E> & { readonly kind: 'eventually' })
    | (LivenessFields<C, E> & {
        readonly kind: 'leads-to';
        readonly from: (state: State<C>) => boolean;
      })
  );

/** What must come true on every run that is fair. */
type LivenessFields<C, E> = {
  readonly holds: (state: State<C>) => boolean;
  /** Assumed of the world. Without any, the world may do what it likes for ever. */
  readonly fair?: readonly Fairness<C, E>[];
  /** Not assumed; a loop that is found says which of these would rule it out. */
  readonly excuses?: readonly Fairness<C, E>[];
  /**
   * All that is asked and assumed here is the same for whatever the symmetry of the model exchanges. Then it may be
   * asked modulo symmetry: a fair loop of orbits is a fair loop of states that goes round as often as the exchange
   * takes to come back. Without it the property is not asked there.
   */
  readonly isSymmetric?: true;
};

/** How equal parts, such as seats or processes, can be exchanged. */
export type Symmetry<C> = {
  /** Equal for two points, and two drafts on them, exactly when one is the other with its parts exchanged. */
  orbit(point: MachinePoint<C>, draft?: EventDraft<C, unknown>): string | number;
  readonly name: string;
};

/*
 * Events that are products: many parts hand something in, and all of it comes as one event.
 */

/** What some of the parts of an event have come to. */
export type EventDraft<C, Choice> = {
  /** Where the machine is: it stays there until the event comes. */
  readonly at: string;
  /** With all in it that was taken so far. */
  readonly context: C;
  /** Bit by bit, which parts have handed something in. */
  readonly taken: number;
  /** By part, the choices that wait for the settling; null for all others. */
  readonly kept: readonly (Choice | null)[];
};

/** How an event may end, once all parts have handed something in: with what was kept, and with nothing of what was taken. */
export type EventEnds<E> = {
  /** The plain end first. */
  readonly ends: readonly E[];
  /** What leads where the plain end leads and only says something else. */
  readonly asides: {
    /** All that decides which asides there are, and what properties say of them: of each they are judged once. */
    readonly reads: string;
    readonly list: () => readonly E[];
  };
};

/** How one type of event is taken part by part. */
export type FactoredEvent<C, E, Choice = unknown> = {
  /** How many parts hand something in, at most 30; null where the event can't come. */
  parts(state: State<C>): number | null;
  /** What a part may hand in, at least one thing; the first of them counts as saying nothing. */
  choices(draft: EventDraft<C, Choice>, part: number): readonly Choice[];
  /** The context with that choice in it, or as it is and with what is kept of the choice for the settling. */
  take(
    draft: EventDraft<C, Choice>,
    part: number,
    choice: Choice,
  ): { readonly context: C; readonly kept: Choice | null };
  /** All that `choices`, `take` and properties of one choice can depend on. */
  reads(draft: EventDraft<C, Choice>, part: number): string;
  /**
   * The part that hands in next, one that has not yet; by default the first. Any order leads to the same ends; modulo
   * symmetry an order that is the same for drafts that are alike lets more of them be one.
   */
  next?(draft: EventDraft<C, Choice>, parts: number): number;
  /** The event of that choice alone: properties of one choice are judged by it. */
  alone(draft: EventDraft<C, Choice>, choice: Choice): E;
  /** How the event may end, in at least one way. */
  settle(draft: EventDraft<C, Choice>): EventEnds<E>;
  /** The whole event: this end, with all choices in the order of the parts. */
  join(end: E, choices: readonly Choice[]): E;
};

export type Model<C, E extends EventObject> = {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly input?: unknown;
  /** What may happen next, apart from timers and from factored events. */
  readonly world: (state: State<C>) => readonly E[];
  /** By type, the events that are products of what many parts hand in. */
  readonly factored?: Readonly<Partial<Record<E['type'], FactoredEvent<C, E>>>>;
  readonly properties: readonly Property<C, E>[];
  readonly codec?: Codec;
  /**
   * A projection: states with equal views are taken for one. For data that grows without bound and decides nothing;
   * that it decides nothing is checked as far as the exploration goes.
   */
  readonly view?: (state: State<C>) => unknown;
  readonly symmetry?: Symmetry<C>;
};

export function stateOf<C>({ place, context, status, children }: MachinePoint<C>): State<C> {
  return {
    at: place.name,
    tags: place.tags,
    context,
    isDone: status !== 'active',
    children: children.length === 0 ? children : listRunning(children),
  };
}

/** Budgets: how far a search may go before it says INCOMPLETE. */

export type SearchBudget = {
  readonly states: number;
  readonly seconds: number;
  /** Limit of what the `memory` option returns; no limit without it. */
  readonly bytes?: number;
};

export const UNLIMITED: SearchBudget = {
  states: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
};

/** Verdicts: what the checker says about one property. Nothing that was not looked at ever reads as kept. */

/**
 * `proved`: every reachable state was seen. `violated`: a counterexample is at hand. `incomplete`: a budget ended the
 * search before it was closed, and nothing was found so far. `vacuous`: it holds because it never applied.
 */
export type PropertyVerdict<E> =
  | { readonly type: 'proved'; readonly antecedents: number | null }
  | { readonly type: 'violated'; readonly trace: Trace<E> }
  | { readonly type: 'incomplete'; readonly why: string }
  | { readonly type: 'vacuous'; readonly why: string };

/** A run from the beginning. With `loop` the run goes on for ever from that step to the end and back. */
export type Trace<E> = {
  readonly events: readonly E[];
  /** Index of the event with which the loop begins; null for a finite run. */
  readonly loop: number | null;
  /** Assumptions of fairness that would rule this loop out. */
  readonly excludedBy: readonly string[];
};

export type PropertyResult<E> = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: string;
  readonly expected: 'proved' | 'violated';
  readonly verdict: PropertyVerdict<E>;
};

/** Whether a property turned out as it was declared. */
export function isAsDeclared<E>({ verdict, expected }: PropertyResult<E>): boolean {
  return verdict.type === expected;
}
