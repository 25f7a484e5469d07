/**
 * Beats: where everybody is while a round is walked.
 *
 * A round has as many beats as the longest way of a living player has steps, and at least one. Everybody's steps are
 * spread evenly over them, so that two who meet on the way are in one place at one beat or cross between two. Ghosts
 * are not counted: what they do changes nothing that the living see.
 */
import { COLOURS, type Colour, type Deed, type Place } from '../../types.ts';
import type { Draft } from './draft.ts';
import { isLiving } from './world.ts';

/** One of the beats of a round, from 1; 0 is how it began. */
export type Beat = { readonly beat: number; readonly beats: number };

export function beatsOf({ paths, world }: Draft): number {
  let longest = 1;
  for (const seat of COLOURS) {
    const path = paths[seat];
    if (path !== undefined && isLiving(world, seat)) longest = Math.max(longest, path.length);
  }
  return longest;
}

/** Where somebody can be seen at a beat; null in a vent. Who climbs out does so at the last beat. */
export function placeAt(draft: Draft, seat: Colour, { beat, beats }: Beat): Place | null {
  const start = draft.before.players[seat];
  const end = draft.world.players[seat];
  if (start === undefined || end === undefined) return null;
  if (beat === 0) return start.vent === null ? start.place : null;
  if (end.vent !== null) return null;
  if (start.vent !== null && beat < beats) return null;
  const path = draft.paths[seat];
  if (path === undefined) return end.place;
  const steps = Math.ceil((beat * path.length) / beats);
  return path[steps - 1] ?? start.place;
}

/** Where a player looks from at a beat: also out of a vent. */
export function eyesAt(draft: Draft, seat: Colour, moment: Beat): Place | null {
  const outside = placeAt(draft, seat, moment);
  if (outside !== null) return outside;
  const state = moment.beat === 0 ? draft.before : draft.world;
  return state.players[seat]?.place ?? null;
}

/** What somebody can be seen doing at a beat. */
export function deedAt({ paths, deeds }: Draft, who: Colour, { beat, beats }: Beat): Deed {
  if (beat < beats && paths[who] !== undefined) return 'passing';
  return deeds[who] ?? 'lurking';
}
