/** Explorations: what one is asked to do, who looks on, and what it finds. */
import type { SearchBudget } from './budget.ts';
import type { CoverageCounter } from './coverage.ts';
import type { MachineStep, State } from './model.ts';
import type { MoveTable } from './moves.ts';
import type { PathTree, StatePath } from './ways.ts';

/** Somebody who looks at states and moves as they are found. */
export type SearchObserver<C, E> = {
  /** A state that is new. */
  readonly onState?: (state: State<C>, number: number) => void;
  /** Every move, also into states that are known. `to` is the number of the state after it. */
  readonly onMove?: (move: MachineStep<C, E>, from: number, to: number) => void;
  /** A state from which nothing can happen. */
  readonly onEnd?: (state: State<C>, number: number) => void;
};

export type ExploreOptions = {
  readonly budget: SearchBudget;
  readonly isSymmetric: boolean;
  /** Keeps all moves, for questions about what happens for ever. */
  readonly keepsMoves: boolean;
  /** Seconds since some moment, for the budget of seconds. */
  readonly now: () => number;
  /** Bytes that are in use, for the budget of bytes. */
  readonly memory: () => number;
  /** Told about five times a second. */
  readonly onProgress: ((progress: SearchProgress) => void) | null;
};

export type SearchProgress = {
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
  readonly broken: MachineFailure<E> | null;
  readonly seconds: number;
  /** Bytes that were kept of the states that were found; what waits to be expanded is not among them. */
  readonly bytes: number;
  readonly coverage: CoverageCounter;
  /** The moves out of each state; empty unless they were to be kept. */
  readonly moves: MoveTable;
  readonly paths: Pick<PathTree, 'depths' | 'parents'>;
  /** The numbers of the states that a run passes, the beginning included. */
  readonly statesOf: (events: readonly E[]) => readonly number[];
  /** How many steps a state is from the beginning. */
  readonly depthOf: (state: number) => number;
  /** The states on the path to a state by which it was found first, the beginning and itself included. */
  readonly pathTo: (state: number) => StatePath;
  /** The events of a path from the beginning. */
  readonly eventsOf: (path: StatePath) => readonly E[];
};

/** A function of the machine threw, or a step never ended. */
export type MachineFailure<E> = {
  readonly state: number;
  readonly event: E | null;
  readonly message: string;
};
