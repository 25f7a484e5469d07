/** The visible part of a statechart. Units belong to its layout, pixels to the screen. */
import type { DrawnBox } from '../../charts/svg.ts';
import type { DrawnChart, Spot } from '../game/story/pageData.ts';

export type ViewSize = Pick<DrawnBox, 'width' | 'height'>;

export type ChartView = { readonly x: number; readonly y: number; readonly scale: number };

export type ChartPlace = { readonly chart: DrawnChart; readonly size: ViewSize };

const TOP = 22;
const MARGIN = 18;
/** Names of states are 12.5 units high, so they are legible from this scale on. */
export const LEGIBLE_SCALE = 0.92;
const GREATEST_FIT = 1.15;
const LEAST_SCALE = 0.2;
const GREATEST_SCALE = 4;

export function fitView(place: ChartPlace): ChartView {
  const { width, height } = place.chart;
  const { size } = place;
  const scale = Math.min(size.width / width, size.height / (height - TOP), GREATEST_FIT);
  return keepInside({ x: 0, y: 0, scale }, place);
}

/** A legible view of these boxes, the first ones with priority. It moves the view as little as possible. */
export function followView(
  before: ChartView | null,
  boxes: readonly DrawnBox[],
  place: ChartPlace,
): ChartView {
  const { width, height } = place.size;
  const scale = Math.max(LEGIBLE_SCALE, fitView(place).scale);
  let { x, y } = before?.scale === scale ? before : { x: null, y: null };
  for (const box of boxes.toReversed()) {
    x = moveIntoSight(x, box.x, box.width, width / scale);
    y = moveIntoSight(y, box.y, box.height, height / scale);
  }
  return keepInside({ x: x ?? 0, y: y ?? 0, scale }, place);
}

/** Along one axis: where the view begins to show a stretch, or the beginning of one that is too long. */
function moveIntoSight(start: number | null, from: number, length: number, shown: number): number {
  if (start === null) return from + length / 2 - shown / 2;
  const margin = Math.min(MARGIN, Math.max(0, (shown - length) / 2));
  return Math.min(from - margin, Math.max(start, from + length + margin - shown));
}

export function panView({ x, y, scale }: ChartView, [right, down]: Spot): ChartView {
  return { x: x - right / scale, y: y - down / scale, scale };
}

export function zoomView({ x, y, scale }: ChartView, factor: number, at: Spot): ChartView {
  const after = Math.max(LEAST_SCALE, Math.min(GREATEST_SCALE, scale * factor));
  const shift = 1 / scale - 1 / after;
  return { x: x + at[0] * shift, y: y + at[1] * shift, scale: after };
}

export function keepInside({ x, y, scale }: ChartView, { chart, size }: ChartPlace): ChartView {
  return {
    x: clampStart(x, 0, chart.width - size.width / scale),
    y: clampStart(y, TOP, chart.height - TOP - size.height / scale),
    scale,
  };
}

function clampStart(start: number, from: number, spare: number): number {
  return spare <= 0 ? from + spare / 2 : Math.max(from, Math.min(from + spare, start));
}

export function boxAround(spots: readonly Spot[]): DrawnBox {
  const [xs, ys] = [spots.map(([x]) => x), spots.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

export type AvoidedBox = DrawnBox & { readonly mayBeCovered?: boolean };

/** Label positions in pixels. A label without a place on or beside the visible part of its line gets none. */
export function placeLabels(
  labels: readonly (ViewSize & { readonly along: readonly Spot[] })[],
  boxes: readonly AvoidedBox[],
  view: ChartView,
  size: ViewSize,
): readonly (DrawnBox | null)[] {
  const { scale } = view;
  const toScreen = ([x, y]: Spot): Spot => [(x - view.x) * scale, (y - view.y) * scale];
  const taken = boxes.map((box): AvoidedBox => {
    const [x, y] = toScreen([box.x, box.y]);
    return { ...box, x, y, width: box.width * scale, height: box.height * scale };
  });
  return labels.map(({ along, width, height }) => {
    let best: AvoidedBox | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [left, top] of listSpots(along.map(toScreen), size)) {
      for (const [right, down] of BESIDE) {
        const x = clampStart(left + right * (width / 2 + 4) - width / 2, 2, size.width - width - 4);
        const y = clampStart(
          top + down * (height / 2 + 4) - height / 2,
          2,
          size.height - height - 4,
        );
        const box = { x, y, width, height, mayBeCovered: true };
        const covered = taken.reduce((sum, other) => sum + overlap(box, other), 0);
        if (covered < least) [best, least] = [box, covered];
      }
    }
    if (best !== null) taken.push(best);
    return best;
  });
}

/** From the spot of a label to its middle: on the line first. */
const BESIDE = [
  [0, 0],
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
] as const;

function listSpots(points: readonly Spot[], { width, height }: ViewSize): readonly Spot[] {
  return points
    .slice(1)
    .flatMap(([x, y], index) => {
      const [x0, y0] = points[index] ?? [x, y];
      return [0.5, 0.3, 0.7, 0.1, 0.9].map(
        (share): Spot => [x0 + (x - x0) * share, y0 + (y - y0) * share],
      );
    })
    .filter(([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height);
}

function overlap(one: DrawnBox, other: AvoidedBox): number {
  const along = (a: number, length: number, b: number, size: number) =>
    Math.max(0, Math.min(a + length, b + size) - Math.max(a, b));
  const wide = along(one.x, one.width, other.x, other.width);
  const area = wide * along(one.y, one.height, other.y, other.height);
  return area > 0 && other.mayBeCovered !== true ? Number.POSITIVE_INFINITY : area;
}
