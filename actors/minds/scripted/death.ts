/** When the victim can have died: after the last sighting alive and a walk to the body, until the body was seen. */
import { SECONDS_PER_ROUND } from '../../../machines/rules/options.ts';
import type { Colour, Place, Sighting } from '../../../machines/types.ts';
import { walkSeconds } from './memory.ts';

export type SeenAt = Pick<Sighting, 'place' | 'ago'>;

/** Without a last sight of the victim: seconds before the meeting when being beside the body means something. */
const FRESH = 45;
/** The victim may be seen dead so late that no sighting matters any more. */
const STALE = 120;
const BLUR_SECONDS = 5;

/** Earliest time of death in seconds before the call, from sightings of the living victim. */
export function estimateDeath(body: Place | null, sights: readonly (SeenAt | null)[]): number {
  const ends = sights
    .filter((sight) => sight !== null)
    .map(({ place, ago }) => ago - (body === null ? 0 : walkSeconds(place, body)));
  const latest = Math.max(0, Math.min(STALE, ...ends));
  return latest < STALE ? latest + BLUR_SECONDS : FRESH;
}

/** Latest time of death: when the player first saw the body, in seconds before the call. */
export function findFirstLook(bodies: readonly Sighting[], victim: Colour | null): number {
  return bodies.findLast(({ who }) => who === victim)?.ago ?? 0;
}

export function shareAtBody(
  seen: readonly SeenAt[],
  body: Place,
  { from, until }: { readonly from: number; readonly until: number },
): number {
  let free = 0;
  let least = until;
  for (const { place, ago } of seen) {
    const walk = walkSeconds(place, body);
    const most = Math.min(from, ago - walk);
    if (most >= least) free += most - least + SECONDS_PER_ROUND;
    least = Math.max(least, ago + walk);
    if (least > from) break;
  }
  if (least <= from) free += from - least + SECONDS_PER_ROUND;
  return Math.min(1, free / (from - until + SECONDS_PER_ROUND));
}
