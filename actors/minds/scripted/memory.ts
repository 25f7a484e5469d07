/**
 * Memory: the sightings of a brief, sorted into the player's own path, what others were seen doing, and bodies.
 *
 * A story is held against it by walking: nobody is in two places, nor farther away than the time allows.
 */
import type { Brief, Colour, Place, Sighting } from '../../../machines/types.ts';
import { rounding } from './times.ts';
import { NEXT_ROOM, steps, walkSeconds } from './walk.ts';

/** Two times closer than this, in seconds, are about the same time. */
export const SAME_TIME = 7;
/** Two players seen in one place within so many seconds were there together. */
export const TOGETHER = 3;
/** For "I was there too" and "I saw them there": how far times may be apart, in seconds. */
const NEARBY_TIME = 10;
/** A claim without a time is taken to be about the last moments, in seconds before the meeting. */
const UNTIMED = 8;
/** Places this many steps apart can't both be right at the same time; a room next door can be a short walk. */
const TOO_FAR = NEXT_ROOM + 1;
/** How far apart they must be where no time was told. */
const TOO_FAR_UNTIMED = 3 * NEXT_ROOM;
/** Seconds by which two honest memories may differ. */
const LEEWAY = 1;

export type Memory = {
  readonly me: Colour;
  /** Own path, latest first. */
  readonly path: readonly Sighting[];
  /** Others alive, latest first. */
  readonly others: readonly Sighting[];
  /** The same by player. */
  readonly byWho: ReadonlyMap<Colour, readonly Sighting[]>;
  /** Bodies, latest first. */
  readonly bodies: readonly Sighting[];
};

export function memory(me: Colour, brief: Brief): Memory {
  const latestFirst = [...brief.sightings].sort((one, other) => one.ago - other.ago);
  return sorted(
    me,
    latestFirst.filter(({ who }) => who === me),
    latestFirst.filter(({ who }) => who !== me),
  );
}

/** A memory out of what is sorted by time already. */
export function sorted(me: Colour, path: readonly Sighting[], seen: readonly Sighting[]): Memory {
  const others = seen.filter(({ did }) => did !== 'dead');
  return {
    me,
    path,
    others,
    byWho: Map.groupBy(others, ({ who }) => who),
    bodies: seen.filter(({ did }) => did === 'dead'),
  };
}

/** What the player saw of somebody, who may be themselves, latest first. */
export function sightingsOf(known: Memory, who: Colour): readonly Sighting[] {
  return who === known.me ? known.path : (known.byWho.get(who) ?? []);
}

/** Whether nobody can have been in both places at the times that were told. */
export function cannotBoth(
  one: { readonly place: Place; readonly ago: number },
  other: { readonly place: Place; readonly ago: number },
): boolean {
  const slack = LEEWAY + rounding(Math.max(one.ago, other.ago));
  return (
    steps(one.place, other.place) >= TOO_FAR &&
    walkSeconds(one.place, other.place) > Math.abs(one.ago - other.ago) + slack
  );
}

/** The own sighting that can't be true if `who` was in `place` then; null when nothing speaks against it. */
export function clashing(
  known: Memory,
  who: Colour,
  place: Place,
  ago: number | null,
): Sighting | null {
  const about = ago ?? UNTIMED;
  const list = sightingsOf(known, who);
  const clash = list.find((seen) =>
    ago === null
      ? Math.abs(seen.ago - about) <= SAME_TIME && steps(seen.place, place) >= TOO_FAR_UNTIMED
      : cannotBoth(seen, { place, ago }),
  );
  if (clash === undefined) return null;
  return list.some((seen) => seen.place === place && Math.abs(seen.ago - about) <= NEARBY_TIME)
    ? null
    : clash;
}

/** The own sighting that bears out that `who` was in `place` then. */
export function confirming(
  known: Memory,
  who: Colour,
  place: Place,
  ago: number | null,
): Sighting | null {
  const about = ago ?? UNTIMED;
  const found = known.byWho
    .get(who)
    ?.find((seen) => seen.place === place && Math.abs(seen.ago - about) <= NEARBY_TIME);
  return found ?? null;
}

/** Whether the player was in `place` at the time and did not see `who` there. */
export function missed(known: Memory, who: Colour, place: Place, ago: number | null): boolean {
  if (ago === null) return false;
  const here = known.path.some((own) => own.place === place && Math.abs(own.ago - ago) <= TOGETHER);
  return (
    here &&
    !sightingsOf(known, who).some(
      (seen) =>
        Math.abs(seen.ago - ago) <= 2 * NEARBY_TIME && steps(seen.place, place) <= NEXT_ROOM,
    )
  );
}
