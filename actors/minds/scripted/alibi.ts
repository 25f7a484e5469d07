/**
 * The alibi: where the player says they were. A crewmate tells their path; an impostor mends it where it is bad.
 *
 * It is settled by the brief and the call alone, so it is the same however often it is asked for.
 */
import {
  type Call,
  type Colour,
  ROOMS,
  type Role,
  type Room,
  type Sighting,
} from '../../../machines/types.ts';
import { type Chance, pick } from './chance.ts';
import { type Memory, SAME_TIME } from './memory.ts';
import { steps } from './skeld.ts';

type Stop = { readonly place: Room; readonly ago: number };
export type Alibi = {
  /** Latest first; empty when the player remembers nothing. */
  readonly stops: readonly Stop[];
  /** Somebody who was there too and can be named as a witness. */
  readonly company: Colour | null;
  readonly isLie: boolean;
};

/** A liar stays at least this many rooms away from the body. */
const SAFE_DISTANCE = 2;
/** Who was in a room so many seconds before or after can say that the liar was not. */
const WITNESS_TIME = 20;
/** Moments before a report the reporter is beside the body, and everybody knows. */
const REPORT_TIME = 9;
/** A story without any path is set so many seconds before the call. */
const DEFAULT_AGO = 15;
const LIE_LANE = 100;

type Scene = {
  readonly role: Role;
  readonly call: Pick<Call, 'by' | 'body' | 'place'>;
  readonly partners: readonly Colour[];
};

export function alibi(known: Memory, scene: Scene, chance: Chance): Alibi {
  const reporter = scene.call.by === known.me && scene.call.body !== null;
  const later = known.path.filter(({ ago }) => !reporter || ago >= REPORT_TIME);
  const path = later.length > 0 ? later : known.path;
  return scene.role === 'crewmate'
    ? honest(known, path)
    : mended(known, path, { ...scene, chance });
}

/** What an impostor may remember aloud: own path as told, and others only where that path would have met them. */
export function fitted(known: Memory, story: Alibi, partners: readonly Colour[]): Memory {
  const { me } = known;
  return {
    me,
    path: story.stops.map(({ place, ago }) => ({ ago, who: me, place, did: 'task' })),
    others: known.others.filter((seen) => {
      const stop = nearest(story.stops, seen.ago);
      if (stop === null || partners.includes(seen.who)) return false;
      const reach = Math.abs(stop.ago - seen.ago) <= SAME_TIME ? 0 : 1;
      return steps(stop.place, seen.place) <= reach;
    }),
  };
}

/** The stop of a story that is nearest in time. */
export function nearest(stops: readonly Stop[], ago: number): Stop | null {
  return stops.reduce<Stop | null>(
    (best, stop) =>
      best === null || Math.abs(stop.ago - ago) < Math.abs(best.ago - ago) ? stop : best,
    null,
  );
}

function honest(known: Memory, path: readonly Sighting[]): Alibi {
  const stops = path.map(({ place, ago }) => ({ place, ago }));
  return { stops, company: companyAt(known, stops[0]), isLie: false };
}

function companyAt(known: Memory, stop: Stop | undefined): Colour | null {
  if (stop === undefined) return null;
  const there = known.others.find(
    (seen) =>
      seen.place === stop.place &&
      Math.abs(seen.ago - stop.ago) <= 5 &&
      seen.did !== 'vent' &&
      seen.did !== 'kill',
  );
  return there?.who ?? null;
}

function mended(
  known: Memory,
  path: readonly Sighting[],
  scene: Scene & { chance: Chance },
): Alibi {
  const body = scene.call.place;
  const isBad = ({ place, did }: Sighting) =>
    did === 'vent' ||
    did === 'kill' ||
    (body === null ? did === 'lurking' : steps(place, body) < SAFE_DISTANCE);
  const clean = path.filter((stop) => !isBad(stop));
  const latest = path[0];
  if (latest !== undefined && clean[0] === latest) {
    const told = honest(known, clean);
    const exposes = told.company !== null && scene.partners.includes(told.company);
    return exposes ? { ...told, company: null } : told;
  }
  const reporting = scene.call.by === known.me && scene.call.body !== null;
  const ago = Math.max(latest?.ago ?? DEFAULT_AGO, reporting ? DEFAULT_AGO : 0);
  const rest = clean.map(({ place, ago: then }) => ({ place, ago: then }));
  return {
    stops: [{ place: falsePlace(known, rest[0], { ...scene, ago }), ago }, ...rest],
    company: null,
    isLie: true,
  };
}

/** A room far from the body, near the last honest stop, where nobody is known to have been. */
function falsePlace(
  known: Memory,
  near: Stop | undefined,
  scene: Scene & { chance: Chance; ago: number },
): Room {
  const { place: body } = scene.call;
  const far = ROOMS.filter((room) => body === null || steps(room, body) >= SAFE_DISTANCE);
  const lonely = far.filter(
    (room) =>
      !known.others.some(
        (seen) => seen.place === room && Math.abs(seen.ago - scene.ago) <= WITNESS_TIME,
      ),
  );
  const handy = near === undefined ? lonely : lonely.filter((room) => steps(room, near.place) <= 1);
  const choice = [handy, lonely, far].find((rooms) => rooms.length > 0) ?? ROOMS;
  return pick(scene.chance, LIE_LANE, choice) ?? 'Storage';
}
