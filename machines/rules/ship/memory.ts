/**
 * Memory: what a player saw since the last meeting, and the brief that is made of it when the next one is called.
 *
 * What goes on for a while is remembered with its beginning and its end, so that memory does not grow with waiting.
 */
import type { Colour, Deed, Place, Sighting } from '../../types.ts';
import { SECONDS_PER_ROUND } from '../gameOptions.ts';
import type { Sight } from './sight.ts';

/** Something that was seen from one round to another. */
export type Remembered = {
  readonly who: Colour;
  readonly place: Place;
  readonly did: Deed;
  readonly from: number;
  readonly until: number;
};

/** Most that a player remembers of one stretch between meetings; the oldest goes first. */
const MOST_REMEMBERED = 80;

/** Memory after a round. What was seen in the round before and is seen again is one thing. */
export function remembered(
  memory: readonly Remembered[],
  round: number,
  sights: readonly Sight[],
): readonly Remembered[] {
  if (sights.length === 0) return memory;
  const after = [...memory];
  for (const { who, place, did } of sights) {
    const index = after.findLastIndex(
      (one) => one.who === who && one.place === place && one.did === did && one.until === round - 1,
    );
    const known = after[index];
    if (known === undefined) after.push({ who, place, did, from: round, until: round });
    else after[index] = { ...known, until: round };
  }
  return after.length > MOST_REMEMBERED ? after.slice(-MOST_REMEMBERED) : after;
}

/** Sightings in seconds before the round of a call, latest first. */
export function sightingsOf(memory: readonly Remembered[], round: number): readonly Sighting[] {
  const found: Sighting[] = [];
  for (const { who, place, did, from, until } of memory) {
    const ago = (at: number) => (round - at) * SECONDS_PER_ROUND;
    found.push({ ago: ago(until), who, place, did });
    // Long enough to matter: whoever stayed has been there all the while.
    if (until - from > 1) found.push({ ago: ago(from), who, place, did });
  }
  return found.toSorted((one, other) => one.ago - other.ago);
}
