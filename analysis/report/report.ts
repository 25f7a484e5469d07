/** Builds the report as data from the tables in a `TableDatabase`. */
import type { TableDatabase } from './database.ts';
import { METHODS, SOURCES } from './methods.ts';
import type { Report, ReportCell, ReportFigure, ReportSection } from './model.ts';
import { GAME_QUERIES, MEASURE_QUERIES, writeViews } from './queries.ts';
import { ReportNumbers } from './reportNumbers.ts';
import { describePower, describePrediction } from './sections/forecast.ts';
import {
  describeCrossplay,
  describeDeception,
  describeGames,
  describeLeaders,
  describeRoles,
} from './sections/play.ts';
import { describeBeliefs, describeReasoning, describeSuspicion } from './sections/reasoning.ts';
import { describeCosts, describeReliability } from './sections/reliability.ts';
import type { SectionDraft } from './sections/shared.ts';
import { describeClaims, describePersuasion } from './sections/talk.ts';

const SECTIONS: readonly ((numbers: ReportNumbers) => SectionDraft)[] = [
  describeGames,
  describeLeaders,
  describeCrossplay,
  describeDeception,
  describeRoles,
  describePersuasion,
  describeClaims,
  describeBeliefs,
  describeSuspicion,
  describeReasoning,
  describeReliability,
  describeCosts,
  describePrediction,
  describePower,
];

export const TABLES_FOLDER = 'tables';

export type ReportNames = {
  readonly title: string;
  readonly engine: string;
  /** The folder of the tables; by default inside the report. */
  readonly tables?: string;
};

export function buildReport(
  database: TableDatabase,
  { title, engine, tables = TABLES_FOLDER }: ReportNames,
): Report {
  const numbers = new ReportNumbers(database);
  return {
    title,
    data: {
      engine,
      journals: numbers.facts.counts.get('data/journals') ?? 0,
      digest: numbers.digest,
    },
    sections: SECTIONS.map((describe) => leaveOutEmpty(describe(numbers))),
    methods: METHODS,
    sources: SOURCES,
    views: writeViews(tables),
    queries: [...GAME_QUERIES, ...MEASURE_QUERIES],
  };
}

function leaveOutEmpty({ absent, ...section }: SectionDraft): ReportSection {
  const tables = section.tables.filter(({ rows }) => rows.length > 0);
  const figures = section.figures.filter((figure) => cellsOf(figure).some(isThere));
  const hasLost = section.tables.length > 0 && tables.length === 0;
  const empty = absent === undefined ? [...section.text, NOTHING_TO_COUNT] : [absent];
  return { ...section, text: hasLost ? empty : section.text, tables, figures };
}

const NOTHING_TO_COUNT = 'These journals have nothing to count for it.';

const isThere = (cell: ReportCell | null) => cell !== null && cell.value !== null;

function cellsOf(figure: ReportFigure): readonly (ReportCell | null)[] {
  switch (figure.kind) {
    case 'intervals':
      return figure.rows.flatMap(({ cells }) => cells);
    case 'matrix':
      return figure.cells.flat();
    case 'scatter':
      return figure.points.map(({ y }) => y);
    case 'curves':
      return figure.series.flatMap(({ points }) => points.map(({ cell }) => cell));
    default:
      return figure satisfies never;
  }
}
