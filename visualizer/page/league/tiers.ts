/** Tiers: who can be told apart by their intervals, and the sentence that says so. */
import type { Place } from './order.ts';
import { listed } from './words.ts';

/** The largest groups in which everybody overlaps with everybody else, from the strongest down. */
export function groupsOf(places: readonly Place[]): readonly (readonly Place[])[] {
  const ranked = places.toSorted((one, other) => one.rank - other.rank);
  // Intervals that overlap with each other share a point, and so they share the lowest of their upper ends.
  const groups = ranked.map(({ row: { rating } }) => {
    const { most } = rating.overall;
    return ranked.filter(({ row: { rating: other } }) => holds(other.overall, most));
  });
  return groups
    .filter((group, index) =>
      groups.every((other, at) => at === index || !isWithin(group, other, at < index)),
    )
    .toSorted((one, other) => (one[0]?.rank ?? 0) - (other[0]?.rank ?? 0));
}

function holds(
  { least, most }: { readonly least: number; readonly most: number },
  point: number,
): boolean {
  return least <= point && point <= most;
}

/** Whether the other group says all that this one does; of two equal ones the first stays. */
function isWithin(group: readonly Place[], other: readonly Place[], isFirst: boolean): boolean {
  if (group.length > other.length || (group.length === other.length && !isFirst)) return false;
  const ranks = new Set(other.map(({ rank }) => rank));
  return group.every(({ rank }) => ranks.has(rank));
}

/** Ids before which there is a gap: nobody above overlaps with anybody below. */
export function gapsIn(places: readonly Place[]): ReadonlySet<string> {
  const gaps = new Set<string>();
  let least = Number.POSITIVE_INFINITY;
  const ends = places.map(({ row }) => row.rating.overall.most);
  const mostBelow = ends.map((_, index) => Math.max(...ends.slice(index)));
  for (const [index, { row }] of places.entries()) {
    if (index > 0 && (mostBelow[index] ?? 0) < least) gaps.add(row.id);
    least = Math.min(least, row.rating.overall.least);
  }
  return gaps;
}

/** Who can't be told apart, in a sentence; '' where there is nobody to compare. */
export function apart(places: readonly Place[]): string {
  const played = places.filter(({ row }) => row.all.games > 0);
  const groups = groupsOf(played);
  const [first] = groups;
  if (first === undefined || played.length === 1) return '';
  const lead = first.length === 1 ? `${namesOf(first)} is ahead of everybody. ` : '';
  const together = groups.filter(({ length }) => length > 1);
  if (together.length === 0) return `${lead}No two intervals overlap.`;
  const shown = together.slice(0, MOST_GROUPS).map(namesOf);
  const rest = together.length - shown.length;
  const more = rest === 0 ? '' : ` (and ${rest} more such groups)`;
  return `${lead}Who can’t be told apart, because their intervals overlap: ${shown.join('; ')}${more}. Their order may be chance.`;
}

const MOST_GROUPS = 3;

function namesOf(group: readonly Place[]): string {
  return listed(group.map(({ persona }) => persona.name));
}
