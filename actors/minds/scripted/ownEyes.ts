/** A player's own observations, before any talk. Sights from before the victim can have died do not count. */
import type { Colour, Place, Sighting } from '../../../machines/types.ts';
import { countSteps, type Highlights, NEXT_ROOM, type PlayerMemory } from './memory.ts';
import type { SuspicionCharge, SuspicionReason } from './reasons.ts';

const SEEN_POINTS = {
  witnessed: 120,
  visual: -90,
  atBody: 38,
  lastWith: 22,
  followed: 8,
  lurkedThere: 24,
  lurkedNear: 10,
  wasThere: 12,
  passedBy: 4,
  fixed: -6,
} as const;
/** Seconds before the call when finding the body explains the caller's presence there. */
const FINDING_TIME = 10;

export type MeetingScene = {
  readonly known: PlayerMemory;
  readonly highlights: Highlights;
  readonly body: Place | null;
  readonly victim: Colour | null;
  readonly finder: Colour | null;
};

/** Seconds. If the victim died within this time, having been near carries full weight, and otherwise at least this share. */
const TIGHT_TIME = 30;
const LOOSE = 0.4;

export function isFinding({ finder }: Pick<MeetingScene, 'finder'>, who: Colour, ago: number) {
  return who === finder && ago <= FINDING_TIME;
}

/** `window` is how long ago the victim can have died. */
export function weighSightings(scene: MeetingScene, window: number): readonly SuspicionCharge[] {
  const { known, highlights, body, victim } = scene;
  const charges: SuspicionCharge[] = [];
  const charge = (kind: keyof typeof SEEN_POINTS, seat: Colour, reason: SuspicionReason | null) =>
    charges.push({ seat, points: SEEN_POINTS[kind], reason });
  for (const { who, did: deed, place, ago } of highlights.deeds) {
    if (deed === 'vent' || deed === 'kill')
      charge('witnessed', who, { type: 'witnessed', deed, place, ago });
  }
  for (const { who } of highlights.visuals) charge('visual', who, null);
  for (const { who, place, ago } of highlights.atBody) {
    if (!isFinding(scene, who, ago))
      charge('atBody', who, victim === null ? null : { type: 'atBody', body: victim, place });
  }
  charges.push(...weighLastCompany(scene, window));
  for (const { who, place, ago } of highlights.followers)
    charge('followed', who, { type: 'followed', place, ago });
  for (const who of known.byWho.keys()) {
    if (who !== victim && body !== null) charges.push(...weighWalk(scene, who, body, window));
  }
  return charges;
}

function weighLastCompany(
  { highlights: { last }, victim }: MeetingScene,
  window: number,
): readonly SuspicionCharge[] {
  if (last === null || victim === null || last.seen.ago > window) return [];
  const { place, ago } = last.seen;
  const points = SEEN_POINTS.lastWith / Math.max(1, last.company.length);
  const reason = { type: 'lastWith', body: victim, place, ago } as const;
  return last.company.map((seat) => ({ seat, points, reason }));
}

/** Where somebody was seen while the victim can have died: the worst of it, and what speaks for them. */
function weighWalk(
  scene: MeetingScene,
  seat: Colour,
  body: Place,
  window: number,
): readonly SuspicionCharge[] {
  const seen = scene.known.byWho.get(seat) ?? [];
  // In a long time many walk by.
  const tight = Math.max(LOOSE, Math.min(1, TIGHT_TIME / Math.max(1, window)));
  let worst: SuspicionCharge | null = null;
  let fixed = false;
  for (const { place, ago, did } of seen) {
    if (ago > window) break;
    fixed ||= did === 'fixing';
    const isHard = did === 'vent' || did === 'kill' || isFinding(scene, seat, ago);
    const points = isHard ? 0 : tight * scoreSighting(did, countSteps(place, body));
    if (points > (worst?.points ?? 0))
      worst = { seat, points, reason: { type: 'near', place, ago } };
  }
  return [
    ...(worst === null ? [] : [worst]),
    ...(fixed ? [{ seat, points: SEEN_POINTS.fixed, reason: null }] : []),
  ];
}

function scoreSighting(did: Sighting['did'], away: number): number {
  if (did === 'lurking') {
    if (away === 0) return SEEN_POINTS.lurkedThere;
    return away <= NEXT_ROOM ? SEEN_POINTS.lurkedNear : SEEN_POINTS.passedBy;
  }
  if (away === 0) return SEEN_POINTS.wasThere;
  return away < NEXT_ROOM ? SEEN_POINTS.passedBy : 0;
}
