/** Tables and figures with a row for each persona. */

import type { IntervalsFigure, ReportCell, ReportTable, ScatterFigure } from '../model.ts';
import type { ReportNumbers } from '../reportNumbers.ts';

export const ROLES = ['impostor', 'crewmate'] as const;
export const ROLE_NAMES = ['as impostor', 'as crew'] as const;

/** Shortens persona names by the model if all have the same one. */
export function shortNames({ facts }: ReportNumbers): (who: string) => string {
  const [label, ...others] = facts.labels;
  const isOne = label !== undefined && others.length === 0;
  return (who) => (isOne && who.startsWith(`${label}_`) ? who.slice(label.length + 1) : who);
}

/** The distinct parts at one place of a measure's ids. */
export function partsAt(numbers: ReportNumbers, measure: string, place: number): readonly string[] {
  return [...new Set(numbers.list(measure).map((parts) => parts[place] ?? ''))];
}

/** The personas with a figure of a measure, the highest rating first. */
export function personasOf(numbers: ReportNumbers, measure: string): readonly string[] {
  const there = new Set(partsAt(numbers, measure, 0));
  return numbers.personas.filter((who) => there.has(who));
}

export type PersonaColumn = {
  readonly title: string;
  readonly cellOf: (who: string) => ReportCell | null;
};

export function personaTable(
  frame: Pick<ReportTable, 'name' | 'caption'>,
  personas: readonly string[],
  columns: readonly PersonaColumn[],
): ReportTable {
  return {
    ...frame,
    heads: ['persona'],
    columns: columns.map(({ title }) => title),
    rows: personas.flatMap((who) => {
      const cells = columns.map(({ cellOf }) => cellOf(who));
      return cells.every((cell) => cell === null) ? [] : [{ labels: [who], cells }];
    }),
  };
}

/** A row for each persona and a series for each column. */
export function personaFigure(
  numbers: ReportNumbers,
  frame: Omit<IntervalsFigure, 'kind' | 'series' | 'rows'>,
  personas: readonly string[],
  columns: readonly PersonaColumn[],
): IntervalsFigure {
  const short = shortNames(numbers);
  return {
    ...frame,
    kind: 'intervals',
    series: columns.map(({ title }) => title),
    rows: personas.map((who) => ({
      label: short(who),
      cells: columns.map(({ cellOf }) => cellOf(who)),
    })),
  };
}

type PointCells = { readonly x: ReportCell | null; readonly y: ReportCell | null };

export function personaPoints(
  numbers: ReportNumbers,
  personas: readonly string[],
  cellsOf: (who: string) => PointCells,
): ScatterFigure['points'] {
  const short = shortNames(numbers);
  return personas.flatMap((who) => {
    const { x, y } = cellsOf(who);
    return x === null || y === null ? [] : [{ label: short(who), x, y, isFront: false }];
  });
}
