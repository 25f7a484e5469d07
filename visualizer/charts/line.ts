/** Line: the drawn path of an arrow, with round corners and a head. */
import type { Place, Point } from './place.ts';

/** All in pixels. */
const CORNER = 6;
const HEAD_LENGTH = 7;
const HEAD_HALF_WIDTH = 3.5;

/** The parts of a line that are outside a label: a line that is drawn again must not cross the text. */
export function cut(points: readonly Point[], label: Place): readonly (readonly Point[])[] {
  const bottom = label.y + label.height;
  const at = points.findIndex((point, index) => {
    const after = points[index + 1];
    return after !== undefined && passes([point, after], label);
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

/** Labels stand on upright lines only, because charts are laid out from top to bottom. */
function passes([from, to]: readonly [Point, Point], label: Place): boolean {
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  const within = from.x >= label.x && from.x <= label.x + label.width;
  return within && from.x === to.x && top <= label.y && bottom >= label.y + label.height;
}

export function path(points: readonly Point[]): string {
  return points.map((point, index) => step(points, point, index)).join('');
}

function step(points: readonly Point[], point: Point, index: number): string {
  const [before, after] = [points[index - 1], points[index + 1]];
  if (before === undefined) return `M${spot(point)}`;
  if (after === undefined) return `L${spot(point)}`;
  const radius = Math.min(CORNER, distance(before, point) / 2, distance(point, after) / 2);
  const [start, end] = [towards(point, before, radius), towards(point, after, radius)];
  return `L${spot(start)}Q${spot(point)} ${spot(end)}`;
}

/** The triangle at the end, as a path of its own so that it can take the colour of its transition. */
export function head(points: readonly Point[]): string {
  const [before, tip] = points.slice(-2);
  if (before === undefined || tip === undefined) return '';
  const base = towards(tip, before, HEAD_LENGTH);
  const [dx, dy] = [(tip.x - base.x) / HEAD_LENGTH, (tip.y - base.y) / HEAD_LENGTH];
  const left = { x: base.x - dy * HEAD_HALF_WIDTH, y: base.y + dx * HEAD_HALF_WIDTH };
  const right = { x: base.x + dy * HEAD_HALF_WIDTH, y: base.y - dx * HEAD_HALF_WIDTH };
  return `M${spot(tip)}L${spot(left)}L${spot(right)}Z`;
}

function towards(from: Point, to: Point, length: number): Point {
  const share = length / Math.max(distance(from, to), 1);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Half pixels are fine enough, and short. */
function spot({ x, y }: Point): string {
  return `${Math.round(x * 2) / 2} ${Math.round(y * 2) / 2}`;
}
