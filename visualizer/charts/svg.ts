/**
 * Svg: the picture of a laid out chart, complete in itself and the same to the byte on every run.
 * Every state is a group with `data-node`, every transition one with `data-edge`: the ids of the chart.
 */
import { BLOCK_GAP, type Block, LABEL_PADDING, LABEL_TOP } from './box.ts';
import type { ChartEdge, ChartNode } from './graph.ts';
import type { Laid, LaidArrow, LaidNode } from './layout.ts';
import { cut, head, path } from './line.ts';
import { LOOK } from './look.ts';
import type { Place, Point } from './place.ts';
import { heightOf, type Row, rowHeight, SPAN_GAP, spanWidth } from './text.ts';

/** Between the two borders of a final state, in pixels. */
const DOUBLE = 3;
const RADIUS = 8;

export function svg(laid: Laid): string {
  const { width, height } = laid;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="statechart" role="img" aria-label="${escaped(sentence(laid))}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${LOOK}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="${RADIUS}"/>`,
    ...laid.nodes.map((node) => state(node, laid)),
    ...laid.arrows.flatMap((arrow) => arrow.edges.map((edge) => transition(edge, arrow))),
    '</svg>\n',
  ].join('\n');
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function sentence({ chart }: Laid): string {
  const count = chart.edges.filter(({ type }) => type === 'transition').length;
  const size = `${chart.nodes.length} states and ${count} transitions`;
  const start = `Statechart of ${chart.id}: ${size}.`;
  return chart.description === null ? start : `${start} ${chart.description}`;
}

function state(laid: LaidNode, { nodes }: Laid): string {
  const { node, region, text } = laid;
  const parent = nodes.find((other) => other.node.id === node.parent)?.node.type;
  const classes = [region ? 'region' : 'leaf', ...(parent === 'parallel' ? ['parallel'] : [])];
  return group(`class="${classes.join(' ')}" data-node="${escaped(node.id)}"`, [
    title(node.id, node.description),
    ...frames(laid),
    ...stacked(text.blocks, laid.textAt).map(([block, at]) =>
      block.edge === null ? rows(block.rows, at) : inside(block.edge, block.rows, at),
    ),
  ]);
}

function frames(laid: LaidNode): readonly string[] {
  const radius = isHistory(laid.node) ? laid.height / 2 : RADIUS;
  const outer = rectangle('frame', laid, radius);
  if (laid.node.type !== 'final') return [outer];
  const size = { width: laid.width - 2 * DOUBLE, height: laid.height - 2 * DOUBLE };
  const inner = { x: laid.x + DOUBLE, y: laid.y + DOUBLE, ...size };
  return [outer, rectangle('frame inner', inner, radius - DOUBLE)];
}

function isHistory({ type }: ChartNode): boolean {
  return type === 'history' || type === 'deepHistory';
}

/** A transition that stays in its state is a line of text in the box. */
function inside(edge: ChartEdge, lines: readonly Row[], at: Point): string {
  return group(`data-edge="${escaped(edge.id)}"`, [
    title(edge.id, edge.description),
    rows(lines, at),
  ]);
}

/** Transitions that share an arrow draw the same line once each, so that each can be lit. */
function transition(edge: ChartEdge, arrow: LaidArrow): string {
  const corner = { x: arrow.label.x + LABEL_PADDING, y: arrow.label.y + LABEL_TOP };
  const own = stacked(arrow.text.blocks, corner).filter(([block]) => block.edge === edge);
  return group(`data-edge="${escaped(edge.id)}"`, [
    title(edge.id, edge.description),
    ...arrow.lines.map((line) => `<path class="line" d="${lined(line, arrow)}"/>`),
    ...arrow.lines.map((line) => `<path class="head" d="${head(line)}"/>`),
    ...start(arrow),
    ...own.flatMap(([block, at]) => [pill(block, at, arrow.label), rows(block.rows, at)]),
  ]);
}

function lined(line: readonly Point[], { label }: LaidArrow): string {
  return cut(line, label).map(path).join('');
}

function start({ start: kind, lines }: LaidArrow): readonly string[] {
  const at = lines[0]?.[0];
  if (kind === 'border' || at === undefined) return [];
  return [
    `<circle class="${kind === 'heading' ? 'dot' : 'ring'}" cx="${at.x}" cy="${at.y}" r="4"/>`,
  ];
}

function pill(block: Block, at: Point, { x, width }: Place): string {
  const height = heightOf(block.rows) + 2 * LABEL_TOP;
  return rectangle('label', { x, y: at.y - LABEL_TOP, width, height }, RADIUS - 3);
}

function stacked(blocks: readonly Block[], { x, y }: Point): readonly (readonly [Block, Point])[] {
  return blocks.map((block, index) => {
    const above = blocks.slice(0, index);
    const top = above.reduce((sum, { rows: lines }) => sum + heightOf(lines) + BLOCK_GAP, y);
    return [block, { x, y: top }] as const;
  });
}

function rows(lines: readonly Row[], { x, y }: Point): string {
  return lines
    .map((row, index) => {
      const bottom = y + heightOf(lines.slice(0, index + 1));
      return `<text y="${bottom - Math.round(rowHeight(row) * 0.27)}">${spans(row, x)}</text>`;
    })
    .join('');
}

function spans(row: Row, left: number): string {
  return row
    .map((span, index) => {
      const before = row.slice(0, index);
      const x = before.reduce((sum, other) => sum + spanWidth(other) + SPAN_GAP, left);
      return `<tspan class="${span.face}" x="${Math.round(x)}">${escaped(span.text)}</tspan>`;
    })
    .join('');
}

function rectangle(name: string, { x, y, width, height }: Place, radius: number): string {
  return `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
}

function title(id: string, description: string | null): string {
  return `<title>${escaped(description === null ? id : `${id}: ${description}`)}</title>`;
}

function group(attributes: string, content: readonly string[]): string {
  return `<g ${attributes}>${content.join('')}</g>`;
}
