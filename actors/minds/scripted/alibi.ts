/** The alibi: where the player claims to have been. An impostor changes the path where it looks bad and nobody saw. */
import {
  type Call,
  type Colour,
  type Deed,
  type Place,
  ROOMS,
  type Role,
  type Room,
  type Sighting,
} from '../../../machines/types.ts';
import { type MindChance, pick } from './chance.ts';
import type { SeenAt } from './death.ts';
import {
  countSteps,
  isHallway,
  NEXT_ROOM,
  type PlayerMemory,
  SAME_TIME,
  sortMemory,
  TOGETHER,
  walkSeconds,
} from './memory.ts';

export type AlibiStop = { readonly place: Place; readonly ago: number; readonly did: Deed | null };
export type Alibi = {
  /** Latest first; empty when the player remembers nothing. */
  readonly stops: readonly AlibiStop[];
  readonly company: Colour | null;
  readonly isLie: boolean;
};

/** A false place is at least this many steps away from the body. */
const SAFE_DISTANCE = 2 * NEXT_ROOM;
/** Shortest distance, in steps, that makes a true place worth telling: a lie can be found out, and a walk next door says little. */
const TELLABLE_DISTANCE = NEXT_ROOM;
/** Seconds around a time within which a player in the room can contradict a liar. */
const WITNESS_TIME = 20;
/** Seconds before a report. Everybody knows that the reporter was at the body then. */
const REPORT_TIME = 9;
/** Seconds before the call where a story without any path is set. */
const DEFAULT_AGO = 15;
/** Seconds that a false story may be faster than a walk, because spoken times are rounded. */
const HASTE = 3;
/** A hallway that one only walked through is not worth telling, if the last room is no older than this. */
const PASSING_TIME = 12;
const COMPANY_SECONDS = 5;
const LIE_LANE = 100;

type AlibiScene = {
  readonly role: Role;
  readonly call: Pick<Call, 'by' | 'body' | 'place'>;
  readonly partners: readonly Colour[];
  readonly living: ReadonlySet<Colour>;
};

export function prepareAlibi(known: PlayerMemory, scene: AlibiScene, chance: MindChance): Alibi {
  const isReporter = scene.call.by === known.me && scene.call.body !== null;
  const later = known.path.filter(({ ago }) => !isReporter || ago >= REPORT_TIME);
  const path = later.length > 0 ? later : known.path;
  return scene.role === 'crewmate'
    ? tellHonestly(known, path, scene)
    : tellLie(known, path, { ...scene, chance });
}

/** The path that an impostor may tell, and whom it meets. It meets nobody at the body, which would place the teller there. */
export function fitMemory(known: PlayerMemory, story: Alibi, scene: AlibiScene): PlayerMemory {
  const { me } = known;
  const { place: body } = scene.call;
  const path = story.stops.map(
    ({ place, ago, did }): Sighting => ({ ago, who: me, place, did: did ?? 'passing' }),
  );
  const others = known.others.filter((seen) => {
    if (body !== null && countSteps(seen.place, body) < NEXT_ROOM) return false;
    const stop = findNearestStop(story.stops, seen.ago);
    if (stop === null || scene.partners.includes(seen.who)) return false;
    const reach = Math.abs(stop.ago - seen.ago) <= SAME_TIME ? 1 : NEXT_ROOM;
    return countSteps(stop.place, seen.place) <= reach;
  });
  return sortMemory(me, path, scene.call.by === me ? [...others, ...known.bodies] : others);
}

export function findNearestStop(stops: readonly AlibiStop[], ago: number): AlibiStop | null {
  return stops.reduce<AlibiStop | null>(
    (best, stop) =>
      best === null || Math.abs(stop.ago - ago) < Math.abs(best.ago - ago) ? stop : best,
    null,
  );
}

function tellHonestly(known: PlayerMemory, path: readonly Sighting[], scene: AlibiScene): Alibi {
  const stops = trimHallway(path.map(({ place, ago, did }) => ({ place, ago, did })));
  const [stop] = stops;
  const near = stop === undefined ? [] : listWitnesses(known, stop, COMPANY_SECONDS, scene);
  const company = near.find(({ did }) => did !== 'vent' && did !== 'kill');
  return { stops, company: company?.who ?? null, isLie: false };
}

function trimHallway(stops: readonly AlibiStop[]): readonly AlibiStop[] {
  const room = stops.findIndex(({ place }) => !isHallway(place));
  const [[latest], last] = [stops, stops[room]];
  return latest === undefined || last === undefined || last.ago - latest.ago > PASSING_TIME
    ? stops
    : stops.slice(room);
}

function listWitnesses(
  known: PlayerMemory,
  { place, ago }: SeenAt,
  seconds: number,
  { living }: AlibiScene,
): readonly Sighting[] {
  return known.others.filter(
    (seen) => seen.place === place && Math.abs(seen.ago - ago) <= seconds && living.has(seen.who),
  );
}

/** Seen parts of the path stay. Unseen and incriminating parts are left out. */
function tellLie(
  known: PlayerMemory,
  path: readonly Sighting[],
  scene: AlibiScene & { chance: MindChance },
): Alibi {
  const body = scene.call.place;
  const isInnocent = ({ place, did }: Sighting) =>
    body === null ? did !== 'lurking' : countSteps(place, body) >= TELLABLE_DISTANCE;
  const isSeen = (stop: Sighting) =>
    listWitnesses(known, stop, TOGETHER, scene).some(({ who }) => !scene.partners.includes(who));
  const clean = path.filter(
    (stop) => stop.did !== 'vent' && stop.did !== 'kill' && (isInnocent(stop) || isSeen(stop)),
  );
  const latest = path[0];
  if (latest !== undefined && clean[0] === latest) {
    const story = tellHonestly(known, clean, scene);
    const exposes = story.company !== null && scene.partners.includes(story.company);
    return exposes ? { ...story, company: null } : story;
  }
  const reporting = scene.call.by === known.me && scene.call.body !== null;
  const ago = Math.max(latest?.ago ?? DEFAULT_AGO, reporting ? DEFAULT_AGO : 0);
  const rest = clean.map(({ place, ago: then, did }) => ({ place, ago: then, did }));
  // A reporter was at the body when the call came, and must have walked there.
  const end = reporting && scene.call.place !== null ? { place: scene.call.place, ago: 0 } : null;
  const place = pickFalsePlace(known, rest[0], { ...scene, ago, end });
  return { stops: [{ place, ago, did: 'task' }, ...rest], company: null, isLie: true };
}

/** A room far from the body, within reach of the last honest stop and the report, not known to be occupied. */
function pickFalsePlace(
  known: PlayerMemory,
  last: AlibiStop | undefined,
  scene: AlibiScene & { chance: MindChance; ago: number; end: SeenAt | null },
): Room {
  const { place: body } = scene.call;
  const far = ROOMS.filter((room) => body === null || countSteps(room, body) >= SAFE_DISTANCE);
  const lonely = far.filter(
    (room) =>
      !known.others.some(
        (seen) => seen.place === room && Math.abs(seen.ago - scene.ago) <= WITNESS_TIME,
      ),
  );
  const isWalk = (room: Room, stop: SeenAt | null | undefined) =>
    stop == null || walkSeconds(stop.place, room) <= Math.abs(stop.ago - scene.ago) + HASTE;
  const near = lonely.filter((room) => isWalk(room, scene.end));
  const handy = near.filter((room) => isWalk(room, last));
  const choice = [handy, near, lonely, far].find((rooms) => rooms.length > 0) ?? ROOMS;
  return pick(scene.chance, LIE_LANE, choice) ?? 'Storage';
}
