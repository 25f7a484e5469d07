/** What a page is given: the facts of its build, and where its journal comes from. */
import type { MapPlan } from '../../../charts/mapLayout.ts';

/** A point, x before y, in pixels. */
export type Spot = readonly [number, number];

export type DrawnNode = {
  readonly id: string;
  readonly key: string;
  readonly parent: string | null;
  readonly isFinal: boolean;
  readonly description: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type DrawnEdge = {
  readonly id: string;
  /** Leads from a state to its initial state. */
  readonly isStart: boolean;
  readonly source: string;
  /** Null for a transition that changes no state. */
  readonly target: string | null;
  readonly event: string;
  readonly guard: string | null;
  readonly description: string;
  /** The line that it is drawn as, shared with others between the same states; null where it stays in its state. */
  readonly line: string | null;
};

/** A statechart as the page gets it, laid out when the page was built. */
export type DrawnChart = {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Parents before children; the root comes first. */
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly lines: Readonly<Record<string, readonly Spot[]>>;
};

/** The charts of the machines that run, laid out when the page was built. */
export type Charts = {
  readonly meeting: DrawnChart;
  readonly game: DrawnChart;
  /** Of one player; there are as many as seats. */
  readonly player: DrawnChart;
  /** The first two without what is inside their states. */
  readonly meetingPhases: DrawnChart;
  readonly gamePhases: DrawnChart;
};

/** What a story needs of them. */
export type StoryCharts = Readonly<Record<'meeting' | 'game', Pick<DrawnChart, 'edges'>>>;

/** What the page was built with. */
export type BuildFacts = {
  /** The format of journals that the page reads. */
  readonly format: number;
  readonly charts: Charts;
  readonly skeld: MapPlan;
};

/** From where a page has its journal. The lens is that of the data: nothing more can be seen than what is there. */
export type JournalSource =
  | { readonly type: 'none' }
  | ({ readonly type: 'journal' } & OpenedJournal)
  /** Lines come from the server that served the page; the lens is the widest that it gives. */
  | ({
      readonly type: 'live';
      /** People play: the lens is widened to the glass when it is over. */
      readonly opens?: boolean;
      /** All of it has happened already. */
      readonly isOver?: boolean;
    } & OpenedJournal);

type OpenedJournal = {
  readonly lens: string;
  readonly name: string;
  /** Lines that could not be read where the journal was. */
  readonly damaged: number;
};
