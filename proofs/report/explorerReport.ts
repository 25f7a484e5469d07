/** A report: what the page that explores a check is given, as plain data. It is made by the command that checked. */
import type { SeenLine } from '../../machines/journal/lens.ts';

/** What a search found besides verdicts: its space, its coverage, its figures, and what was asked beside it. */

export type StateSpace = {
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

export type ExplorerCoverage = {
  readonly states: CoverageShare;
  readonly transitions: CoverageShare;
  /** Outcomes of guards; null where they can't be watched. */
  readonly guards: CoverageShare | null;
  /** How often each transition was taken and its guard said yes and no, by its place in the chart. */
  readonly taken: readonly number[];
  readonly passed: readonly number[] | null;
  readonly failed: readonly number[] | null;
  readonly missing: readonly ExplorerMissing[];
};

type CoverageShare = { readonly seen: number; readonly all: number };

type ExplorerMissing = {
  readonly what: string;
  readonly nearest: string | null;
  /** What no world had; null is no excuse. */
  readonly needs: string | null;
};

export type SearchFigures = {
  readonly engine: string;
  readonly slow: string | null;
  /** Who was exchanged; null where everybody was told apart. */
  readonly symmetry: string | null;
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

type ExplorerExtra = {
  readonly about: string;
  readonly states: number;
  readonly transitions: number;
  readonly seconds: number;
  readonly ended: string | null;
  readonly asked: readonly string[];
};

export type ExplorerReport = {
  readonly v: 1;
  readonly about: 'search' | 'mutants' | 'journals';
  readonly title: string;
  /** What it all comes to, in words. */
  readonly conclusion: string;
  readonly exit: number;
  readonly runs: readonly ExplorerRun[];
  /** Of a check of mutants; none otherwise. */
  readonly mutants: readonly ExplorerMutant[];
  /** The transitions of each chart that runs name by its place in this list. */
  readonly charts: readonly (readonly ExplorerEdge[])[];
};

export type ExplorerRun = {
  /** What it is called in an address: "house-3". */
  readonly key: string;
  readonly name: string;
  /** What the world may do, in words. */
  readonly world: string;
  readonly figures: SearchFigures | null;
  readonly asides: readonly ExplorerExtra[];
  /** The bound on silence with its arithmetic; '' where it is of no concern. */
  readonly bound: string;
  readonly properties: readonly ExplorerProperty[];
  readonly space: StateSpace | null;
  readonly coverage: ExplorerCoverage | null;
  readonly chart: number;
};

export type ExplorerMutant = {
  readonly kind: string;
  readonly broken: string;
  /** The property that noticed, and where; null is none. */
  readonly by: string | null;
  readonly where: string | null;
  readonly excuse: string | null;
  /** The key of the run that killed it; null where there is none to show. */
  readonly run: string | null;
};

const EXPLORER_RESULTS = ['proved', 'violated', 'incomplete', 'vacuous'] as const;
type ExplorerResult = (typeof EXPLORER_RESULTS)[number];

export type ExplorerProperty = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: string;
  readonly verdict: ExplorerResult;
  readonly asDeclared: boolean;
  /** The verdict as people say it: "seen", "violated as declared". */
  readonly said: string;
  /** Of incomplete and vacuous; '' otherwise. */
  readonly why: string;
  /** How often it applied; null where that is not counted. */
  readonly applied: number | null;
  readonly tale: ExplorerTrace | null;
};

/** A run that violates a property, or that shows what can be; two that are held against each other. */
export type ExplorerTrace = {
  readonly isExample: boolean;
  readonly steps: readonly ExplorerStep[];
  /** Where it is at the beginning and after each step; none where no chart of the meeting is stepped. */
  readonly rests: readonly ExplorerState[];
  /** The step with which the loop begins; null for a run that ends. */
  readonly loop: number | null;
  readonly excludedBy: readonly string[];
  readonly note: string;
  /** The numbers of its states in the space; null where they are in none. */
  readonly states: readonly number[] | null;
  readonly journals: readonly ExplorerJournal[];
};

export type ExplorerStep = {
  readonly at: string;
  readonly to: string;
  readonly happened: string;
  /** What happened in the other one of two; null where the same did. */
  readonly beside: string | null;
  readonly changes: readonly ExplorerChange[];
  /** The transitions that were taken, by their place in the chart. */
  readonly trail: readonly number[];
  /** What one player saw of both; null where no player looks. */
  readonly seen: ExplorerSeen | null;
};

export type ExplorerChange = { readonly path: string; readonly was: string; readonly is: string };

export type ExplorerSeen = {
  readonly isSame: boolean;
  readonly one: readonly string[];
  readonly other: readonly string[];
};

export type ExplorerState = {
  readonly at: string;
  readonly offers: readonly ExplorerOffer[];
  /** Events that were not tried, because there are too many. */
  readonly untried: number;
};

/** Events of a type that do the same here. */
export type ExplorerOffer = {
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

export type ExplorerJournal = {
  readonly lines: readonly SeenLine[];
  /** The number of the line that is told last at the beginning, and after each step. */
  readonly ends: readonly number[];
};

export type ExplorerEdge = {
  /** What the drawing calls it. */
  readonly id: string;
  readonly event: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly guard: string | null;
};
