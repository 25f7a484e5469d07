/**
 * The report as plain data: sections with numbers, tables of them, and what is to be drawn. Pages, Markdown, LaTeX and
 * figures are made of it and work nothing out again.
 */

export const REPORT_VERSION = 1;

/** `odds` are probabilities, printed as decimals; `share` is printed in percent. */
export type ReportUnit =
  | 'share'
  | 'odds'
  | 'points'
  | 'games'
  | 'count'
  | 'ballots'
  | 'claims'
  | 'bits'
  | 'seconds'
  | 'tokens'
  | 'dollars'
  | 'score';

/** A number of the report. */
export type ReportCell = {
  /** Its name: that of its measure and what it is counted by. The query of the measure has it in its column `id`. */
  readonly id: string;
  /** Null where there was nothing to count it of. */
  readonly value: number | null;
  /** The ends of its 95 % interval; null where none can be told. */
  readonly least: number | null;
  readonly most: number | null;
  readonly unit: ReportUnit;
  /** The cases that it is counted of, and how many independent groups (seeds) they lie in; null where that says nothing. */
  readonly cases: number | null;
  readonly clusters: number | null;
  /** There are so few games that it says little. */
  readonly few: boolean;
  /** The query that gives it, or the rows that it is worked out from; null for what is not counted of these journals. */
  readonly query: string | null;
};

/** A query over the tables. */
export type ReportQuery = {
  readonly name: string;
  readonly about: string;
  /** What is done with its rows, where they do not have the number itself. */
  readonly afterwards: string | null;
  readonly sql: string;
};

export type ReportTable = {
  readonly name: string;
  readonly caption: string;
  /** What the first columns of each row say. */
  readonly heads: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly labels: readonly string[];
    readonly cells: readonly (ReportCell | null)[];
  }[];
};

/** An axis: what it shows, in which unit. */
export type FigureAxis = { readonly title: string; readonly unit: ReportUnit };

type FigureFrame = { readonly name: string; readonly title: string; readonly caption: string };

/** Rows of values with their intervals, one below the other. */
export type IntervalsFigure = FigureFrame & {
  readonly kind: 'intervals';
  readonly axis: FigureAxis;
  readonly series: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    /** By series. */
    readonly cells: readonly (ReportCell | null)[];
  }[];
  /** A line to compare with, and what it is. */
  readonly reference: { readonly at: number; readonly label: string } | null;
};

export type MatrixFigure = FigureFrame & {
  readonly kind: 'matrix';
  readonly unit: ReportUnit;
  readonly rowTitle: string;
  readonly columnTitle: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly (readonly (ReportCell | null)[])[];
};

export type ScatterFigure = FigureFrame & {
  readonly kind: 'scatter';
  readonly x: FigureAxis;
  readonly y: FigureAxis;
  readonly points: readonly {
    readonly label: string;
    readonly x: ReportCell;
    readonly y: ReportCell;
    /** Nothing else is better on both axes. */
    readonly isFront: boolean;
  }[];
  /** A line from equal to equal, as for calibration. */
  readonly hasDiagonal: boolean;
};

export type CurvesFigure = FigureFrame & {
  readonly kind: 'curves';
  readonly xTitle: string;
  readonly y: FigureAxis;
  readonly series: readonly {
    readonly label: string;
    readonly points: readonly { readonly x: number; readonly cell: ReportCell }[];
  }[];
  readonly reference: { readonly at: number; readonly label: string } | null;
};

export type ReportFigure = IntervalsFigure | MatrixFigure | ScatterFigure | CurvesFigure;

export type ReportSection = {
  readonly name: string;
  readonly title: string;
  readonly text: readonly string[];
  readonly tables: readonly ReportTable[];
  readonly figures: readonly ReportFigure[];
};

/** What the report is about, and by what it was made. */
export type ReportData = {
  /** The program, with the versions of rules, prompts and minds. */
  readonly engine: string;
  readonly journals: number;
  /** Tells this set of journals from any other: SHA-256 of their names and last hashes. */
  readonly digest: string;
};

export type Report = {
  readonly title: string;
  readonly data: ReportData;
  readonly sections: readonly ReportSection[];
  /** How it was worked out, and what it does not say. */
  readonly methods: readonly { readonly title: string; readonly text: readonly string[] }[];
  readonly sources: readonly string[];
  /** Views that the queries are made of, as SQL. */
  readonly views: string;
  readonly queries: readonly ReportQuery[];
};

/** All numbers of a report, each once. */
export function listCells({ sections }: Pick<Report, 'sections'>): readonly ReportCell[] {
  const cells = new Map<string, ReportCell>();
  for (const { tables } of sections)
    for (const { rows } of tables)
      for (const row of rows)
        for (const cell of row.cells) if (cell !== null) cells.set(cell.id, cell);
  return [...cells.values()];
}
