/** Testimony in words: what a claim says, and what is true. */
import type { Judged } from '../../../../analysis/statistics/testimony.ts';
import { capitalize } from '../../../text.ts';

/** Places that are named; a long way has more. */
const MOST_PLACES = 3;

/** "says Electrical, 10 s before the call", or "says Red in Electrical". */
export function claimed({ by, about, place, ago }: Judged): string {
  const whom = by === about ? '' : `${capitalize(about)} in `;
  const when = ago === null ? '' : `, ${ago} s before the call`;
  return `says ${whom}${place}${when}`;
}

/** "was in Admin", or that it is so. */
export function truly({ truth, ago, places }: Judged): string {
  if (truth === 'true') return 'so it was';
  if (ago === null) return 'never there since the last meeting';
  const more = places.length > MOST_PLACES ? ' and on' : '';
  return `was in ${places.slice(0, MOST_PLACES).join(', ')}${more}`;
}
