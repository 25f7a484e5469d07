/** What a search found besides verdicts: its space, its coverage, its figures, and what was asked beside it. */

export type Space = {
  /** How many states were found at each depth. */
  readonly depths: readonly number[];
  /** The state from which each was found, -1 for the first; null where there are too many to be drawn. */
  readonly parents: readonly number[] | null;
  /** Moves that found nothing new: from, to, from, to. */
  readonly others: readonly number[] | null;
  /** Places by name, how many states are there, and the place of each state. */
  readonly places: readonly string[];
  readonly counts: readonly number[];
  readonly placeOf: readonly number[];
};

export type Coverage = {
  readonly states: Share;
  readonly transitions: Share;
  /** Outcomes of guards; null where they can't be watched. */
  readonly guards: Share | null;
  /** How often each transition was taken and its guard said yes and no, by its place in the chart. */
  readonly taken: readonly number[];
  readonly passed: readonly number[] | null;
  readonly failed: readonly number[] | null;
  readonly missing: readonly Missing[];
};

export type Share = { readonly seen: number; readonly all: number };

export type Missing = {
  readonly what: string;
  readonly nearest: string | null;
  /** What no world had; null is no excuse. */
  readonly needs: string | null;
};

export type Figures = {
  readonly engine: string;
  readonly slow: string | null;
  /** Who was exchanged; null where everybody was told apart. */
  readonly symmetry: string | null;
  readonly workers: number;
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly frontier: number;
  /** The budget that ended the search; null when it was closed. */
  readonly ended: string | null;
  readonly broken: string | null;
  readonly seconds: number;
  /** What is kept of the states, and the most that the process has held. */
  readonly keptBytes: number;
  readonly peakBytes: number;
};

export type Aside = {
  readonly about: string;
  readonly states: number;
  readonly transitions: number;
  readonly seconds: number;
  readonly ended: string | null;
  readonly asked: readonly string[];
};
