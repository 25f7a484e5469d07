/**
 * Walking as everybody on board knows it: how far apart two places are, and whether one can get there in time.
 *
 * Distances let a mind tell an honest short walk from a story that can't be true. A room is one step from its hallway
 * and two from the next room.
 */
import { distance, neighbours } from '../../../machines/rules/ship/map.ts';
import { SKELD } from '../../../machines/rules/ship/skeld.ts';
import type { Place } from '../../../machines/types.ts';

/** Steps from a room to the next one. */
export const NEXT_ROOM = 2;
/** Seconds that a step takes. */
const STEP_SECONDS = 2.5;

export function beside(place: Place): readonly Place[] {
  return neighbours(SKELD, place);
}

/** Steps to walk from one place to the other: 0 for the same, 1 into the hallway, 2 for the next room. */
export function steps(from: Place, to: Place): number {
  return distance(SKELD, from, to);
}

/** Seconds that it takes to walk from one place to the other. */
export function walkSeconds(from: Place, to: Place): number {
  return steps(from, to) * STEP_SECONDS;
}
