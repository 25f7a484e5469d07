import type { CheckResult, EnabledEvent, MachineEdge, StateGraph } from 'glass-box-checker';
import type { SeenLine } from '../../machines/journal/lens.ts';

export type StateSpace = Pick<StateGraph<never>, 'depths' | 'parents' | 'others'> & {
  /** The names of places, the number of states at each, and the place of each state. */
  readonly places: readonly string[];
  readonly counts: readonly number[];
  readonly placeOf: readonly number[];
};

export type ExplorerCoverage = {
  readonly states: CoverageShare;
  readonly transitions: CoverageShare;
  /** Outcomes of guards, or null if they cannot be observed. */
  readonly guards: CoverageShare | null;
  /** How often each transition was taken and its guard passed and failed, by transition number. */
  readonly taken: readonly number[];
  readonly passed: readonly number[] | null;
  readonly failed: readonly number[] | null;
  readonly missing: readonly UnreachedPart[];
};

export type CoverageShare = { readonly seen: number; readonly all: number };

export type UnreachedPart = {
  /** A leaf or a transition, as the chart names it. */
  readonly what: string;
  readonly nearest: string | null;
  /** The option that no world had, or null without an excuse. */
  readonly needs: string | null;
};

/** The counts of a search. `ended` is the budget that ended it, or null for a complete search. */
type SearchCounts = Pick<CheckResult<never>, 'states' | 'transitions' | 'ended' | 'seconds'>;

export type SearchFigures = SearchCounts &
  Pick<CheckResult<never>, 'slow' | 'depth' | 'frontier'> & {
    readonly engine: string;
    readonly symmetry: string | null;
    readonly broken: string | null;
    /** Bytes used to store the states, and the peak memory of the process. */
    readonly keptBytes: number;
    readonly peakBytes: number;
  };

/** A search next to the meeting's: of the arbiter alone, or of two meetings at once, whose pairs it counts. */
export type ExtraSearch = SearchCounts & {
  /** The subject: "the arbiter among 3". */
  readonly about: string;
  readonly asked: readonly string[];
};

export type ExplorerReport = {
  readonly v: 1;
  readonly about: 'search' | 'mutants' | 'journals';
  readonly title: string;
  readonly conclusion: string;
  readonly exit: number;
  readonly runs: readonly ExplorerRun[];
  /** Empty unless mutants were checked. */
  readonly mutants: readonly ExplorerMutant[];
  /** The transitions of each chart. Runs refer to a chart by its index. */
  readonly charts: readonly (readonly ExplorerEdge[])[];
};

export type ExplorerRun = {
  /** The run's key in an address: "house-3". */
  readonly key: string;
  readonly name: string;
  readonly world: string;
  readonly figures: SearchFigures | null;
  readonly asides: readonly ExtraSearch[];
  /** The bound on silence with its arithmetic, or ''. */
  readonly bound: string;
  readonly properties: readonly ExplorerProperty[];
  readonly space: StateSpace | null;
  readonly coverage: ExplorerCoverage | null;
  readonly chart: number;
};

export type ExplorerMutant = {
  readonly kind: string;
  readonly broken: string;
  /** The property that detected it and the world where it did, or null. */
  readonly by: string | null;
  readonly where: string | null;
  readonly excuse: string | null;
  /** The key of the run that killed it, or null. */
  readonly run: string | null;
};

export type ExplorerProperty = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: string;
  readonly verdict: 'proved' | 'violated' | 'incomplete' | 'vacuous';
  readonly asDeclared: boolean;
  /** The verdict as text: "seen", "violated as declared". */
  readonly said: string;
  /** The reason for incomplete and vacuous, otherwise ''. */
  readonly why: string;
  /** How often it applied, or null if that is not counted. */
  readonly applied: number | null;
  readonly trace: ExplorerTrace | null;
};

/** A run that violates or illustrates a property, or two runs to compare. */
export type ExplorerTrace = {
  readonly isExample: boolean;
  readonly steps: readonly ExplorerStep[];
  /** The states at the start and after each step. Empty if the run does not step the meeting's chart. */
  readonly rests: readonly ExplorerState[];
  /** Index of the first step of the loop, or null for a finite run. */
  readonly loop: number | null;
  readonly excludedBy: readonly string[];
  readonly note: string;
  /** The numbers of its states in the graph, or null. */
  readonly states: readonly number[] | null;
  readonly journals: readonly ExplorerJournal[];
};

export type ExplorerStep = {
  readonly at: string;
  readonly to: string;
  readonly happened: string;
  /** The other run's event, or null if it is the same. */
  readonly beside: string | null;
  readonly changes: readonly ExplorerChange[];
  readonly trail: readonly number[];
  /** The observer's view of both runs, or null. */
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
  /** Number of events that were not tried because there are too many. */
  readonly untried: number;
};

/** Events of one type with the same result here. */
export type ExplorerOffer = Pick<EnabledEvent<never>, 'taken' | 'refused' | 'to'> & {
  readonly type: string;
  /** Some of the events as text, and their total number. */
  readonly samples: readonly string[];
  readonly count: number;
  /** Whether the world may send them now. */
  readonly isOffered: boolean;
  readonly isNext: boolean;
};

export type ExplorerJournal = {
  readonly lines: readonly SeenLine[];
  /** The number of the last line to show at the start and after each step. */
  readonly ends: readonly number[];
};

export type ExplorerEdge = Pick<MachineEdge, 'event' | 'source' | 'targets' | 'guard'> & {
  readonly id: string;
};
