/** Facts about the machines and the ship that a page needs, read at build time. */
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { arbiterMachine } from '../../../machines/charts/arbiter.ts';
import { gameMachine } from '../../../machines/charts/game.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { playerMachine } from '../../../machines/charts/player.ts';
import { SKELD } from '../../../machines/rules/ship/map.ts';
import { taskSites } from '../../../machines/rules/ship/tasks.ts';
import { type Chart, type ChartEdge, type ChartNode, readChart } from '../../charts/chart.ts';
import { flattenShapes, layOutChart, ROOT_OPTIONS } from '../../charts/chartLayout.ts';
import { placeRows, stackBlocks } from '../../charts/chartSvg.ts';
import { LABEL_PADDING, LABEL_TOP, measureHeight, type TextBlock } from '../../charts/chartText.ts';
import { lowerFirst, wordEvent, wordGuard } from '../../charts/chartWords.ts';
import type { DrawnBox, DrawnPoint } from '../../charts/svg.ts';
import type {
  BuildFacts,
  DrawnChart,
  DrawnEdge,
  DrawnLine,
  DrawnNode,
  DrawnText,
  Spot,
  WordedChart,
  WordedLayout,
} from '../game/story/pageData.ts';

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

async function drawCompactChart(chart: Chart): Promise<DrawnChart> {
  const graph: ElkNode = { id: '', layoutOptions: OPTIONS, children: createShapes(chart, null) };
  graph.edges = [...bundleEdges(chart)].map(([id, [first]]) => ({
    id,
    sources: [first.type === 'default' ? dotId(first.source) : first.source],
    targets: [...first.targets],
  }));
  return collectDrawing(chart, await new ELK.default().layout(graph));
}

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
  const { width = 0, height = 0, children = [], edges: ways = [] } = graph;
  const places = new Map(children.flatMap(flattenShapes).map((one) => [one.id, one]));
  const routes = new Map(ways.map((edge) => [edge.id, listPoints(edge)]));
  const { id, nodes, edges } = describeChart(chart);
  return {
    id,
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: nodes.map((node): DrawnNode => {
      const { x = 0, y = 0, width: wide = 0, height: high = 0 } = places.get(node.id) ?? {};
      return {
        ...node,
        x: roundToHalf(x),
        y: roundToHalf(y),
        width: roundToHalf(wide),
        height: roundToHalf(high),
        nameAt: [roundToHalf(x) + 10, roundToHalf(y) + 17],
      };
    }),
    edges,
    lines: [...bundleEdges(chart)].map(([name, bundle]) =>
      drawLine(
        bundle.map((edge) => edge.id),
        routes.get(name) ?? [],
      ),
    ),
  };
}

/** The states and transitions of a chart in words. */
export function describeChart(chart: Chart): WordedChart {
  return {
    id: chart.id,
    nodes: chart.nodes.map((node) => describeNode(node, chart)),
    edges: chart.edges.map((edge) => describeEdge(edge, chart)),
  };
}

async function layOutWords(chart: Chart): Promise<WordedLayout> {
  const { width, height, nodes, arrows } = await layOutChart(chart);
  const ofStates = nodes.flatMap(({ text, textAt }) =>
    stackBlocks(text.blocks, textAt).map(([block, at]) => drawText(block, at, null)),
  );
  const ofLines = arrows.flatMap(({ text, label }) => {
    const at = { x: label.x + LABEL_PADDING, y: label.y + LABEL_TOP };
    return stackBlocks(text.blocks, at).map(([block, corner]) => drawText(block, corner, label));
  });
  return {
    width,
    height,
    places: nodes.map((node) => {
      const { x, y, textAt } = node;
      return { x, y, width: node.width, height: node.height, nameAt: [textAt.x, textAt.y + 15] };
    }),
    lines: arrows.flatMap(({ edges, lines }) =>
      lines.map((line) =>
        drawLine(
          edges.map(({ id }) => id),
          line.map(({ x, y }) => [x, y]),
        ),
      ),
    ),
    texts: [...ofStates, ...ofLines].filter(({ words }) => words.length > 0),
  };
}

/** The name of a state is drawn with its box. */
function drawText({ edge, rows }: TextBlock, at: DrawnPoint, label: DrawnBox | null): DrawnText {
  const height = measureHeight(rows) + 2 * LABEL_TOP;
  const words = placeRows(rows, at).flat();
  return {
    edges: edge === null ? [] : [edge.id],
    plate: label && { x: label.x, y: at.y - LABEL_TOP, width: label.width, height },
    words: words
      .filter(({ face }) => face !== 'title')
      .map(({ x, y, face, text }) => [x, y, face, text]),
  };
}

function describeNode({ id, key, parent, type, description }: ChartNode, chart: Chart) {
  return {
    id,
    key,
    name: nameState(id),
    isFinal: type === 'final',
    isTop: parent === chart.nodes[0]?.id,
    isRegion: chart.nodes.some((node) => node.id === parent && node.type === 'parallel'),
    isInnermost: chart.nodes.every((node) => node.parent !== id),
    description: description ?? '',
  };
}

function describeEdge(edge: ChartEdge, chart: Chart): DrawnEdge {
  const { id, type, source, targets, event, guard, description } = edge;
  const target = targets[0] ?? null;
  const name = `${event}${guard === null ? '' : ` [${guard}]`}`;
  const words = wordEvent(event);
  const condition = guard === null ? null : wordGuard(guard);
  return {
    ...{ id, isStart: type === 'default', source, target, guard },
    ...{ event: words.now, happened: words.past },
    ...{ condition: condition?.now ?? null, was: condition?.past ?? '' },
    text: condition === null ? words.now : joinCondition(event, words.now, condition.now),
    name: type === 'default' ? 'the start' : name,
    way: nameWay(source, target, chart),
    description: description ?? '',
  };
}

/** What moves by itself moves as soon as its condition is met. */
function joinCondition(event: string, happens: string, condition: string): string {
  return event === 'always' ? condition : `${happens}, if ${lowerFirst(condition)}`;
}

/** "discussion › listening": a state within its parent. */
function nameState(id: string): string {
  return id.split('.').slice(1).slice(-2).join(' › ') || id;
}

/** "discussion › bidding → listening": where both lie in the same state, it is named once. */
function nameWay(source: string, target: string | null, { nodes }: Chart): string {
  const from = nameState(source);
  if (target === null || target === source) return `${from} stays`;
  const [home, other] = [source, target].map((id) => nodes.find((node) => node.id === id));
  const isNear = home?.parent === other?.parent && home?.parent !== nodes[0]?.id;
  return `${from} → ${isNear ? (other?.key ?? '') : nameState(target)}`;
}

function drawLine(edges: readonly string[], spots: readonly Spot[]): DrawnLine {
  const path = spots.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return { edges, spots, path, head: drawArrowHead(spots) };
}

/** A triangle at the end of a line, which always arrives level or upright. */
function drawArrowHead(spots: readonly Spot[]): string {
  const [before, tip] = spots.slice(-2);
  if (before === undefined || tip === undefined) return '';
  const [dx, dy] = [Math.sign(tip[0] - before[0]), Math.sign(tip[1] - before[1])];
  const [x, y] = tip;
  return `M${x} ${y}L${x - 6 * dx - 3 * dy} ${y - 6 * dy - 3 * dx}L${x - 6 * dx + 3 * dy} ${y - 6 * dy + 3 * dx}Z`;
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
  const [player, arbiter] = [readChart(playerMachine), readChart(arbiterMachine)];
  return {
    charts: {
      meeting: await drawCompactChart(meeting),
      game: await drawCompactChart(game),
      player: await drawCompactChart(player),
      arbiter: await drawCompactChart(arbiter),
      meetingPhases: await drawCompactChart(selectPhases(meeting)),
      gamePhases: await drawCompactChart(selectPhases(game)),
    },
    worded: {
      meeting: await layOutWords(meeting),
      game: await layOutWords(game),
      player: await layOutWords(player),
      arbiter: await layOutWords(arbiter),
    },
    skeld: { ...SKELD, tasks: taskSites(SKELD) },
  };
}
