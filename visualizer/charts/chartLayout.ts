/** Lays out the picture of a statechart with ELK, which is deterministic. */
import ELK, { type ElkExtendedEdge, type ElkLabel, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import type { Chart, ChartEdge, ChartNode } from './chart.ts';
import {
  type ChartText,
  LABEL_PADDING,
  LABEL_TOP,
  PADDING,
  staysInside,
  writeLabel,
  writeState,
} from './chartText.ts';
import type { DrawnBox, DrawnPoint } from './svg.ts';

export type ChartLayout = ReturnType<typeof collectLayout>;
export type PlacedNode = ReturnType<typeof placeNode>;

export interface PlacedArrow extends Arrow {
  readonly lines: readonly (readonly DrawnPoint[])[];
  readonly label: DrawnBox;
}

export interface ChartWriting {
  readonly state: (node: ChartNode, chart: Chart) => ChartText;
  readonly label: (edges: Arrow['edges']) => ChartText;
}

const EVERY_WORD: ChartWriting = { state: writeState, label: writeLabel };

export async function layOutChart(chart: Chart, writing = EVERY_WORD) {
  const texts = new Map(chart.nodes.map((node) => [node.id, writing.state(node, chart)]));
  const plan = { chart, texts, arrows: groupArrows(chart, writing) };
  return collectLayout(plan, await new ELK.default().layout(createElkGraph(plan)));
}

function flattenShapes(node: ElkNode): readonly ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(flattenShapes)];
}

function collectLayout(
  plan: LayoutPlan,
  { width = 0, height = 0, children = [], edges = [] }: ElkNode,
) {
  const shapes = children.flatMap(flattenShapes);
  const places = new Map(shapes.map((shape) => [shape.id, roundBox(shape)]));
  const routed = new Map(edges.map((edge) => [edge.id, edge]));
  const arrows = plan.arrows.map((arrow) => {
    const own = arrow.targets.flatMap((_, index) => routed.get(routeId(arrow, index)) ?? []);
    return { ...arrow, lines: own.map(listPoints), label: roundBox(own[0]?.labels?.[0] ?? {}) };
  });
  const nodes = plan.chart.nodes.map((node) => placeNode(node, { plan, places, arrows }));
  return { chart: plan.chart, width: Math.ceil(width), height: Math.ceil(height), nodes, arrows };
}

interface PlacedShapes {
  readonly plan: LayoutPlan;
  readonly places: ReadonlyMap<string, DrawnBox>;
  readonly arrows: readonly PlacedArrow[];
}

function placeNode(node: ChartNode, drawing: PlacedShapes) {
  const own = drawing.places.get(node.id) ?? roundBox({});
  const text = drawing.plan.texts.get(node.id) ?? BLANK;
  const heading = drawing.places.get(headingId(node.id));
  const region = heading !== undefined;
  const textAt = region ? placeHeading(heading, node, drawing) : placeText(own, node);
  return { ...own, node, text, textAt, region };
}

function placeText({ x, y }: DrawnBox, { type }: ChartNode): DrawnPoint {
  if (type === 'deepHistory') return { x: x + 5, y: y + 4 };
  return type === 'history' ? { x: x + 8, y: y + 4 } : { x: x + PADDING, y: y + PADDING };
}

/** Between a heading and an arrow that passes it, in pixels. */
const CLEARANCE = 8;

function placeHeading(
  heading: DrawnBox,
  node: ChartNode,
  { plan, places, arrows }: PlacedShapes,
): DrawnPoint {
  const inner = plan.chart.nodes.filter(({ parent }) => parent === node.id).map(({ id }) => id);
  const dots = arrows.filter(({ source }) => source === node.id).map(dotId);
  const obstacles = [
    ...[...inner, ...dots].flatMap((id) => places.get(id) ?? []),
    ...arrows.flatMap(({ label, lines }) => [label, ...lines.flatMap(listSegments)]),
  ];
  const edges = obstacles
    .filter((obstacle) => obstacle.x <= heading.x && isAtSameHeight(obstacle, heading))
    .map(({ x, width }) => x + width + CLEARANCE)
    .filter((x) => x <= heading.x + CLEARANCE);
  const left = (places.get(node.id)?.x ?? 0) + PADDING;
  return { ...heading, x: Math.min(heading.x, Math.max(left, ...edges)) };
}

function roundBox({ x = 0, y = 0, width = 0, height = 0 }: Partial<DrawnBox>): DrawnBox {
  return { x: Math.round(x), y: Math.round(y), width: Math.ceil(width), height: Math.ceil(height) };
}

function listPoints(edge: ElkExtendedEdge): readonly DrawnPoint[] {
  return (edge.sections ?? [])
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
}

/** Transitions that lead from the same state to the same states are one line with one label. */
export interface Arrow {
  readonly id: string;
  readonly edges: readonly [ChartEdge, ...ChartEdge[]];
  readonly source: string;
  readonly targets: readonly string[];
  /** An arrow into its own source starts inside: below the heading, or from a dot. */
  readonly start: 'border' | 'heading' | 'dot';
  readonly text: ChartText;
}

function groupArrows(chart: Chart, { label }: ChartWriting): readonly Arrow[] {
  const leaving = chart.edges.filter((edge) => !staysInside(edge));
  const groups = Map.groupBy(leaving, ({ type, source, targets }) =>
    JSON.stringify([type, source, targets]),
  );
  return [...groups].flatMap(([id, [first, ...rest]]) => {
    if (first === undefined) return [];
    const { source, targets } = first;
    const edges = [first, ...rest] as const;
    return [{ id, edges, source, targets, start: findStart(chart, first), text: label(edges) }];
  });
}

function dotId(arrow: Arrow): string {
  return `dot ${arrow.id}`;
}

function findStart(chart: Chart, { type, source, targets }: ChartEdge): Arrow['start'] {
  const inward = targets.some((target) => listAncestors(chart, target).includes(source));
  if (!inward) return 'border';
  return type === 'default' ? 'heading' : 'dot';
}

function listAncestors(chart: Chart, id: string): readonly string[] {
  const parent = chart.nodes.find((node) => node.id === id)?.parent ?? null;
  return parent === null ? [] : [parent, ...listAncestors(chart, parent)];
}

/* The chart as ELK input. The options were found by experiment; each says what breaks without it. */
export interface LayoutPlan {
  readonly chart: Chart;
  readonly texts: ReadonlyMap<string, ChartText>;
  readonly arrows: readonly Arrow[];
}

/** Diameter of a start dot and of a history circle, in pixels. */
const DOT = 10;
const HISTORY = 26;
/** Room below a heading for the dot of the default transition, in pixels. */
const HEADING_FOOT = 8;

const ROOT_OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
};

/**
 * Given to every state that has states inside, for ELK hands down no option.
 * Depth first puts the initial state on top; the model orders crash elkjs 0.12.1 on nested states.
 */
const REGION_OPTIONS = {
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '14',
  'elk.layered.spacing.edgeNodeBetweenLayers': '10',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.spacing.nodeNode': '18',
  'elk.spacing.edgeNode': '12',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.edgeLabel': '0',
  'elk.padding': `[top=${PADDING},left=${PADDING},bottom=${PADDING},right=${PADDING}]`,
};

/** Without these a state that nothing leads to would be drawn above the heading. */
const HEADING_OPTIONS = { 'elk.layered.layering.layerConstraint': 'FIRST', 'elk.alignment': 'TOP' };

function createElkGraph(plan: LayoutPlan): ElkNode {
  return {
    id: '',
    layoutOptions: { ...ROOT_OPTIONS, ...REGION_OPTIONS },
    children: createShapes(null, plan),
    edges: [...plan.arrows.flatMap(createRoutes), ...createThreads(plan.chart)],
  };
}

function headingId(state: string): string {
  return `heading ${state}`;
}

function routeId(arrow: Arrow, target: number): string {
  return `${arrow.id}${target}`;
}

export const BLANK: ChartText = { blocks: [], width: 0, height: 0 };

function createShapes(parent: string | null, plan: LayoutPlan): ElkNode[] {
  return plan.chart.nodes
    .filter((node) => node.parent === parent)
    .map((node) => createShape(node, plan));
}

function createShape(node: ChartNode, plan: LayoutPlan): ElkNode {
  const { id, type } = node;
  if (type === 'history' || type === 'deepHistory') return { id, width: HISTORY, height: HISTORY };
  const { width, height } = plan.texts.get(id) ?? BLANK;
  const inner = createShapes(id, plan);
  if (inner.length === 0) return { id, width: width + 2 * PADDING, height: height + 2 * PADDING };
  const size = { width, height: height + HEADING_FOOT };
  const heading: ElkNode = { id: headingId(id), layoutOptions: HEADING_OPTIONS, ...size };
  const dots = plan.arrows
    .filter((arrow) => arrow.start === 'dot' && arrow.source === id)
    .map((arrow): ElkNode => ({ id: dotId(arrow), width: DOT, height: DOT }));
  return { id, layoutOptions: REGION_OPTIONS, children: [heading, ...dots, ...inner] };
}

function sourceId(arrow: Arrow): string {
  if (arrow.start === 'border') return arrow.source;
  return arrow.start === 'dot' ? dotId(arrow) : headingId(arrow.source);
}

/** Invisible edges that hold a heading above the regions of a parallel state. */
function createThreads(chart: Chart): ElkExtendedEdge[] {
  const regions = chart.nodes.filter(({ parent }) => {
    return chart.nodes.some(({ id, type }) => id === parent && type === 'parallel');
  });
  return regions.map(({ id, parent }) => {
    return { id: `thread ${id}`, sources: [headingId(parent ?? '')], targets: [id] };
  });
}

function createRoutes(arrow: Arrow): ElkExtendedEdge[] {
  const label: ElkLabel = {
    text: arrow.id,
    width: arrow.text.width + 2 * LABEL_PADDING,
    height: arrow.text.height + 2 * LABEL_TOP,
    layoutOptions: { 'elk.edgeLabels.inline': 'true' },
  };
  return arrow.targets.map((target, index) => ({
    id: routeId(arrow, index),
    sources: [sourceId(arrow)],
    targets: [target],
    labels: index === 0 && arrow.text.blocks.length > 0 ? [label] : [],
  }));
}

function isAtSameHeight(one: DrawnBox, other: DrawnBox): boolean {
  return one.y < other.y + other.height + CLEARANCE && other.y < one.y + one.height + CLEARANCE;
}

function listSegments(line: readonly DrawnPoint[]): readonly DrawnBox[] {
  return line.slice(1).map((to, index) => {
    const from = line[index] ?? to;
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    return { x, y, width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y) };
  });
}
