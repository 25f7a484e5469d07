/**
 * Recollection: what a player's own eyes make of the others, before anybody has said a word.
 *
 * The hour of death is unknown: it lies after the last time that the victim was seen alive, by oneself or as told. What
 * was seen before that clears nobody and burdens nobody.
 */
import type { Colour, Place, Sighting } from '../../../machines/types.ts';
import type { Highlights } from './highlights.ts';
import type { Memory } from './memory.ts';
import type { Reason } from './reasons.ts';
import { NEXT_ROOM, steps } from './walk.ts';

/** What one thing adds to the suspicion of somebody; points below 0 clear them. */
export type Charge = {
  readonly seat: Colour;
  readonly points: number;
  readonly reason: Reason | null;
};

const POINTS = {
  witnessed: 120,
  visual: -90,
  atBody: 50,
  lastWith: 22,
  followed: 26,
  lurkedThere: 24,
  lurkedNear: 10,
  wasThere: 12,
  passedBy: 4,
  elsewhere: -3,
  fixed: -6,
} as const;
/** Without a last sight of the victim, seconds before the meeting in which being beside the body means something. */
const FRESH = 45;
/** The victim may be seen dead so late that no sighting matters any more. */
const STALE = 120;
/** A last sight of the victim is good for so many seconds more or less. */
const BLUR = 5;
/** Alibis that the player can give somebody count so many times at most. */
const MOST_ALIBIS = 4;

export type Scene = {
  readonly known: Memory;
  readonly highlights: Highlights;
  readonly body: Place | null;
  readonly victim: Colour | null;
};

/** Seconds before the call in which the victim must have died; `told` is the latest that others saw of them. */
export function deathWindow({ highlights: { last } }: Scene, told: number | null): number {
  const latest = Math.min(last?.seen.ago ?? STALE, told ?? STALE);
  return latest < STALE ? latest + BLUR : FRESH;
}

/** `window` is how long ago the victim can have died. */
export function recollected(scene: Scene, window: number): readonly Charge[] {
  const { known, highlights, body, victim } = scene;
  const charges: Charge[] = [];
  for (const { who, did, place, ago } of highlights.deeds) {
    if (did !== 'vent' && did !== 'kill') continue;
    const reason = { type: 'witnessed', deed: did, place, ago } as const;
    charges.push({ seat: who, points: POINTS.witnessed, reason });
  }
  for (const { who } of highlights.visuals)
    charges.push({ seat: who, points: POINTS.visual, reason: null });
  for (const { who, place } of highlights.atBody) {
    const reason = victim === null ? null : ({ type: 'atBody', body: victim, place } as const);
    charges.push({ seat: who, points: POINTS.atBody, reason });
  }
  charges.push(...lastCompany(scene, window));
  for (const { who, place, ago } of highlights.followers) {
    const reason = { type: 'followed', place, ago } as const;
    charges.push({ seat: who, points: POINTS.followed, reason });
  }
  for (const [who, seen] of known.byWho) {
    if (who !== victim && body !== null) charges.push(...walks(who, seen, body, window));
  }
  return charges;
}

/** Who was alone with the victim at the last sight of them. */
function lastCompany({ highlights: { last }, victim }: Scene, window: number): readonly Charge[] {
  if (last === null || victim === null || last.seen.ago > window) return [];
  const { place, ago } = last.seen;
  const points = POINTS.lastWith / Math.max(1, last.company.length);
  return last.company.map((seat) => ({
    seat,
    points,
    reason: { type: 'lastWith', body: victim, place, ago },
  }));
}

/** Where somebody was seen while the victim can have died: the worst of it, and what speaks for them. */
function walks(
  seat: Colour,
  seen: readonly Sighting[],
  body: Place,
  window: number,
): readonly Charge[] {
  let worst: Charge | null = null;
  let alibis = 0;
  let fixed = false;
  for (const { place, ago, did } of seen) {
    if (ago > window) break;
    fixed ||= did === 'fixing';
    const points = did === 'vent' || did === 'kill' ? 0 : pointsFor(did, steps(place, body));
    if (points < 0) alibis += 1;
    if (points > (worst?.points ?? 0))
      worst = { seat, points, reason: { type: 'near', place, ago } };
  }
  const cleared = Math.min(alibis, MOST_ALIBIS) * POINTS.elsewhere + (fixed ? POINTS.fixed : 0);
  return [
    ...(worst === null ? [] : [worst]),
    ...(cleared === 0 ? [] : [{ seat, points: cleared, reason: null }]),
  ];
}

function pointsFor(did: Sighting['did'], away: number): number {
  if (did === 'lurking') {
    if (away === 0) return POINTS.lurkedThere;
    return away <= NEXT_ROOM ? POINTS.lurkedNear : POINTS.passedBy;
  }
  if (away === 0) return POINTS.wasThere;
  return away < NEXT_ROOM ? POINTS.passedBy : POINTS.elsewhere;
}
