/** Tables and figures with a row for each persona. */

import type {
  IntervalsFigure,
  ReportCell,
  ReportSection,
  ReportTable,
  ScatterFigure,
} from '../model.ts';
import type { ReportNumbers } from '../reportNumbers.ts';

export const ROLES = [
  ['impostor', 'as impostor'],
  ['crewmate', 'as crew'],
] as const;

/** A section before its empty tables and figures are left out. */
export type SectionDraft = ReportSection & {
  /** Replaces the text if no table has a row. */
  readonly absent?: string;
};

/** Shortens persona names by the model if all have the same one. */
export function shortNames({ facts }: ReportNumbers): (who: string) => string {
  const [label, ...others] = facts.labels;
  const isOne = label !== undefined && others.length === 0;
  return (who) => (isOne && who.startsWith(`${label}_`) ? who.slice(label.length + 1) : who);
}

export function partsAt(numbers: ReportNumbers, measure: string, place: number): readonly string[] {
  return [...new Set(numbers.list(measure).map((parts) => parts[place] ?? ''))];
}

/** The personas with a figure of a measure, the highest rating first. */
export function personasOf(numbers: ReportNumbers, measure: string): readonly string[] {
  const there = new Set(partsAt(numbers, measure, 0));
  return numbers.personas.filter((who) => there.has(who));
}

type Cell = ReportCell | null;
type Row = ReportTable['rows'][number];

export function tableRow(labels: Row['labels'], cells: Row['cells']): readonly Row[] {
  return cells.every((cell) => cell === null) ? [] : [{ labels, cells }];
}

export type PersonaColumn = readonly [title: string, cellOf: (who: string) => Cell];

export function byRole(cellOf: (who: string, role: string) => Cell): readonly PersonaColumn[] {
  return ROLES.map(([role, title]) => [title, (who) => cellOf(who, role)]);
}

export function personaTable(
  frame: Pick<ReportTable, 'name' | 'caption'>,
  personas: readonly string[],
  columns: readonly PersonaColumn[],
): ReportTable {
  return {
    ...frame,
    heads: ['persona'],
    columns: columns.map(([title]) => title),
    rows: personas.flatMap((who) =>
      tableRow(
        [who],
        columns.map(([, cellOf]) => cellOf(who)),
      ),
    ),
  };
}

export function personaFigure(
  numbers: ReportNumbers,
  frame: Omit<IntervalsFigure, 'kind' | 'series' | 'rows' | 'reference'>,
  personas: readonly string[],
  columns: readonly PersonaColumn[],
): IntervalsFigure {
  const short = shortNames(numbers);
  return {
    ...frame,
    kind: 'intervals',
    series: columns.map(([title]) => title),
    rows: personas.map((who) => ({
      label: short(who),
      cells: columns.map(([, cellOf]) => cellOf(who)),
    })),
    reference: null,
  };
}

export function personaPoints(
  numbers: ReportNumbers,
  personas: readonly string[],
  cellsOf: (who: string) => { readonly x: Cell; readonly y: Cell },
): ScatterFigure['points'] {
  const short = shortNames(numbers);
  return personas.flatMap((who) => {
    const { x, y } = cellsOf(who);
    return x === null || y === null ? [] : [{ label: short(who), x, y, isFront: false }];
  });
}
