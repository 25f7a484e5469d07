/** The picture of a statechart as SVG. `data-active` lights a state or a transition. */
import type { ChartEdge, ChartNode } from './chart.ts';
import type { ChartLayout, PlacedArrow, PlacedNode } from './chartLayout.ts';
import {
  BLOCK_GAP,
  FACES,
  LABEL_PADDING,
  LABEL_TOP,
  measureHeight,
  measureRowHeight,
  measureSpan,
  SPAN_GAP,
  type TextBlock,
  type TextRow,
} from './chartText.ts';
import {
  type DrawnBox,
  type DrawnPoint,
  drawGroup,
  drawTitle,
  escapeXml,
  listColours,
  SANS,
} from './svg.ts';

const DOUBLE = 3;
const RADIUS = 8;

export function drawChart(laid: ChartLayout): string {
  const { width, height } = laid;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="statechart" role="img" aria-label="${escapeXml(describeChart(laid))}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="${RADIUS}"/>`,
    ...laid.nodes.map((node) => drawState(node, laid)),
    ...laid.arrows.flatMap((arrow) => arrow.edges.map((edge) => drawTransition(edge, arrow))),
    '</svg>\n',
  ].join('\n');
}

function describeChart({ chart }: ChartLayout): string {
  const count = chart.edges.filter(({ type }) => type === 'transition').length;
  const size = `${chart.nodes.length} states and ${count} transitions`;
  const start = `Statechart of ${chart.id}: ${size}.`;
  return chart.description === null ? start : `${start} ${chart.description}`;
}

function drawState(laid: PlacedNode, { nodes }: ChartLayout): string {
  const { node, region, text } = laid;
  const parent = nodes.find((other) => other.node.id === node.parent)?.node.type;
  const classes = [region ? 'region' : 'leaf', ...(parent === 'parallel' ? ['parallel'] : [])];
  return drawGroup(`class="${classes.join(' ')}" data-node="${escapeXml(node.id)}"`, [
    drawNamed(node),
    ...drawFrames(laid),
    ...stackBlocks(text.blocks, laid.textAt).map(([block, at]) =>
      block.edge === null
        ? drawRows(block.rows, at)
        : drawEdge(block.edge, [drawRows(block.rows, at)]),
    ),
  ]);
}

function drawFrames(laid: PlacedNode): readonly string[] {
  const isHistory = laid.node.type === 'history' || laid.node.type === 'deepHistory';
  const radius = isHistory ? laid.height / 2 : RADIUS;
  const outer = drawRectangle('frame', laid, radius);
  if (laid.node.type !== 'final') return [outer];
  const size = { width: laid.width - 2 * DOUBLE, height: laid.height - 2 * DOUBLE };
  const inner = { x: laid.x + DOUBLE, y: laid.y + DOUBLE, ...size };
  return [outer, drawRectangle('frame inner', inner, radius - DOUBLE)];
}

function drawEdge(edge: ChartEdge, content: readonly string[]): string {
  return drawGroup(`data-edge="${escapeXml(edge.id)}"`, [drawNamed(edge), ...content]);
}

function drawTransition(edge: ChartEdge, arrow: PlacedArrow): string {
  const corner = { x: arrow.label.x + LABEL_PADDING, y: arrow.label.y + LABEL_TOP };
  const own = stackBlocks(arrow.text.blocks, corner).filter(([block]) => block.edge === edge);
  return drawEdge(edge, [
    ...arrow.lines.map((line) => {
      const parts = cutAtLabel(line, arrow.label).flatMap((part) =>
        part.map((point, index) => drawStep(part, point, index)),
      );
      return `<path class="line" d="${parts.join('')}"/>`;
    }),
    ...arrow.lines.map((line) => `<path class="head" d="${drawHead(line)}"/>`),
    ...drawStart(arrow),
    ...own.flatMap(([block, at]) => [drawLabel(block, at, arrow.label), drawRows(block.rows, at)]),
  ]);
}

function drawStart({ start, lines }: PlacedArrow): readonly string[] {
  const at = lines[0]?.[0];
  if (start === 'border' || at === undefined) return [];
  const face = start === 'heading' ? 'dot' : 'ring';
  return [`<circle class="${face}" cx="${at.x}" cy="${at.y}" r="4"/>`];
}

function drawLabel(block: TextBlock, at: DrawnPoint, { x, width }: DrawnBox): string {
  const height = measureHeight(block.rows) + 2 * LABEL_TOP;
  return drawRectangle('label', { x, y: at.y - LABEL_TOP, width, height }, RADIUS - 3);
}

export function stackBlocks(
  blocks: readonly TextBlock[],
  { x, y }: DrawnPoint,
): readonly (readonly [TextBlock, DrawnPoint])[] {
  return blocks.map((block, index) => {
    const above = blocks.slice(0, index);
    const top = above.reduce((sum, { rows: lines }) => sum + measureHeight(lines) + BLOCK_GAP, y);
    return [block, { x, y: top }] as const;
  });
}

function drawRows(lines: readonly TextRow[], at: DrawnPoint): string {
  return placeRows(lines, at)
    .map((row) => {
      const spans = row.map(
        ({ face, text, x }) => `<tspan class="${face}" x="${x}">${escapeXml(text)}</tspan>`,
      );
      return `<text y="${row[0]?.y}">${spans.join('')}</text>`;
    })
    .join('');
}

export function placeRows(lines: readonly TextRow[], at: DrawnPoint) {
  return lines.map((row, index) => {
    const bottom = at.y + measureHeight(lines.slice(0, index + 1));
    const y = bottom - Math.round(measureRowHeight(row) * 0.27);
    return row.map((span, place) => {
      const before = row.slice(0, place);
      const x = before.reduce((sum, other) => sum + measureSpan(other) + SPAN_GAP, at.x);
      return { ...span, x: Math.round(x), y };
    });
  });
}

function drawRectangle(name: string, { x, y, width, height }: DrawnBox, radius: number): string {
  return `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
}

function drawNamed({ id, description }: ChartNode | ChartEdge): string {
  return drawTitle(description === null ? id : `${id}: ${description}`);
}

const CORNER = 6;
const HEAD_LENGTH = 7;

/** The parts of a line that are outside a label: a line that is drawn again must not cross the text. */
function cutAtLabel(
  points: readonly DrawnPoint[],
  label: DrawnBox,
): readonly (readonly DrawnPoint[])[] {
  const bottom = label.y + label.height;
  const at = points.findIndex((point, index) => {
    const after = points[index + 1];
    return after !== undefined && passesLabel([point, after], label);
  });
  if (at < 0) return [points];
  const [before, after] = [points.slice(0, at + 1), points.slice(at + 1)];
  const x = before.at(-1)?.x ?? 0;
  const down = (before.at(-1)?.y ?? 0) < (after[0]?.y ?? 0);
  const [enter, leave] = down ? [label.y, bottom] : [bottom, label.y];
  return [
    [...before, { x, y: enter }],
    [{ x, y: leave }, ...after],
  ];
}

/** Labels are on vertical segments only, because charts are laid out from top to bottom. */
function passesLabel([from, to]: readonly [DrawnPoint, DrawnPoint], label: DrawnBox): boolean {
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  const within = from.x >= label.x && from.x <= label.x + label.width;
  return within && from.x === to.x && top <= label.y && bottom >= label.y + label.height;
}

function drawStep(points: readonly DrawnPoint[], point: DrawnPoint, index: number): string {
  const [before, after] = [points[index - 1], points[index + 1]];
  if (before === undefined) return `M${formatPoint(point)}`;
  if (after === undefined) return `L${formatPoint(point)}`;
  const radius = Math.min(
    CORNER,
    measureDistance(before, point) / 2,
    measureDistance(point, after) / 2,
  );
  const [start, end] = [moveTowards(point, before, radius), moveTowards(point, after, radius)];
  return `L${formatPoint(start)}Q${formatPoint(point)} ${formatPoint(end)}`;
}

export function drawHead(points: readonly DrawnPoint[], length = HEAD_LENGTH): string {
  const [before, tip] = points.slice(-2);
  if (before === undefined || tip === undefined) return '';
  const base = moveTowards(tip, before, length);
  const [dx, dy] = [(tip.x - base.x) / 2, (tip.y - base.y) / 2];
  const left = { x: base.x - dy, y: base.y + dx };
  const right = { x: base.x + dy, y: base.y - dx };
  return `M${formatPoint(tip)}L${formatPoint(left)}L${formatPoint(right)}Z`;
}

function moveTowards(from: DrawnPoint, to: DrawnPoint, length: number): DrawnPoint {
  const share = length / Math.max(measureDistance(from, to), 1);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function measureDistance(one: DrawnPoint, other: DrawnPoint): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Half pixels are fine enough, and short. */
function formatPoint({ x, y }: DrawnPoint): string {
  return `${Math.round(x * 2) / 2} ${Math.round(y * 2) / 2}`;
}

const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

const COLOURS = {
  ground: ['#f6f7f9', '#0d1117'],
  region: ['#ffffff', '#151b23'],
  state: ['#ffffff', '#212936'],
  border: ['#9aa4b2', '#56606f'],
  ink: ['#1b2330', '#e9eef5'],
  muted: ['#566072', '#a3adbb'],
  line: ['#5b6b8c', '#8a9bbd'],
  label: ['#e8edf7', '#2a3447'],
  event: ['#1d3f8f', '#b7cdff'],
  guard: ['#7a3e00', '#ffcf99'],
  active: ['#c2185b', '#ff6fa5'],
} as const;

const STYLE = [
  ...listColours('statechart', 'chart', COLOURS),
  `.statechart text{font-family:${SANS};fill:var(--chart-ink)}`,
  ...Object.entries(FACES).map(([face, { size }]) => `.statechart .${face}{font-size:${size}px}`),
  `.statechart :is(.event,.guard,.action){font-family:${MONO}}`,
  '.statechart .title{font-weight:650}',
  '.statechart :is(.prose,.action,.word){fill:var(--chart-muted)}',
  '.statechart .event{font-weight:700;fill:var(--chart-event)}',
  '.statechart .guard{font-style:italic;fill:var(--chart-guard)}',
  '.statechart .ground{fill:var(--chart-ground)}',
  '.statechart .frame{fill:var(--chart-state);stroke:var(--chart-border);stroke-width:1.2}',
  '.statechart .region>.frame{fill:var(--chart-region);fill-opacity:.55}',
  '.statechart .parallel>.frame{stroke-dasharray:6 4}',
  '.statechart .inner{fill:none}',
  '.statechart .line{fill:none;stroke:var(--chart-line);stroke-width:1.3}',
  '.statechart :is(.head,.dot){fill:var(--chart-line)}',
  '.statechart .ring{fill:var(--chart-state);stroke:var(--chart-line);stroke-width:1.5}',
  '.statechart .label{fill:var(--chart-label)}',
  '.statechart [data-active]>.frame{stroke:var(--chart-active);stroke-width:2.4}',
  '.statechart [data-active]>:is(.line,.label){stroke:var(--chart-active)}',
  '.statechart [data-active]>.head{fill:var(--chart-active)}',
].join('\n');
