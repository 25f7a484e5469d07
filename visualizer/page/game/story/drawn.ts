/** A statechart as the page gets it: names and numbers, laid out when the page was built. */

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

export type DrawnChart = {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Parents before children; the root comes first. */
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly lines: Readonly<Record<string, readonly Spot[]>>;
};
