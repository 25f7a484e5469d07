/**
 * Elk: the chart as ELK wants it, nested shapes with sizes and edges between them.
 * The options were found by trying; each says what goes wrong without it.
 */
import type { ElkExtendedEdge, ElkLabel, ElkNode } from 'elkjs/lib/elk.bundled.js';
import { type Arrow, dotId } from './arrow.ts';
import { LABEL_PADDING, LABEL_TOP, PADDING, type Written } from './box.ts';
import type { Chart, ChartNode } from './graph.ts';

export interface Plan {
  readonly chart: Chart;
  readonly texts: ReadonlyMap<string, Written>;
  readonly arrows: readonly Arrow[];
}

/** The size of a dot from which an arrow starts, and of the circle of a history, in pixels. */
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
const HEADING_OPTIONS = {
  'elk.layered.layering.layerConstraint': 'FIRST',
  'elk.alignment': 'TOP',
};

export function elkGraph(plan: Plan): ElkNode {
  return {
    id: '',
    layoutOptions: { ...ROOT_OPTIONS, ...REGION_OPTIONS },
    children: shapes(null, plan),
    edges: [...plan.arrows.flatMap(routes), ...threads(plan.chart)],
  };
}

/** A heading is a shape of its own, so that arrows go around it. */
export function headingId(state: string): string {
  return `heading ${state}`;
}

/** The edge of an arrow to its target of this number. */
export function routeId(arrow: Arrow, target: number): string {
  return `${arrow.id}${target}`;
}

/** What is drawn for a state that the plan does not know: nothing. */
export const BLANK: Written = { blocks: [], width: 0, height: 0 };

function shapes(parent: string | null, plan: Plan): ElkNode[] {
  return plan.chart.nodes.filter((node) => node.parent === parent).map((node) => shape(node, plan));
}

function shape(node: ChartNode, plan: Plan): ElkNode {
  const { id, type } = node;
  if (type === 'history' || type === 'deepHistory') return { id, width: HISTORY, height: HISTORY };
  const { width, height } = plan.texts.get(id) ?? BLANK;
  const inner = shapes(id, plan);
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

/** Nothing is drawn for these: they only hold a heading above the regions of a parallel state. */
function threads(chart: Chart): ElkExtendedEdge[] {
  const regions = chart.nodes.filter(({ parent }) => {
    return chart.nodes.some(({ id, type }) => id === parent && type === 'parallel');
  });
  return regions.map(({ id, parent }) => {
    return { id: `thread ${id}`, sources: [headingId(parent ?? '')], targets: [id] };
  });
}

/** The label goes on the first line only. */
function routes(arrow: Arrow): ElkExtendedEdge[] {
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
