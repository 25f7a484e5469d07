/**
 * Layout: where everything in the picture stands, in absolute whole pixels.
 * ELK places and routes; it is deterministic, so the same chart gives the same numbers on every run.
 */
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { type Arrow, arrowsOf, dotId } from './arrow.ts';
import { box, PADDING, type Written } from './box.ts';
import { BLANK, elkGraph, headingId, type Plan, routeId } from './elk.ts';
import type { Chart, ChartNode } from './graph.ts';
import { slid } from './heading.ts';
import type { Place, Point } from './place.ts';

export interface Laid {
  readonly chart: Chart;
  readonly width: number;
  readonly height: number;
  /** Parents before children, as in the chart. */
  readonly nodes: readonly LaidNode[];
  readonly arrows: readonly LaidArrow[];
}

export interface LaidNode extends Place {
  readonly node: ChartNode;
  readonly text: Written;
  readonly textAt: Point;
  /** Whether other states lie inside, so that the text is a heading. */
  readonly region: boolean;
}

export interface LaidArrow extends Arrow {
  /** One line for each target. */
  readonly lines: readonly (readonly Point[])[];
  /** Where the label stands; of no size if nothing is written on it. */
  readonly label: Place;
}

export async function layout(chart: Chart): Promise<Laid> {
  const texts = new Map(chart.nodes.map((node) => [node.id, box(chart, node)]));
  const plan = { chart, texts, arrows: arrowsOf(chart) };
  return drawn(plan, await new ELK.default().layout(elkGraph(plan)));
}

function family(node: ElkNode): readonly ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(family)];
}

function drawn(plan: Plan, { width = 0, height = 0, children = [], edges = [] }: ElkNode): Laid {
  const places = new Map(children.flatMap(family).map((shape) => [shape.id, place(shape)]));
  const routed = new Map(edges.map((edge) => [edge.id, edge]));
  const arrows = plan.arrows.map((arrow) => laidArrow(arrow, routed));
  const nodes = plan.chart.nodes.map((node) => laidNode(node, { plan, places, arrows }));
  return { chart: plan.chart, width: Math.ceil(width), height: Math.ceil(height), nodes, arrows };
}

function laidArrow(arrow: Arrow, routed: ReadonlyMap<string, ElkExtendedEdge>): LaidArrow {
  const own = arrow.targets.flatMap((_, index) => routed.get(routeId(arrow, index)) ?? []);
  return { ...arrow, lines: own.map(points), label: place(own[0]?.labels?.[0] ?? {}) };
}

interface Drawing {
  readonly plan: Plan;
  readonly places: ReadonlyMap<string, Place>;
  readonly arrows: readonly LaidArrow[];
}

function laidNode(node: ChartNode, drawing: Drawing): LaidNode {
  const own = drawing.places.get(node.id) ?? place({});
  const text = drawing.plan.texts.get(node.id) ?? BLANK;
  const heading = drawing.places.get(headingId(node.id));
  const region = heading !== undefined;
  const textAt = region ? settled(heading, node, drawing) : corner(own, node);
  return { ...own, node, text, textAt, region };
}

/** The letter of a history stands in the middle of its circle. */
function corner({ x, y }: Place, { type }: ChartNode): Point {
  if (type === 'deepHistory') return { x: x + 5, y: y + 4 };
  return type === 'history' ? { x: x + 8, y: y + 4 } : { x: x + PADDING, y: y + PADDING };
}

function settled(heading: Place, node: ChartNode, { plan, places, arrows }: Drawing): Point {
  const inner = plan.chart.nodes.filter(({ parent }) => parent === node.id).map(({ id }) => id);
  const dots = arrows.filter(({ source }) => source === node.id).map(dotId);
  return slid(heading, {
    left: (places.get(node.id)?.x ?? 0) + PADDING,
    places: [
      ...[...inner, ...dots].flatMap((id) => places.get(id) ?? []),
      ...arrows.map(({ label }) => label),
    ],
    lines: arrows.flatMap(({ lines }) => lines),
  });
}

function place({ x = 0, y = 0, width = 0, height = 0 }: Partial<Place>): Place {
  return { x: Math.round(x), y: Math.round(y), width: Math.ceil(width), height: Math.ceil(height) };
}

function points(edge: ElkExtendedEdge): readonly Point[] {
  return (edge.sections ?? [])
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
}
