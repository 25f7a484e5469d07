/** A report: what the page that explores a check is given, as plain data. It is made by the command that checked. */
import type { SeenLine } from '../../../machines/journal/lens.ts';
import type { Aside, Coverage, Figures, Space } from './searched.ts';

export type Report = {
  readonly v: 1;
  readonly about: 'search' | 'mutants' | 'journals';
  readonly title: string;
  /** What it all comes to, in words. */
  readonly conclusion: string;
  readonly exit: number;
  readonly runs: readonly Run[];
  /** Of a check of mutants; none otherwise. */
  readonly mutants: readonly Mutant[];
  /** The transitions of each chart that runs name by its place in this list. */
  readonly charts: readonly (readonly Edge[])[];
};

export type Run = {
  /** What it is called in an address: "house-3". */
  readonly key: string;
  readonly name: string;
  /** What the world may do, in words. */
  readonly world: string;
  readonly figures: Figures | null;
  readonly asides: readonly Aside[];
  /** The bound on silence with its arithmetic; '' where it is of no concern. */
  readonly bound: string;
  readonly promises: readonly Promised[];
  readonly space: Space | null;
  readonly coverage: Coverage | null;
  readonly chart: number;
};

export type Mutant = {
  readonly kind: string;
  readonly broken: string;
  /** The promise that noticed, and where; null is nobody. */
  readonly by: string | null;
  readonly where: string | null;
  readonly excuse: string | null;
  /** The key of the run that killed it; null where there is none to show. */
  readonly run: string | null;
};

export const RESULTS = ['proved', 'violated', 'incomplete', 'vacuous'] as const;
export type Result = (typeof RESULTS)[number];

export type Promised = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: string;
  readonly verdict: Result;
  readonly asDeclared: boolean;
  /** The verdict as people say it: "seen", "violated as declared". */
  readonly said: string;
  /** Of incomplete and vacuous; '' otherwise. */
  readonly why: string;
  /** How often it applied; null where that is not counted. */
  readonly applied: number | null;
  readonly tale: Tale | null;
};

/** A run that breaks a promise, or that shows what can be; two that are held against each other. */
export type Tale = {
  readonly isExample: boolean;
  readonly steps: readonly Step[];
  /** Where it is at the beginning and after each step; none where no chart of the meeting is stepped. */
  readonly rests: readonly Rest[];
  /** The step with which the loop begins; null for a run that ends. */
  readonly loop: number | null;
  readonly excludedBy: readonly string[];
  readonly note: string;
  /** The numbers of its states in the space; null where they are in none. */
  readonly states: readonly number[] | null;
  readonly journals: readonly Journal[];
};

export type Step = {
  readonly at: string;
  readonly to: string;
  readonly happened: string;
  /** What happened in the other one of two; null where the same did. */
  readonly beside: string | null;
  readonly changes: readonly Change[];
  /** The transitions that were taken, by their place in the chart. */
  readonly trail: readonly number[];
  /** What somebody saw of both; null where nobody looks. */
  readonly seen: Seen | null;
};

export type Change = { readonly path: string; readonly was: string; readonly is: string };

export type Seen = {
  readonly isSame: boolean;
  readonly one: readonly string[];
  readonly other: readonly string[];
};

export type Rest = {
  readonly at: string;
  readonly offers: readonly Offer[];
  /** Events that were not tried, because there are too many. */
  readonly untried: number;
};

/** Events of a type that do the same here. */
export type Offer = {
  readonly type: string;
  /** Some of them in words, and how many there are in all. */
  readonly samples: readonly string[];
  readonly count: number;
  /** Whether the world may bring them now. */
  readonly isOffered: boolean;
  readonly taken: readonly number[];
  /** Transitions whose guards said no; null where they can't be watched. */
  readonly refused: readonly number[] | null;
  readonly to: string;
  /** Whether the next step of the run is one of them. */
  readonly isNext: boolean;
};

export type Journal = {
  readonly lines: readonly SeenLine[];
  /** The number of the line that is told last at the beginning, and after each step. */
  readonly ends: readonly number[];
};

export type Edge = {
  /** What the drawing calls it. */
  readonly id: string;
  readonly event: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly guard: string | null;
};
