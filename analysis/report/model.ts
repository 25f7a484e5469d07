/** The report as plain data: sections with tables and figures. Renderers compute nothing. */

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

export type ReportCell = {
  /** The measure and its groups. The column `id` of the query has it. */
  readonly id: string;
  /** Null without a case. */
  readonly value: number | null;
  /** The ends of the 95 % interval, if it is known. */
  readonly least: number | null;
  readonly most: number | null;
  readonly unit: ReportUnit;
  /** Cases, and the seeds that they come from; null if meaningless. */
  readonly cases: number | null;
  readonly clusters: number | null;
  readonly few: boolean;
  /** The query for the number or its rows; null if it is not counted from these journals. */
  readonly query: string | null;
};

export type ReportQuery = {
  readonly name: string;
  readonly about: string;
  /** The further computation, if the rows are not the number itself. */
  readonly afterwards: string | null;
  readonly sql: string;
};

export type ReportTable = {
  readonly name: string;
  readonly caption: string;
  readonly heads: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly labels: readonly string[];
    readonly cells: readonly (ReportCell | null)[];
  }[];
};

export type FigureAxis = { readonly title: string; readonly unit: ReportUnit };

type FigureFrame = { readonly name: string; readonly title: string; readonly caption: string };

export type IntervalsFigure = FigureFrame & {
  readonly kind: 'intervals';
  readonly axis: FigureAxis;
  readonly series: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    readonly cells: readonly (ReportCell | null)[];
  }[];
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
    /** No other point is better on both axes. */
    readonly isFront: boolean;
  }[];
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

export type Report = {
  readonly title: string;
  readonly data: {
    readonly engine: string;
    readonly journals: number;
    /** SHA-256 of the names and last hashes of the journals. */
    readonly digest: string;
  };
  readonly sections: readonly ReportSection[];
  readonly methods: readonly { readonly title: string; readonly text: readonly string[] }[];
  readonly sources: readonly string[];
  readonly views: string;
  readonly queries: readonly ReportQuery[];
};

export function listCells({ sections }: Pick<Report, 'sections'>): readonly ReportCell[] {
  const cells = new Map<string, ReportCell>();
  for (const { tables } of sections)
    for (const { rows } of tables)
      for (const row of rows)
        for (const cell of row.cells) if (cell !== null) cells.set(cell.id, cell);
  return [...cells.values()];
}
