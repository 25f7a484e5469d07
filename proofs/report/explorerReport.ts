import type {
  CheckResult,
  describeCoverage,
  describeFigures,
  describeProperty,
  describeSpace,
  listChartEdges,
  outlineChart,
  Walk,
  WalkState,
  WalkStep,
} from 'glass-box-checker';
import type { TestedMachine } from 'glass-box-checker/formats';
import type { SeenLine } from '../../machines/journal/lens.ts';

export type StateSpace = ReturnType<typeof describeSpace>;
export type ExplorerCoverage = ReturnType<typeof describeCoverage>;
export type SearchFigures = ReturnType<typeof describeFigures>;
export type ExplorerEdge = ReturnType<typeof listChartEdges>[number];
export type ChartOutline = ReturnType<typeof outlineChart>;
export type ExplorerState = WalkState;

/** The counts of a search. `ended` is the budget that ended it, or null for a complete search. */
export type SearchCounts = Pick<CheckResult<never>, 'states' | 'transitions' | 'ended' | 'seconds'>;

/** A search next to the meeting's: of the arbiter alone, or of two meetings at once, whose pairs it counts. */
export type ExtraSearch = SearchCounts & {
  /** The subject: "the arbiter among 3". */
  readonly about: string;
  readonly asked: readonly string[];
};

export type ExplorerReport = {
  readonly v: 1;
  readonly about: 'search' | 'mutants' | 'journals' | 'games' | 'machine';
  readonly title: string;
  readonly conclusion: string;
  readonly exit: number;
  readonly runs: readonly ExplorerRun[];
  /** Empty unless mutants were checked. */
  readonly mutants: readonly ExplorerMutant[];
  /** The transitions of each chart. Runs refer to a chart by its index. */
  readonly charts: readonly (readonly ExplorerEdge[])[];
  /** A stranger's chart, and its module, for tests of its runs. */
  readonly outline?: ChartOutline;
  readonly module?: TestedMachine;
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
  /** The states through which the reader can walk, and those of the space among them, by its numbers. */
  readonly states: readonly ExplorerState[];
  readonly dots: readonly number[];
};

export type ExplorerMutant = {
  readonly kind: string;
  readonly broken: string;
  /** The property that detected it and the world where it did, or null. */
  readonly by: string | null;
  readonly where: string | null;
  /** The key of the run that killed it, or null. */
  readonly run: string | null;
};

export type ExplorerProperty = ReturnType<typeof describeProperty> & {
  readonly trace: ExplorerTrace | null;
};

/** A run, or two to compare. `rests` numbers the states at the start and after each step; empty for another chart. */
export type ExplorerTrace = Readonly<
  Omit<ReturnType<Walk<never, never>['tell']>, 'steps' | 'rests' | 'journals'>
> & {
  readonly steps: readonly ExplorerStep[];
  readonly rests: readonly number[];
  readonly journals: readonly ExplorerJournal[];
};

export type ExplorerStep = WalkStep & {
  /** The other run's event, if it is another one. */
  readonly beside?: string;
  /** The observer's view of both runs. */
  readonly seen?: ExplorerSeen;
};

export type ExplorerSeen = {
  readonly isSame: boolean;
  readonly one: readonly string[];
  readonly other: readonly string[];
};

export type ExplorerJournal = {
  readonly lines: readonly SeenLine[];
  /** The number of the last line to show at the start and after each step. */
  readonly ends: readonly number[];
};
