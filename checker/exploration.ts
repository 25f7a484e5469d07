/** Explorations: what one is asked to do, who looks on, and what it finds. */
import type { Budget } from './budget.ts';
import type { Coverage } from './coverage.ts';
import type { Move, State } from './model.ts';
import type { Moves } from './moves.ts';
import type { Way, Ways } from './ways.ts';

/** Somebody who looks at states and moves as they are found. */
export type Observer<C, E> = {
  /** A state that is new. */
  readonly onState?: (state: State<C>, number: number) => void;
  /** Every move, also into states that are known. `to` is the number of the state after it. */
  readonly onMove?: (move: Move<C, E>, from: number, to: number) => void;
  /** A state from which nothing can happen. */
  readonly onEnd?: (state: State<C>, number: number) => void;
};

export type ExploreOptions = {
  readonly budget: Budget;
  readonly isSymmetric: boolean;
  /** Keeps all moves, for questions about what happens for ever. */
  readonly keepsMoves: boolean;
  /** Seconds since some moment, for the budget of seconds. */
  readonly now: () => number;
  /** Bytes that are in use, for the budget of bytes. */
  readonly memory: () => number;
  /** Told about five times a second. */
  readonly onProgress: ((progress: Progress) => void) | null;
};

export type Progress = {
  readonly states: number;
  readonly transitions: number;
  readonly frontier: number;
  readonly depth: number;
  readonly seconds: number;
};

/** Where the search has been. */
export type Exploration<E> = {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** States that were found and not expanded; 0 when the search is closed. */
  readonly frontier: number;
  /** Why the search ended early; null when it is closed. */
  readonly ended: string | null;
  /** The step with which the machine broke; null when it did not. */
  readonly broken: Broken<E> | null;
  readonly seconds: number;
  /** Bytes that were kept of the states that were found; what waits to be expanded is not among them. */
  readonly bytes: number;
  readonly coverage: Coverage;
  /** The moves out of each state; empty unless they were to be kept. */
  readonly moves: Moves;
  readonly ways: Pick<Ways, 'depths' | 'parents'>;
  /** The numbers of the states that a run passes, the beginning included. */
  readonly statesOf: (events: readonly E[]) => readonly number[];
  /** How many steps a state is from the beginning. */
  readonly depthOf: (state: number) => number;
  /** The states on the way to a state by which it was found first, the beginning and itself included. */
  readonly wayTo: (state: number) => Way;
  /** The events of a way from the beginning. */
  readonly eventsOf: (way: Way) => readonly E[];
};

/** A function of the machine threw, or a step never ended. */
export type Broken<E> = {
  readonly state: number;
  readonly event: E | null;
  readonly message: string;
};
