/** Texts of states and transition labels. Widths are overestimates, because fonts differ between machines. */
import type { Chart, ChartEdge, ChartNode } from './chart.ts';

/** Sizes and lines in pixels; `advance` is the mean width of a character, as a share of the size. */
export const FACES = {
  title: { size: 14, line: 20, advance: 0.6 },
  prose: { size: 11.5, line: 15, advance: 0.56 },
  event: { size: 11, line: 15, advance: 0.61 },
  guard: { size: 11, line: 15, advance: 0.61 },
  action: { size: 11, line: 15, advance: 0.61 },
  word: { size: 10, line: 15, advance: 0.54 },
} as const;

type TextSpan = Readonly<{ face: keyof typeof FACES; text: string }>;

export type TextRow = readonly TextSpan[];

export const SPAN_GAP = 6;

/** Whole pixels, so that the picture is the same on every processor. */
function measureRowWidth(row: TextRow): number {
  const width = row.reduce((sum, span) => sum + measureSpan(span), 0);
  return Math.ceil(width + SPAN_GAP * Math.max(0, row.length - 1));
}

export function measureRowHeight(row: TextRow): number {
  return Math.max(...row.map(({ face }) => FACES[face].line));
}

export function measureHeight(rows: readonly TextRow[]): number {
  return rows.reduce((sum, row) => sum + measureRowHeight(row), 0);
}

function breakIntoRows(spans: readonly TextSpan[], width: number): readonly TextRow[] {
  const rows: TextRow[] = [];
  let row: TextRow = [];
  for (const piece of spans.flatMap((span) => breakSpan(span, width))) {
    if (row.length > 0 && measureRowWidth([...row, piece]) > width) {
      rows.push(row);
      row = [];
    }
    row = [...row, piece];
  }
  return row.length > 0 ? [...rows, row] : rows;
}

/** A single word that is too long stays whole: a name cut in two can no longer be searched. */
function breakSpan(span: TextSpan, width: number): readonly TextSpan[] {
  const lines: string[] = [];
  for (const word of span.text.split(/\s+/)) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || measureSpan({ ...span, text: longer }) > width) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines.map((text) => ({ face: span.face, text }));
}

export function measureSpan({ face, text }: TextSpan): number {
  const { size, advance } = FACES[face];
  return [...text].reduce((sum, letter) => sum + size * advance * letterWidth(letter), 0);
}

/** From here on (Hangul, CJK, emoji) a letter is about twice as wide as a Latin one. */
const FIRST_WIDE_CODE_POINT = 0x1100;

function letterWidth(letter: string): number {
  return (letter.codePointAt(0) ?? 0) >= FIRST_WIDE_CODE_POINT ? 1.8 : 1;
}

export type TextBlock = Readonly<{ edge: ChartEdge | null; rows: readonly TextRow[] }>;

export type ChartText = Readonly<{ blocks: readonly TextBlock[]; width: number; height: number }>;

/** Where the lines break, in pixels. */
const NODE_WIDTH = 190;
const REGION_WIDTH = 300;
const LABEL_WIDTH = 150;

export const PADDING = 10;
export const LABEL_PADDING = 6;
export const LABEL_TOP = 2;

export const BLOCK_GAP = 4;

export function hasChildren(chart: Chart, node: ChartNode): boolean {
  return chart.nodes.some(({ parent }) => parent === node.id);
}

export function staysInside(edge: ChartEdge): boolean {
  return edge.targets.every((target) => target === edge.source);
}

export function writeState(node: ChartNode, chart: Chart): ChartText {
  const width = hasChildren(chart, node) ? REGION_WIDTH : NODE_WIDTH;
  const own = chart.edges.filter((edge) => edge.source === node.id && staysInside(edge));
  return measure([
    { edge: null, rows: writeHeader(node, width) },
    ...own.map((edge) => writeTransition(edge, width)),
  ]);
}

export function writeLabel(edges: readonly ChartEdge[]): ChartText {
  const named = edges.filter((edge) => edge.type === 'transition' || edge.actions.length > 0);
  return measure(
    named.map((edge) => ({ edge, rows: breakIntoRows(writeSpans(edge), LABEL_WIDTH) })),
  );
}

function measure(blocks: readonly TextBlock[]): ChartText {
  const filled = blocks.filter(({ rows }) => rows.length > 0);
  const heights = filled.map(({ rows }) => measureHeight(rows));
  const gaps = BLOCK_GAP * Math.max(0, filled.length - 1);
  return {
    blocks: filled,
    width: Math.max(0, ...filled.flatMap(({ rows }) => rows.map(measureRowWidth))),
    height: heights.reduce((sum, height) => sum + height, gaps),
  };
}

function writeHeader(node: ChartNode, width: number): readonly TextRow[] {
  if (node.type === 'history') return [[{ face: 'title', text: 'H' }]];
  if (node.type === 'deepHistory') return [[{ face: 'title', text: 'H*' }]];
  const title: TextRow = [
    { face: 'title', text: node.key },
    ...node.tags.map((tag): TextSpan => ({ face: 'word', text: `#${tag}` })),
  ];
  const prose: readonly TextSpan[] =
    node.description === null ? [] : [{ face: 'prose', text: node.description }];
  return [
    title,
    ...breakIntoRows(prose, width),
    ...writeList('invoke', node.invokes, width),
    ...writeList('entry /', node.entry, width),
    ...writeList('exit /', node.exit, width),
  ];
}

function writeList(word: string, names: readonly string[], width: number): readonly TextRow[] {
  if (names.length === 0) return [];
  return breakIntoRows([{ face: 'word', text: word }, ...writeActions(names)], width);
}

function writeActions(names: readonly string[]): readonly TextSpan[] {
  return names.map((text, index) => ({
    face: 'action',
    text: index < names.length - 1 ? `${text},` : text,
  }));
}

function writeTransition(edge: ChartEdge, width: number): TextBlock {
  const again: readonly TextSpan[] = edge.internal ? [] : [{ face: 'word', text: '↻' }];
  return { edge, rows: breakIntoRows([...again, ...writeSpans(edge)], width) };
}

function writeSpans(edge: ChartEdge): readonly TextSpan[] {
  const spans: readonly TextSpan[] = [
    { face: 'event', text: edge.type === 'default' ? '' : edge.event },
    { face: 'guard', text: edge.guard === null ? '' : `[${edge.guard}]` },
    ...writeActions(edge.actions.map((name, index) => (index === 0 ? `/ ${name}` : name))),
  ];
  return spans.filter(({ text }) => text !== '');
}
