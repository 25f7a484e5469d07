/**
 * When the victim can have died, and who can have been there then.
 *
 * The time of death lies between the last sight of the victim alive, with the walk from there to where the body lay, and
 * the first sight of the body. Whoever was seen so far away, before and after, that no walk leads past the body in that
 * time has an alibi, for those who believe the witness.
 */
import type { Colour, Place, Sighting } from '../../../machines/types.ts';
import { walkSeconds } from './memory.ts';

/** A place and the seconds before the call in which somebody was in it. */
export type SeenAt = Pick<Sighting, 'place' | 'ago'>;

/** Without a last sight of the victim, seconds before the meeting in which being beside the body means something. */
const FRESH = 45;
/** The victim may be seen dead so late that no sighting matters any more. */
const STALE = 120;
/** A last sight of the victim is good for so many seconds more or less. */
const BLUR = 5;
/** A round on the ship: nothing is known more exactly. */
const ROUND = 2.5;

/** Seconds before the call in which the victim died at the earliest, by what is known of them alive. */
export function estimateDeath(body: Place | null, sights: readonly (SeenAt | null)[]): number {
  let latest = STALE;
  for (const sight of sights) {
    if (sight === null) continue;
    const walk = body === null ? 0 : walkSeconds(sight.place, body);
    latest = Math.min(latest, Math.max(0, sight.ago - walk));
  }
  return latest < STALE ? latest + BLUR : FRESH;
}

/** Seconds before the call in which the player first saw the body: the victim died no later. */
export function findFirstLook(bodies: readonly Sighting[], victim: Colour | null): number {
  return bodies.filter(({ who }) => who === victim).at(-1)?.ago ?? 0;
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
    if (most >= least) free += most - least + ROUND;
    least = Math.max(least, ago + walk);
    if (least > from) break;
  }
  if (least <= from) free += from - least + ROUND;
  return Math.min(1, free / (from - until + ROUND));
}
