/**
 * Heading: the text on top of a state that has states inside.
 * ELK puts it above the initial state; here it slides to the left border, as far as nothing stands in the way.
 */
import type { Place, Point } from './place.ts';

/** Between a heading and an arrow that passes it, in pixels. */
const CLEARANCE = 8;

export interface Surroundings {
  /** Where a heading without neighbours would start. */
  readonly left: number;
  readonly places: readonly Place[];
  readonly lines: readonly (readonly Point[])[];
}

export function slid(heading: Place, { left, places, lines }: Surroundings): Place {
  const obstacles = [...places, ...lines.flatMap(segments)];
  const edges = obstacles
    .filter((obstacle) => obstacle.x <= heading.x && sameHeight(obstacle, heading))
    .map(({ x, width }) => x + width + CLEARANCE)
    .filter((x) => x <= heading.x + CLEARANCE);
  return { ...heading, x: Math.min(heading.x, Math.max(left, ...edges)) };
}

function sameHeight(one: Place, other: Place): boolean {
  return one.y < other.y + other.height + CLEARANCE && other.y < one.y + one.height + CLEARANCE;
}

/** The straight parts of a line, as places that may be of no width. */
function segments(line: readonly Point[]): readonly Place[] {
  return line.slice(1).map((to, index) => {
    const from = line[index] ?? to;
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    return { x, y, width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y) };
  });
}
