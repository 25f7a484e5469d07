/**
 * Chunks: runs of states that are expanded elsewhere, and what is found there.
 *
 * No state ever travels: it is named by its number, or by the state and the event that lead to it, and whoever does
 * not have it makes that one step itself. So nothing must be put into JSON, and nothing that states share is copied.
 */
import type { ModelSource } from './source.ts';

/** What a worker is told when it begins. */
export type WorkerSetup = {
  readonly source: ModelSource;
  readonly engine: 'compiled' | 'xstate';
  readonly isSymmetric: boolean;
  /** The names of the properties whose steps it looks at; null for all. */
  readonly only: readonly string[] | null;
  /** Whether it says where moves lead. */
  readonly keepsMoves: boolean;
};

/** States from `first` to before `end` are to be expanded. */
export type StateChunk = {
  readonly first: number;
  readonly end: number;
  /** For each state that is new since the last chunk, its parent and the place of the event that led to it. */
  readonly news: Int32Array;
  /** States below this number are needed no more. */
  readonly done: number;
};

export type ChunkFindings = {
  readonly first: number;
  readonly end: number;
  /** False when something was thrown on the way: then it must be seen again where it can be told. */
  readonly isWhole: boolean;
  /** How many moves each state has. */
  readonly degrees: Int32Array;
  /** Points that this worker had not seen before: the state and the place of the event that led there. */
  readonly found: Int32Array;
  /**
   * Where each move leads: the number of a state, or below 0 the place in the list of all points that this worker
   * ever found, as its complement. Null when nobody asks.
   */
  readonly targets: Int32Array | null;
  /** What the assumptions of fairness say of each move; null when there are none. */
  readonly helps: Int32Array | null;
  /** How often each property about steps spoke. */
  readonly antecedents: Int32Array;
  /** Places of the properties about steps that were broken here. */
  readonly violated: readonly number[];
  /** Transitions of a shape that this worker had not seen before: the state and the place of the event. */
  readonly shapes: Int32Array;
  /** Kinds of transitions by their place in the list of all that this worker ever saw, and how many there were of each. */
  readonly counts: Int32Array;
  /** How often guards passed and failed, by the number of the transition; null where they can't be watched. */
  readonly guards: { readonly passed: Int32Array; readonly failed: Int32Array } | null;
};

/** What a worker says: that it is there, or what it found. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'found'; readonly findings: ChunkFindings };
