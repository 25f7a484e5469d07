/** Facts about the machines and the ship that a page needs, read at build time. */
import { arbiterMachine } from '../../../machines/charts/arbiter.ts';
import { gameMachine } from '../../../machines/charts/game.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { playerMachine } from '../../../machines/charts/player.ts';
import { SKELD } from '../../../machines/rules/ship/map.ts';
import { taskSites } from '../../../machines/rules/ship/tasks.ts';
import { type Chart, type ChartEdge, type ChartNode, readChart } from '../../charts/chart.ts';
import {
  BLANK,
  type ChartLayout,
  type ChartWriting,
  layOutChart,
} from '../../charts/chartLayout.ts';
import { drawHead, placeRows, stackBlocks } from '../../charts/chartSvg.ts';
import { LABEL_PADDING, LABEL_TOP, measureHeight, type TextBlock } from '../../charts/chartText.ts';
import { lowerFirst, spaceOut, wordEvent, wordGuard } from '../../charts/chartWords.ts';
import type { DrawnBox, DrawnPoint } from '../../charts/svg.ts';
import type {
  BuildFacts,
  DrawnChart,
  DrawnEdge,
  DrawnLine,
  DrawnText,
  Spot,
  WordedChart,
  WordedLayout,
} from '../game/story/pageData.ts';

/** Only the names of states, in pixels. */
const LETTER = 7.2;
const NAMES: ChartWriting = {
  state: ({ key }) => ({ blocks: [], width: Math.round(key.length * LETTER) + 2, height: 6 }),
  label: () => BLANK,
};
/** From the corner of the text of a state to the line that its name stands on. */
const BASELINE = { alone: 7, withWords: 15 } as const;

async function drawNames(chart: Chart): Promise<DrawnChart> {
  return placeChart(chart, await layOutChart(chart, NAMES), BASELINE.alone);
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

export function describeChart(chart: Chart): WordedChart {
  return {
    id: chart.id,
    nodes: chart.nodes.map((node) => describeNode(node, chart)),
    edges: chart.edges.map((edge) => describeEdge(edge, chart)),
  };
}

async function drawWords(chart: Chart): Promise<WordedLayout> {
  const laid = await layOutChart(nameInWords(chart));
  const { width, height, nodes, lines, texts } = placeChart(chart, laid, BASELINE.withWords);
  const places = nodes.map(({ x, y, width, height, nameAt }) => ({ x, y, width, height, nameAt }));
  return { width, height, places, lines, texts };
}

/** Large charts use the words of the small ones. */
function nameInWords(chart: Chart): Chart {
  const spaced = (names: readonly string[]) =>
    names.map((name) => spaceOut(name.replace('(', ' (')));
  return {
    ...chart,
    nodes: chart.nodes.map((node) => ({
      ...node,
      ...{ entry: spaced(node.entry), exit: spaced(node.exit), invokes: spaced(node.invokes) },
    })),
    edges: chart.edges.map((edge) => ({
      ...edge,
      ...{ event: describeEdge(edge, chart).text, guard: null, actions: spaced(edge.actions) },
    })),
  };
}

function placeChart(chart: Chart, laid: ChartLayout, baseline: number): DrawnChart {
  const { nodes, ...words } = describeChart(chart);
  const ofStates = laid.nodes.flatMap(({ text, textAt }) =>
    stackBlocks(text.blocks, textAt).map(([block, at]) => drawText(block, at, null)),
  );
  const ofLines = laid.arrows.flatMap(({ text, label }) => {
    const at = { x: label.x + LABEL_PADDING, y: label.y + LABEL_TOP };
    return stackBlocks(text.blocks, at).map(([block, corner]) => drawText(block, corner, label));
  });
  return {
    ...words,
    width: laid.width,
    height: laid.height,
    nodes: laid.nodes.map(({ node, x, y, width, height, textAt }) => ({
      ...describeNode(node, chart),
      ...{ x, y, width, height, nameAt: [textAt.x, textAt.y + baseline] },
    })),
    lines: laid.arrows.flatMap(({ edges, lines }) => lines.map((line) => drawLine(edges, line))),
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

const HEAD = 6;

function drawLine(edges: readonly ChartEdge[], points: readonly DrawnPoint[]): DrawnLine {
  const spots = points.map(({ x, y }): Spot => [x, y]);
  const path = spots.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return { edges: edges.map(({ id }) => id), spots, path, head: drawHead(points, HEAD) };
}

export async function readFacts(): Promise<BuildFacts> {
  const [meeting, game] = [readChart(meetingMachine), readChart(gameMachine)];
  const [player, arbiter] = [readChart(playerMachine), readChart(arbiterMachine)];
  return {
    charts: {
      meeting: await drawNames(meeting),
      game: await drawNames(game),
      player: await drawNames(player),
      arbiter: await drawNames(arbiter),
      meetingPhases: await drawNames(selectPhases(meeting)),
      gamePhases: await drawNames(selectPhases(game)),
    },
    worded: {
      meeting: await drawWords(meeting),
      game: await drawWords(game),
      player: await drawWords(player),
      arbiter: await drawWords(arbiter),
    },
    skeld: { ...SKELD, tasks: taskSites(SKELD) },
  };
}
