/**
 * Placings: who was where and when, as told at the table by themselves and by others, and which of it can't be true
 * together.
 */
import type { Colour, Place } from '../../../machines/types.ts';
import type { Heard } from './hearing.ts';
import { cannotBoth, SAME_TIME } from './memory.ts';

/** `who` was in `place`, says `by`; it is a story when they are the same. */
export type Placing = {
  readonly by: Colour;
  readonly who: Colour;
  readonly place: Place;
  /** Seconds before the meeting. */
  readonly ago: number;
};

/** A story and what a witness saw instead. */
export type Conflict = { readonly story: Placing; readonly seen: Placing };

/** The placing in something heard; null when it has none, or no time. */
export function placingIn(item: Heard): Placing | null {
  if ((item.type !== 'whereabouts' && item.type !== 'sighting') || item.ago === null) return null;
  const { by, place, ago } = item;
  return { by, who: item.type === 'sighting' ? item.who : by, place, ago };
}

/** Adds a placing to those told so far, and returns what it conflicts with that was not in conflict before. */
export function added(told: Placing[], placing: Placing): readonly Conflict[] {
  const isRepeated = told.some((other) => alike(other, placing));
  const conflicts = isRepeated
    ? []
    : told.filter((other) => isConflict(other, placing)).map((other) => paired(other, placing));
  told.push(placing);
  return conflicts;
}

function alike(one: Placing, other: Placing): boolean {
  return (
    one.by === other.by &&
    one.who === other.who &&
    one.place === other.place &&
    Math.abs(one.ago - other.ago) <= SAME_TIME
  );
}

function isConflict(one: Placing, other: Placing): boolean {
  return one.who === other.who && isStory(one) !== isStory(other) && cannotBoth(one, other);
}

function paired(one: Placing, other: Placing): Conflict {
  return isStory(one) ? { story: one, seen: other } : { story: other, seen: one };
}

function isStory({ by, who }: Placing): boolean {
  return by === who;
}
