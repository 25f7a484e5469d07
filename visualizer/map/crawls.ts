/** Crawls: the ways between vents, each drawn once. */
import { type Drawn, ventSpot } from './layout.ts';
import type { Plan } from './plan.ts';
import type { Point } from './shape.ts';

/** How far a crawl bends to its side, as a share of its length. */
const BEND = 0.07;

export function crawls(plan: Plan, drawn: readonly Drawn[]): readonly string[] {
  const spots = new Map(
    drawn.flatMap((one) =>
      plan.vents
        .filter(({ place }) => place === one.place)
        .map(({ id }, index) => [id, ventSpot(one, index)] as const),
    ),
  );
  return plan.vents.flatMap(({ id, links }) =>
    links
      .filter((link) => link > id)
      .flatMap((link) => {
        const [from, to] = [spots.get(id), spots.get(link)];
        return from === undefined || to === undefined ? [] : [crawl(from, to)];
      }),
  );
}

/** Always from left to right, so that it bends down. */
function crawl(one: Point, other: Point): string {
  const [from, to] = one.x <= other.x ? [one, other] : [other, one];
  const x = Math.round((from.x + to.x) / 2 - (to.y - from.y) * BEND);
  const y = Math.round((from.y + to.y) / 2 + (to.x - from.x) * BEND);
  return `<path class="crawl" d="M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}"/>`;
}
