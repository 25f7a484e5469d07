import type { ByType, Colour } from '../../../../machines/types.ts';
import type { MapPlan } from '../../../charts/mapLayout.ts';
import type { DrawnBox } from '../../../charts/svg.ts';

/** A point, x before y, in pixels. */
export type Spot = readonly [number, number];

export type DrawnNode = {
  readonly id: string;
  readonly key: string;
  /** Name within the parent: "discussion › listening". */
  readonly name: string;
  readonly isFinal: boolean;
  readonly isTop: boolean;
  readonly isRegion: boolean;
  readonly isInnermost: boolean;
  readonly description: string;
} & DrawnPlace;

export type DrawnPlace = DrawnBox & { readonly nameAt: Spot };

export type DrawnEdge = {
  readonly id: string;
  readonly isStart: boolean;
  readonly source: string;
  readonly target: string | null;
  /** Its event in words, "The tick closes", and of a past move, "tick # closed". */
  readonly event: string;
  readonly happened: string;
  readonly guard: string | null;
  /** The guard in words, "All living players have voted", and of a past move, "everyone had voted". */
  readonly condition: string | null;
  readonly was: string;
  /** Its label in words and in the chart, "always [hasNoBeat]", and its route, "discussion › listening → bidding". */
  readonly text: string;
  readonly name: string;
  readonly way: string;
  readonly description: string;
};

export type DrawnLine = {
  readonly edges: readonly string[];
  readonly spots: readonly Spot[];
  readonly path: string;
  readonly head: string;
};

export type DrawnChart = {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Parents before children; the root comes first. */
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** Transitions that stay in their state have none. */
  readonly lines: readonly DrawnLine[];
  /** None in a small chart, where only states have names. */
  readonly texts: readonly DrawnText[];
};

/** Words of a state, or of a transition and then on a plate if it has a line. */
export type DrawnText = {
  readonly edges: readonly string[];
  readonly plate: DrawnBox | null;
  readonly words: readonly (readonly [x: number, y: number, face: string, text: string])[];
};

export type WordedLayout = Pick<DrawnChart, 'width' | 'height' | 'lines' | 'texts'> & {
  readonly places: readonly DrawnPlace[];
};

export type WordedChart = {
  readonly id: string;
  readonly nodes: readonly Omit<DrawnNode, keyof DrawnPlace>[];
  readonly edges: readonly DrawnEdge[];
};

type ChartName = 'meeting' | 'game' | 'player' | 'arbiter';

export type BuildFacts = Readonly<{
  charts: Readonly<Record<ChartName | 'meetingPhases' | 'gamePhases', DrawnChart>>;
  worded: Readonly<Record<ChartName, WordedLayout>>;
  skeld: MapPlan;
}>;

export type JournalSource = ByType<{
  none: object;
  journal: OpenedJournal;
  /** The server's lines through its widest lens. If it `opens`, people play, and it widens to the glass at the end. */
  live: OpenedJournal & { opens?: boolean; isOver?: boolean; hasWhy?: boolean };
}>;

type OpenedJournal = {
  readonly lens: string;
  readonly name: string;
  readonly damaged: number;
};

/** The effect of a moment for the side of the player who caused it. A swing has no such player, or may be chance. */
export type StakeGrade = 'brilliant' | 'good' | 'mistake' | 'blunder' | 'swing';

/** A moment that moved the chances; its figures are of a second, larger trial. */
export type StakeTurn = {
  readonly at: string;
  /** "at 4:47", on the ship; "in meeting 2, tick 5". */
  readonly when: string;
  /** The chance of the crew before and after it, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly grade: StakeGrade;
  /** The event that caused it; '' if the lens may hide it. */
  readonly what: string;
};

export type StakeCurve = {
  readonly continuations: number;
  /** Seats continued by scripted minds; empty if every mind continued itself. */
  readonly standIns: readonly Colour[];
  /** By the name that a moment has in an address, in order. */
  readonly points: readonly { readonly at: string; readonly crew: number }[];
  readonly turns: readonly StakeTurn[];
};

/** The crew's reasoning, compared with the knowledge it could have had. The page hides it until the end. */
export type ReasoningNotes = {
  /** Votes and accusations against provably innocent players, by author. Authors without any are left out. */
  readonly errors: readonly { readonly seat: Colour; readonly count: number }[];
};

export type WhyNotes = {
  readonly stakes: StakeCurve | null;
  readonly credits: readonly {
    readonly at: string;
    readonly text: string;
    readonly isByStandIns: boolean;
  }[];
  /** Left out where nobody has worked it out. */
  readonly reasoning?: ReasoningNotes;
};
