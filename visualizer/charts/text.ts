/**
 * Text: words set in lines, measured without a browser.
 * Widths are estimates on the safe side, because a picture meets other fonts on every machine.
 */

/** Sizes and lines in pixels; `advance` is the mean width of a character, as a share of the size. */
export const FACES = {
  title: { size: 14, line: 20, advance: 0.6 },
  prose: { size: 11.5, line: 15, advance: 0.56 },
  event: { size: 11, line: 15, advance: 0.61 },
  guard: { size: 11, line: 15, advance: 0.61 },
  action: { size: 11, line: 15, advance: 0.61 },
  word: { size: 10, line: 15, advance: 0.54 },
} as const;

export type Face = keyof typeof FACES;

export interface Span {
  readonly face: Face;
  readonly text: string;
}

/** One line of text. */
export type Row = readonly Span[];

/** Between two spans of a row. */
export const SPAN_GAP = 6;

/** Whole pixels, so that the picture is the same on every processor. */
function rowWidth(row: Row): number {
  const width = row.reduce((sum, span) => sum + spanWidth(span), 0);
  return Math.ceil(width + SPAN_GAP * Math.max(0, row.length - 1));
}

export function rowHeight(row: Row): number {
  return Math.max(...row.map(({ face }) => FACES[face].line));
}

export function heightOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + rowHeight(row), 0);
}

export function widthOf(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map(rowWidth));
}

/** Puts as many spans on a row as fit; a span that is too long alone is broken between its words. */
export function rowsOf(spans: readonly Span[], width: number): readonly Row[] {
  const rows: Row[] = [];
  let row: Row = [];
  for (const piece of spans.flatMap((span) => broken(span, width))) {
    if (row.length > 0 && rowWidth([...row, piece]) > width) {
      rows.push(row);
      row = [];
    }
    row = [...row, piece];
  }
  return row.length > 0 ? [...rows, row] : rows;
}

/** A single word that is too long stays whole: a name cut in two can no longer be searched. */
function broken(span: Span, width: number): readonly Span[] {
  const lines: string[] = [];
  for (const word of span.text.split(/\s+/)) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || spanWidth({ ...span, text: longer }) > width) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines.map((text) => ({ face: span.face, text }));
}

export function spanWidth({ face, text }: Span): number {
  const { size, advance } = FACES[face];
  return [...text].reduce((sum, letter) => sum + size * advance * breadth(letter), 0);
}

/** From here on (Hangul, CJK, emoji) a letter is about twice as wide as a Latin one. */
const FIRST_WIDE_CODE_POINT = 0x1100;

function breadth(letter: string): number {
  return (letter.codePointAt(0) ?? 0) >= FIRST_WIDE_CODE_POINT ? 1.8 : 1;
}
