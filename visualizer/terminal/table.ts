/** Tables and sentences that fit the columns of a terminal. `Infinity` means no limit. */
import { countColumns } from './layout.ts';

const GAP = 2;

export type TableRows = readonly (readonly string[])[];

export function alignColumns(rows: TableRows): readonly string[] {
  const widths = measureColumns(rows);
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - countColumns(cell)))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

function measureColumns(rows: TableRows): readonly number[] {
  const columns = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => countColumns(row[column] ?? ''))),
  );
}

/** The worth of each column to a reader. `always` columns are never dropped. */
export type ColumnWorth = readonly (number | 'always')[];

export type TableFit = {
  readonly width: number;
  readonly worth: ColumnWorth;
  /** The end of the sentence about dropped columns. */
  readonly more?: string;
};

export type TableColumn<Item> = readonly [
  title: string,
  worth: ColumnWorth[number],
  cell: (item: Item, index: number) => string,
];

export function fitColumns<Item>(
  columns: readonly TableColumn<Item>[],
  items: readonly Item[],
  fit: Omit<TableFit, 'worth'>,
): readonly string[] {
  const rows = items.map((item, index) => columns.map(([, , cell]) => cell(item, index)));
  const worth = columns.map(([, each]) => each);
  return fitTables([[columns.map(([title]) => title), ...rows]], { ...fit, worth });
}

/** Tables below each other show the same columns, as many as fit by their worth. A last line names the others. */
export function fitTables(
  tables: readonly TableRows[],
  { width, worth, more = '--wide shows all, --json every number.' }: TableFit,
): readonly string[] {
  const shown = chooseColumns(measureColumns(tables.flat()), worth, width);
  const [[titles = []] = []] = tables;
  const leftOut = titles.filter((_, column) => !shown.has(column));
  const pick = (row: readonly string[]) => row.filter((_, column) => shown.has(column));
  const lines = tables.flatMap((rows, index) => [
    ...(index === 0 ? [] : ['']),
    ...foldTable(rows.map(pick), width),
  ]);
  if (leftOut.length === 0) return lines;
  const note = `Not shown in ${width} columns: ${leftOut.join(', ')}. ${more}`;
  return [...lines, ...(tables.length === 1 ? [] : ['']), ...wrapLine(note, width)];
}

function chooseColumns(
  widths: readonly number[],
  worth: ColumnWorth,
  width: number,
): ReadonlySet<number> {
  const columns = widths.map((_, column) => column);
  const shown = new Set(columns.filter((column) => worth[column] === 'always'));
  const sumOf = (some: readonly number[]) =>
    some.reduce((sum, column) => sum + (widths[column] ?? 0) + GAP, -GAP);
  const others = columns
    .filter((column) => !shown.has(column))
    .toSorted((one, other) => Number(worth[other] ?? 0) - Number(worth[one] ?? 0));
  for (const column of others) {
    if (sumOf([...shown, column]) <= width) shown.add(column);
  }
  return shown;
}

export function foldTable(rows: TableRows, width: number): readonly string[] {
  const [first = 0, ...widths] = measureColumns(rows);
  const parts: number[][] = [[]];
  let used = first;
  for (const [index, own] of widths.entries()) {
    const part = parts.at(-1) ?? [];
    if (used + GAP + own > width && part.length > 0) {
      parts.push([index + 1]);
      used = first + GAP + own;
    } else {
      part.push(index + 1);
      used += GAP + own;
    }
  }
  return parts.flatMap((part, index) => [
    ...(index === 0 ? [] : ['']),
    ...alignColumns(rows.map((row) => [0, ...part].map((column) => row[column] ?? ''))),
  ]);
}

/** Additional indentation of continuation lines, in columns. */
const SENTENCE_INDENT = 2;

export function wrapSentences(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width, SENTENCE_INDENT))
    .join('\n');
}

/** Wraps a sentence between words. Continuation lines keep its indentation, plus `more` columns. */
export function wrapLine(text: string, width: number, more = 0): readonly string[] {
  if (countColumns(text) <= width) return [text];
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = '';
  for (const word of text.trimStart().split(' ')) {
    const longer = line === '' ? indent + word : `${line} ${word}`;
    if (line !== '' && countColumns(longer) > width) {
      lines.push(line);
      line = `${indent}${' '.repeat(more)}${word}`;
    } else line = longer;
  }
  return [...lines, line];
}

export function wrapLines(texts: readonly string[], width: number): readonly string[] {
  return texts.flatMap((text) => wrapLine(text, width));
}
