/**
 * Box: what is written in a state, and on the label of a transition.
 * Transitions that do not leave their state are lines in its box, for an arrow from a box to itself says no more.
 */
import type { Chart, ChartEdge, ChartNode } from './graph.ts';
import { heightOf, type Row, rowsOf, type Span, widthOf } from './text.ts';

/** Rows that belong together: all are about the state, or all are about one transition. */
export interface Block {
  /** The transition that the rows are about, or null. */
  readonly edge: ChartEdge | null;
  readonly rows: readonly Row[];
}

export interface Written {
  readonly blocks: readonly Block[];
  readonly width: number;
  readonly height: number;
}

/** Where the lines break, in pixels. */
const NODE_WIDTH = 190;
const REGION_WIDTH = 300;
const LABEL_WIDTH = 150;

/** Between the border of a box, or of a label, and its text. */
export const PADDING = 10;
export const LABEL_PADDING = 6;
export const LABEL_TOP = 2;

/** Between two blocks. */
export const BLOCK_GAP = 4;

export function hasChildren(chart: Chart, node: ChartNode): boolean {
  return chart.nodes.some(({ parent }) => parent === node.id);
}

/** Whether a transition is a line in the box of its state instead of an arrow. */
export function staysInside(edge: ChartEdge): boolean {
  return edge.targets.every((target) => target === edge.source);
}

export function box(chart: Chart, node: ChartNode): Written {
  const width = hasChildren(chart, node) ? REGION_WIDTH : NODE_WIDTH;
  const own = chart.edges.filter((edge) => edge.source === node.id && staysInside(edge));
  return written([
    { edge: null, rows: header(node, width) },
    ...own.map((edge) => line(edge, width)),
  ]);
}

/** Transitions with the same ends share one label, a block each. */
export function label(edges: readonly ChartEdge[]): Written {
  const named = edges.filter((edge) => edge.type === 'transition' || edge.actions.length > 0);
  return written(named.map((edge) => ({ edge, rows: rowsOf(spans(edge), LABEL_WIDTH) })));
}

function written(blocks: readonly Block[]): Written {
  const filled = blocks.filter(({ rows }) => rows.length > 0);
  const heights = filled.map(({ rows }) => heightOf(rows));
  const gaps = BLOCK_GAP * Math.max(0, filled.length - 1);
  return {
    blocks: filled,
    width: Math.max(0, ...filled.map(({ rows }) => widthOf(rows))),
    height: heights.reduce((sum, height) => sum + height, gaps),
  };
}

function header(node: ChartNode, width: number): readonly Row[] {
  if (node.type === 'history') return [[{ face: 'title', text: 'H' }]];
  if (node.type === 'deepHistory') return [[{ face: 'title', text: 'H*' }]];
  const title: Row = [
    { face: 'title', text: node.key },
    ...node.tags.map((tag): Span => ({ face: 'word', text: `#${tag}` })),
  ];
  const prose: readonly Span[] =
    node.description === null ? [] : [{ face: 'prose', text: node.description }];
  return [
    title,
    ...rowsOf(prose, width),
    ...list('invoke', node.invokes, width),
    ...list('entry /', node.entry, width),
    ...list('exit /', node.exit, width),
  ];
}

function list(word: string, names: readonly string[], width: number): readonly Row[] {
  if (names.length === 0) return [];
  return rowsOf([{ face: 'word', text: word }, ...actions(names)], width);
}

function actions(names: readonly string[]): readonly Span[] {
  return names.map((text, index) => ({
    face: 'action',
    text: index < names.length - 1 ? `${text},` : text,
  }));
}

function line(edge: ChartEdge, width: number): Block {
  const again: readonly Span[] = edge.internal ? [] : [{ face: 'word', text: '↻' }];
  return { edge, rows: rowsOf([...again, ...spans(edge)], width) };
}

function spans(edge: ChartEdge): readonly Span[] {
  const event: readonly Span[] =
    edge.type === 'default' ? [] : [{ face: 'event', text: edge.event }];
  const guard: readonly Span[] =
    edge.guard === null ? [] : [{ face: 'guard', text: `[${edge.guard}]` }];
  const slash: readonly Span[] = edge.actions.length === 0 ? [] : actions(edge.actions);
  return [
    ...event,
    ...guard,
    ...slash.map((span, index) => (index === 0 ? { ...span, text: `/ ${span.text}` } : span)),
  ];
}
