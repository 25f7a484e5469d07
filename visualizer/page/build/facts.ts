/**
 * What a page must know of the machines and the ship that run, read from them when the page is built.
 *
 * Only names are written in its statecharts, so that a whole meeting fits beside everything else: what a transition is called
 * is shown in words when it fires. ELK places and routes; it is deterministic.
 */
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { gameMachine } from '../../../machines/charts/game.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { playerMachine } from '../../../machines/charts/player.ts';
import { FORMAT } from '../../../machines/journal/lines.ts';
import { SKELD } from '../../../machines/rules/ship/map.ts';
import { taskSites } from '../../../machines/rules/ship/tasks.ts';
import { type Chart, type ChartEdge, type ChartNode, readChart } from '../../charts/chart.ts';
import { ROOT_OPTIONS } from '../../charts/chartLayout.ts';
import type { BuildFacts, DrawnChart, DrawnEdge, DrawnNode, Spot } from '../game/story/pageData.ts';

/** All in pixels. */
const STATE_HEIGHT = 26;
const LETTER = 7.2;
const STATE_SIDES = 22;
const HEADING = 26;
const DOT = 8;

/** Depth first puts the initial state on top; without the rest states drift apart. */
const OPTIONS = {
  ...ROOT_OPTIONS,
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
export async function drawCompactChart(chart: Chart): Promise<DrawnChart> {
  const graph: ElkNode = { id: '', layoutOptions: OPTIONS, children: createShapes(chart, null) };
  graph.edges = [...bundleEdges(chart)].map(([id, [first]]) => ({
    id,
    sources: [first.type === 'default' ? dotId(first.source) : first.source],
    targets: [...first.targets],
  }));
  return collectDrawing(chart, await new ELK.default().layout(graph));
}

/** Only the states right below the root, and what leads from one to another. */
function selectPhases(chart: Chart): Chart {
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

type EdgeBundle = readonly [ChartEdge, ...ChartEdge[]];

/** Transitions between the same two states are one line. */
function bundleEdges(chart: Chart): ReadonlyMap<string, EdgeBundle> {
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

function createShapes(chart: Chart, parent: string | null): ElkNode[] {
  return chart.nodes
    .filter((node) => node.parent === parent)
    .map((node) => createShape(chart, node));
}

function createShape(chart: Chart, { id, key }: ChartNode): ElkNode {
  const inner = createShapes(chart, id);
  const width = Math.round(key.length * LETTER + STATE_SIDES);
  if (inner.length === 0) return { id, width, height: STATE_HEIGHT };
  const starts = chart.edges.some(({ type, source }) => type === 'default' && source === id);
  const dots = starts ? [{ id: dotId(id), width: DOT, height: DOT }] : [];
  return { id, layoutOptions: OPTIONS, children: [...dots, ...inner] };
}

function collectDrawing(chart: Chart, graph: ElkNode): DrawnChart {
  const { width = 0, height = 0, children = [], edges = [] } = graph;
  const places = new Map(children.flatMap(flattenShapes).map((one) => [one.id, one]));
  const lines = new Map(edges.map((edge) => [edge.id, listPoints(edge)]));
  const known = bundleEdges(chart);
  const lineOf = (edge: ChartEdge) =>
    [...known].find(([, bundle]) => bundle.includes(edge))?.[0] ?? null;
  return {
    id: chart.id,
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: chart.nodes.map((node): DrawnNode => {
      const { x = 0, y = 0, width: wide = 0, height: high = 0 } = places.get(node.id) ?? {};
      return {
        ...describeNode(node),
        x: roundToHalf(x),
        y: roundToHalf(y),
        width: roundToHalf(wide),
        height: roundToHalf(high),
      };
    }),
    edges: chart.edges.map((edge): DrawnEdge => ({ ...describeEdge(edge), line: lineOf(edge) })),
    lines: Object.fromEntries(lines),
  };
}

function describeNode({ id, key, parent, type, description }: ChartNode) {
  return { id, key, parent, isFinal: type === 'final', description: description ?? '' };
}

function describeEdge({ id, type, source, targets, event, guard, description }: ChartEdge) {
  const target = targets[0] ?? null;
  const isStart = type === 'default';
  return { id, isStart, source, target, event, guard, description: description ?? '' };
}

function flattenShapes(node: ElkNode): readonly ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(flattenShapes)];
}

function listPoints({ sections = [] }: ElkExtendedEdge): readonly Spot[] {
  return sections
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }) => [roundToHalf(x), roundToHalf(y)] as const);
}

function roundToHalf(number: number): number {
  return Math.round(number * 2) / 2;
}

export async function readFacts(): Promise<BuildFacts> {
  const [meeting, game] = [readChart(meetingMachine), readChart(gameMachine)];
  return {
    format: FORMAT,
    charts: {
      meeting: await drawCompactChart(meeting),
      game: await drawCompactChart(game),
      player: await drawCompactChart(readChart(playerMachine)),
      meetingPhases: await drawCompactChart(selectPhases(meeting)),
      gamePhases: await drawCompactChart(selectPhases(game)),
    },
    skeld: { ...SKELD, tasks: taskSites(SKELD) },
  };
}
