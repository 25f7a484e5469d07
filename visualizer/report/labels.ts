/** Places the names of points so that they cover no name or point, and as little of whiskers as possible. */
import { cutText, FONT_SIZE, type PlotArea, widthOf } from './drawing.ts';

export type LabelledPoint = {
  readonly label: string;
  readonly at: readonly [x: number, y: number];
  /** Lines in the way: from x, y to x, y. */
  readonly whiskers: readonly (readonly [number, number, number, number])[];
};

export type PlacedLabel = ReturnType<typeof placeAt>['label'];

const WIDEST = 130;
/** Distance in pixels from which a line connects a name to its point. */
const FAR = 12;

export function placeLabels(
  points: readonly LabelledPoint[],
  area: PlotArea,
): readonly PlacedLabel[] {
  const taken: PlotArea[] = points.map(({ at: [x, y] }) => ({
    left: x - 6,
    right: x + 6,
    top: y - 6,
    bottom: y + 6,
  }));
  const lines = points.flatMap(({ whiskers }) => whiskers);
  const placed: PlacedLabel[] = [];
  for (const { label, at } of points) {
    if (label === '') continue;
    const text = cutText(label, WIDEST);
    const choices = PLACES.map((place) => placeAt(text, at, place));
    const costs = choices.map(
      ({ box }, index) => costOf(box, { taken, lines, area }) + index * 0.01,
    );
    const best = choices[costs.indexOf(Math.min(...costs))];
    if (best === undefined) continue;
    taken.push(best.box);
    placed.push(best.label);
  }
  return placed;
}

const PLACES = [7, 12, 20, 32, 46].flatMap((gap) =>
  [7, -7].flatMap((dx) => [-gap, gap].map((dy): readonly [number, number] => [dx, dy])),
);

function placeAt(
  text: string,
  [x, y]: LabelledPoint['at'],
  [dx, dy]: readonly [dx: number, dy: number],
) {
  const width = widthOf(text);
  const base = y + dy + (dy > 0 ? FONT_SIZE * 0.6 : 0);
  const left = dx > 0 ? x + dx : x + dx - width;
  const box = { left, right: left + width, top: base - FONT_SIZE * 0.85, bottom: base + 3 };
  /** The start of a line to its point; null for a name beside its point. */
  const lineFrom = Math.abs(dy) < FAR ? null : ([x + dx, dy > 0 ? box.top : box.bottom] as const);
  const anchor = dx > 0 ? 'start' : 'end';
  return { label: { text, x: x + dx, y: base, anchor, lineFrom, point: [x, y] } as const, box };
}

type Obstacles = {
  readonly taken: readonly PlotArea[];
  readonly lines: LabelledPoint['whiskers'];
  readonly area: PlotArea;
};

function costOf(box: PlotArea, { taken, lines, area }: Obstacles): number {
  const isOutside =
    box.left < area.left ||
    box.right > area.right ||
    box.top < area.top ||
    box.bottom > area.bottom;
  const covered = taken.filter((one) => overlaps(box, one)).length;
  const crossed = lines.filter(([x1, y1, x2, y2]) =>
    overlaps(box, {
      left: Math.min(x1, x2) - 1,
      right: Math.max(x1, x2) + 1,
      top: Math.min(y1, y2) - 1,
      bottom: Math.max(y1, y2) + 1,
    }),
  ).length;
  return (isOutside ? 50 : 0) + 10 * covered + crossed;
}

function overlaps(one: PlotArea, other: PlotArea): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}
