/**
 * Drawing: a statechart laid out for the page, as numbers.
 *
 * Only names are written in it, so that a whole meeting can be seen beside everything else: what a transition is called
 * is told in words when it fires. ELK places and routes; it is deterministic.
 */
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import type { Chart, ChartEdge, ChartNode } from '../../charts/chart.ts';
import type { DrawnChart, DrawnEdge, DrawnNode, Spot } from '../game/story/pageData.ts';

/** All in pixels. */
const HEIGHT = 26;
const LETTER = 7.2;
const SIDES = 22;
const HEADING = 26;
const DOT = 8;

/** Depth first puts the initial state on top; without the rest states drift apart. */
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '20',
  'elk.layered.spacing.edgeNodeBetweenLayers': '9',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '7',
  'elk.spacing.nodeNode': '16',
  'elk.spacing.edgeNode': '9',
  'elk.spacing.edgeEdge': '7',
  'elk.padding': `[top=${HEADING + 8},left=12,bottom=12,right=12]`,
};

/** Lays a chart out whole. */
export async function drawing(chart: Chart): Promise<DrawnChart> {
  const graph: ElkNode = { id: '', layoutOptions: OPTIONS, children: shapes(chart, null) };
  graph.edges = [...bundles(chart)].map(([id, [first]]) => ({
    id,
    sources: [first.type === 'default' ? dotId(first.source) : first.source],
    targets: [...first.targets],
  }));
  return drawn(chart, await new ELK.default().layout(graph));
}

/** Only the states right below the root, and what leads from one to another. */
export function phasesOf(chart: Chart): Chart {
  const root = chart.nodes.find(({ parent }) => parent === null)?.id ?? chart.id;
  const phases = chart.nodes.filter(({ parent }) => parent === root);
  const phaseOf = (id: string) =>
    phases.find((phase) => phase.id === id || id.startsWith(`${phase.id}.`))?.id ?? root;
  const lifted = chart.edges.map((edge) => ({
    ...edge,
    source: phaseOf(edge.source),
    targets: edge.targets.map(phaseOf),
  }));
  return {
    ...chart,
    nodes: chart.nodes.filter((node) => node.id === root || phases.includes(node)),
    edges: lifted.filter(({ source, targets }) => targets.length === 0 || targets[0] !== source),
  };
}

type Bundle = readonly [ChartEdge, ...ChartEdge[]];

/** Transitions between the same two states are one line. */
function bundles(chart: Chart): ReadonlyMap<string, Bundle> {
  const leaving = chart.edges.filter(
    ({ source, targets }) => targets.length > 0 && targets[0] !== source,
  );
  const groups = Map.groupBy(
    leaving,
    ({ type, source, targets }) => `${type} ${source} ${targets.join(' ')}`,
  );
  return new Map(
    [...groups].flatMap(([id, [first, ...rest]]) =>
      first === undefined ? [] : [[id, [first, ...rest]] as const],
    ),
  );
}

function dotId(state: string): string {
  return `dot ${state}`;
}

function shapes(chart: Chart, parent: string | null): ElkNode[] {
  return chart.nodes.filter((node) => node.parent === parent).map((node) => shape(chart, node));
}

function shape(chart: Chart, { id, key }: ChartNode): ElkNode {
  const inner = shapes(chart, id);
  const width = Math.round(key.length * LETTER + SIDES);
  if (inner.length === 0) return { id, width, height: HEIGHT };
  const starts = chart.edges.some(({ type, source }) => type === 'default' && source === id);
  const dots = starts ? [{ id: dotId(id), width: DOT, height: DOT }] : [];
  return { id, layoutOptions: OPTIONS, children: [...dots, ...inner] };
}

function drawn(chart: Chart, graph: ElkNode): DrawnChart {
  const { width = 0, height = 0, children = [], edges = [] } = graph;
  const places = new Map(children.flatMap(family).map((one) => [one.id, one]));
  const lines = new Map(edges.map((edge) => [edge.id, points(edge)]));
  const known = bundles(chart);
  const lineOf = (edge: ChartEdge) =>
    [...known].find(([, bundle]) => bundle.includes(edge))?.[0] ?? null;
  return {
    id: chart.id,
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: chart.nodes.map((node): DrawnNode => {
      const { x = 0, y = 0, width: wide = 0, height: high = 0 } = places.get(node.id) ?? {};
      return { ...named(node), x: round(x), y: round(y), width: round(wide), height: round(high) };
    }),
    edges: chart.edges.map((edge): DrawnEdge => ({ ...told(edge), line: lineOf(edge) })),
    lines: Object.fromEntries(lines),
  };
}

function named({ id, key, parent, type, description }: ChartNode) {
  return { id, key, parent, isFinal: type === 'final', description: description ?? '' };
}

function told({ id, type, source, targets, event, guard, description }: ChartEdge) {
  const target = targets[0] ?? null;
  const isStart = type === 'default';
  return { id, isStart, source, target, event, guard, description: description ?? '' };
}

function family(node: ElkNode): readonly ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(family)];
}

function points({ sections = [] }: ElkExtendedEdge): readonly Spot[] {
  return sections
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }) => [round(x), round(y)] as const);
}

function round(number: number): number {
  return Math.round(number * 2) / 2;
}
