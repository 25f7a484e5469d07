/** Memory: the sightings of a brief, sorted into the player's own path and what others were seen doing. */
import type { Brief, Colour, Room, Sighting } from '../../../machines/types.ts';
import { steps } from './skeld.ts';

/** Two times closer than this, in seconds, are about the same time. */
export const SAME_TIME = 7;
/** For "I was there too" and "I saw them there": how far times may be apart, in seconds. */
const NEARBY_TIME = 10;
/** A claim without a time is taken to be about the last moments, in seconds before the meeting. */
const UNTIMED = 8;
/** Rooms this far apart can't both be right at the same time; one door can be a short walk. */
export const TOO_FAR = 2;

export type Memory = {
  readonly me: Colour;
  /** Own path, latest first. */
  readonly path: readonly Sighting[];
  /** Others, latest first. */
  readonly others: readonly Sighting[];
};

export function memory(me: Colour, brief: Brief): Memory {
  const latestFirst = [...brief.sightings].sort((one, other) => one.ago - other.ago);
  return {
    me,
    path: latestFirst.filter(({ who }) => who === me),
    others: latestFirst.filter(({ who }) => who !== me),
  };
}

/** The own sighting that can't be true if `who` was in `place` then; null when nothing speaks against it. */
export function clashing(
  known: Memory,
  who: Colour,
  place: Room,
  ago: number | null,
): Sighting | null {
  const about = ago ?? UNTIMED;
  const list = who === known.me ? known.path : known.others;
  const far = ago === null ? TOO_FAR + 1 : TOO_FAR;
  const clash = list.find(
    (seen) =>
      seen.who === who &&
      Math.abs(seen.ago - about) <= SAME_TIME &&
      steps(seen.place, place) >= far,
  );
  if (clash === undefined) return null;
  return list.some(
    (seen) => seen.who === who && seen.place === place && Math.abs(seen.ago - about) <= NEARBY_TIME,
  )
    ? null
    : clash;
}

/** The own sighting that bears out that `who` was in `place` then. */
export function confirming(
  known: Memory,
  who: Colour,
  place: Room,
  ago: number | null,
): Sighting | null {
  const about = ago ?? UNTIMED;
  const found = known.others.find(
    (seen) => seen.who === who && seen.place === place && Math.abs(seen.ago - about) <= NEARBY_TIME,
  );
  return found ?? null;
}

/** Whether the player was in `place` at the time and did not see `who` there. */
export function missed(known: Memory, who: Colour, place: Room, ago: number | null): boolean {
  if (ago === null) return false;
  const here = known.path.some((own) => own.place === place && Math.abs(own.ago - ago) <= 3);
  return (
    here &&
    !known.others.some(
      (seen) =>
        seen.who === who &&
        Math.abs(seen.ago - ago) <= 2 * NEARBY_TIME &&
        steps(seen.place, place) <= 1,
    )
  );
}
