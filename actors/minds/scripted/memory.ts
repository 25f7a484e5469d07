/** A player's memory: the brief's sightings, those worth telling, and the notebook's record of earlier meetings. */
import { findNames } from '../../../machines/rules/mentions.ts';
import { SECONDS_PER_ROUND } from '../../../machines/rules/options.ts';
import type { PublicRecord } from '../../../machines/rules/record.ts';
import { distance, SKELD } from '../../../machines/rules/ship/map.ts';
import {
  type Brief,
  type Colour,
  type Place,
  ROOMS,
  type Sighting,
} from '../../../machines/types.ts';
import { remember } from '../remember.ts';
import { rounding } from './wording.ts';

export const NEXT_ROOM = 2;

/** Steps to walk from one place to the other: 0 for the same, 1 into the hallway, 2 for the next room. */
export function countSteps(from: Place, to: Place): number {
  return distance(SKELD, from, to);
}

export function walkSeconds(from: Place, to: Place): number {
  return countSteps(from, to) * SECONDS_PER_ROUND;
}

/** Two times closer than this, in seconds, are about the same time. */
export const SAME_TIME = 7;
/** Seconds. Two players seen in one place within this time were there together. */
export const TOGETHER = 3;
/** For "I was there too" and "I saw them there": how far times may be apart, in seconds. */
const NEARBY_TIME = 10;
/** A claim without a time is taken to be about the last moments, in seconds before the meeting. */
const UNTIMED = 8;
/** Places this many steps apart can't both be right at the same time; a room next door can be a short walk. */
const TOO_FAR = NEXT_ROOM + 1;
const TOO_FAR_UNTIMED = 3 * NEXT_ROOM;
/** Largest difference between two honest memories, in seconds. */
const LEEWAY = 1;

/** All lists are latest first. `others` are alive. */
export type PlayerMemory = {
  readonly me: Colour;
  readonly path: readonly Sighting[];
  readonly others: readonly Sighting[];
  readonly byWho: ReadonlyMap<Colour, readonly Sighting[]>;
  readonly bodies: readonly Sighting[];
};

export function recall(me: Colour, brief: Brief): PlayerMemory {
  const latestFirst = [...brief.sightings].sort((one, other) => one.ago - other.ago);
  return sortMemory(
    me,
    latestFirst.filter(({ who }) => who === me),
    latestFirst.filter(({ who }) => who !== me),
  );
}

/** Builds a memory from entries that are already sorted by time. */
export function sortMemory(me: Colour, path: readonly Sighting[], seen: readonly Sighting[]) {
  const others = seen.filter(({ did }) => did !== 'dead');
  return {
    me,
    path,
    others,
    byWho: Map.groupBy(others, ({ who }) => who),
    bodies: seen.filter(({ did }) => did === 'dead'),
  };
}

function findSightings(known: PlayerMemory, who: Colour): readonly Sighting[] {
  return who === known.me ? known.path : (known.byWho.get(who) ?? []);
}

export function cannotBoth(one: PlaceAndTime, other: PlaceAndTime): boolean {
  const slack = LEEWAY + rounding(Math.max(one.ago, other.ago));
  return (
    countSteps(one.place, other.place) >= TOO_FAR &&
    walkSeconds(one.place, other.place) > Math.abs(one.ago - other.ago) + slack
  );
}

/** The own sighting that can't be true if `who` was in `place` then; null when nothing speaks against it. */
export function findClash(
  known: PlayerMemory,
  who: Colour,
  { place, ago }: ClaimedStay,
): Sighting | null {
  const about = ago ?? UNTIMED;
  const list = findSightings(known, who);
  const clash = list.find((seen) =>
    ago === null
      ? Math.abs(seen.ago - about) <= SAME_TIME && countSteps(seen.place, place) >= TOO_FAR_UNTIMED
      : cannotBoth(seen, { place, ago }),
  );
  if (clash === undefined) return null;
  return list.some((seen) => isThereAbout(seen, { place, ago: about })) ? null : clash;
}

type PlaceAndTime = Pick<Sighting, 'place' | 'ago'>;
type ClaimedStay = { readonly place: Place; readonly ago: number | null };

function isThereAbout(one: PlaceAndTime, other: PlaceAndTime, seconds = NEARBY_TIME): boolean {
  return one.place === other.place && Math.abs(one.ago - other.ago) <= seconds;
}

export function findConfirmation(
  known: PlayerMemory,
  who: Colour,
  { place, ago }: ClaimedStay,
): Sighting | null {
  const about = { place, ago: ago ?? UNTIMED };
  return known.byWho.get(who)?.find((seen) => isThereAbout(seen, about)) ?? null;
}

export function hasMissed(known: PlayerMemory, who: Colour, { place, ago }: ClaimedStay): boolean {
  if (ago === null) return false;
  return (
    known.path.some((own) => isThereAbout(own, { place, ago }, TOGETHER)) &&
    !findSightings(known, who).some(
      (seen) =>
        Math.abs(seen.ago - ago) <= 2 * NEARBY_TIME && countSteps(seen.place, place) <= NEXT_ROOM,
    )
  );
}

export type Highlights = Readonly<ReturnType<typeof pickHighlights>>;

/** Seconds around the player's first look at the body. Anybody there then stood at the body. */
const AT_BODY_TIME = 3;
/** Seconds. A player who was elsewhere this recently had only just come in. */
const ARRIVED_TIME = 8;
/** Seconds that a pair was together at least, and seconds ago at most. */
const PAIR_TIME = 10;
const PAIR_FRESH = 90;
/** It was no longer ago than this that they were last seen with the player. */
const PAIR_LATEST = 30;
/** Penalty in seconds of age: for a sighting of a walking player, and in a hallway. */
const WALKING_COSTS = 4;
const HALLWAY_COSTS = 6;

const IS_ROOM: ReadonlySet<Place> = new Set(ROOMS);

type DeathScene = { readonly body: Place | null; readonly victim: Colour | null };

export function isHallway(place: Place): boolean {
  return !IS_ROOM.has(place);
}

/** All lists are latest first. */
export function pickHighlights(known: PlayerMemory, { body, victim }: DeathScene) {
  const isHard = ({ did }: Sighting) => did === 'vent' || did === 'kill';
  const soft = known.others.filter((seen) => !isHard(seen) && seen.who !== victim);
  return {
    deeds: known.others.filter(isHard),
    visuals: known.others.filter(({ did }) => did === 'visual'),
    /** Players already at the body when this player first saw it. */
    atBody: findAtBody(known, victim),
    near: body === null ? [] : soft.filter(({ place }) => countSteps(place, body) < NEXT_ROOM),
    last: victim === null ? null : findLastSight(known, victim),
    best: pickBest(soft),
    ...findCompanions(known, victim),
  };
}

function findAtBody(known: PlayerMemory, victim: Colour | null): readonly Sighting[] {
  const found = known.bodies.findLast(({ who }) => who === victim);
  if (found === undefined) return [];
  const { place, ago } = found;
  const there = known.others.filter((seen) => isThereAbout(seen, found, AT_BODY_TIME));
  return there.filter(
    ({ who }, index) =>
      there.findIndex((other) => other.who === who) === index &&
      !findSightings(known, who).some(
        (seen) => seen.place !== place && seen.ago >= ago && seen.ago <= ago + ARRIVED_TIME,
      ),
  );
}

function findLastSight(known: PlayerMemory, victim: Colour) {
  const seen = known.byWho.get(victim)?.[0];
  if (seen === undefined) return null;
  const company = known.others.filter(
    (other) => other.who !== victim && isThereAbout(other, seen, TOGETHER),
  );
  return { seen, company: [...new Set(company.map(({ who }) => who))] };
}

function pickBest(soft: readonly Sighting[]): readonly Sighting[] {
  const best = new Map<Colour, Sighting>();
  for (const seen of soft) {
    const known = best.get(seen.who);
    if (known === undefined || staleness(seen) < staleness(known)) best.set(seen.who, seen);
  }
  return [...best.values()].sort((one, other) => staleness(one) - staleness(other));
}

function staleness({ ago, did, place }: Sighting): number {
  return ago + (did === 'passing' ? WALKING_COSTS : 0) + (isHallway(place) ? HALLWAY_COSTS : 0);
}

/** The latest place shared with each player who stayed close, or who followed without working. */
function findCompanions(known: PlayerMemory, victim: Colour | null) {
  const pairs: Sighting[] = [];
  const followers: Sighting[] = [];
  for (const [who, seen] of known.byWho) {
    if (who === victim) continue;
    const shared = seen.filter(
      (sight) =>
        sight.ago <= PAIR_FRESH && known.path.some((own) => isThereAbout(own, sight, TOGETHER)),
    );
    const [latest] = shared;
    const earliest = shared.at(-1);
    if (latest === undefined || earliest === undefined) continue;
    if (earliest.ago - latest.ago < PAIR_TIME || latest.ago > PAIR_LATEST) continue;
    const idle = shared.filter(({ did }) => did === 'lurking');
    if (idle.length === 0) pairs.push(latest);
    else if (new Set(idle.map(({ place }) => place)).size > 1) followers.push(idle[0] ?? latest);
  }
  return { pairs, followers };
}

/* The notebook is read in the wording of `talk.ts`. Only the newest notes count. */

type LastResult = {
  readonly type: 'right' | 'wrong' | 'unknown' | 'nobody';
  readonly ejected: Colour | null;
};
export type EjectionVote = Readonly<ReturnType<typeof listEjectionVotes>[number]>;
export type PastMeetings = {
  readonly watched: ReadonlySet<Colour>;
  readonly cleared: ReadonlySet<Colour>;
  readonly proven: ReadonlySet<Colour>;
  readonly last: LastResult | null;
};

const NOTHING: PastMeetings = {
  watched: new Set(),
  cleared: new Set(),
  proven: new Set(),
  last: null,
};
const WATCHED = /\bWatch (\w+)|\b(\w+) is the easiest to blame/g;
const CLEARED = /\b(\w+) is (?:clear to me|trusted by the table)/g;
const PROVEN = /\bProven: ([^.]+)\./g;
const EJECTED = /\b(\w+) was ejected(?:: an? (impostor|crewmate))?/i;
const NOBODY = /\bnobody (?:left|was ejected)/i;
const NEWEST = 2;

/** Pages that were read lately. A page says the same whoever reads it, so this saves work and changes nothing. */
const pagesRead = new Map<string, PastMeetings>();
const MOST_PAGES = 64;

export function readPast(page: string): PastMeetings {
  if (page === '') return NOTHING;
  if (pagesRead.size > MOST_PAGES) pagesRead.clear();
  return remember(pagesRead, page, () => readPage(page));
}

function readPage(page: string): PastMeetings {
  const notes = page
    .split('\n')
    .filter((line) => EJECTED.test(line) || NOBODY.test(line))
    .slice(-NEWEST);
  const newest = notes.at(-1);
  if (newest === undefined) return NOTHING;
  const text = notes.join('\n');
  return {
    watched: readNames(text, WATCHED),
    cleared: readNames(text, CLEARED),
    proven: new Set([...page.matchAll(PROVEN)].flatMap(([, names]) => listSeats(names))),
    last: readResult(newest),
  };
}

function readNames(text: string, pattern: RegExp): ReadonlySet<Colour> {
  return new Set(
    [...text.matchAll(pattern)].flatMap(([, one, other]) => listSeats(one ?? other).slice(0, 1)),
  );
}

export function listEjectionVotes({ meetings }: PublicRecord) {
  return meetings.flatMap(({ result }) => {
    if (result?.ejected == null || result.role === null) return [];
    const { ejected, role, ballots } = result;
    const list = (isFor: boolean) =>
      ballots.flatMap(({ voter, ballot }) =>
        voter === null || voter === ejected || (ballot === ejected) !== isFor ? [] : [voter],
      );
    return [{ ejected, role, by: list(true), others: list(false) }];
  });
}

function listSeats(names: string | undefined): readonly Colour[] {
  return findNames(names ?? '').map(({ seat }) => seat);
}

function readResult(note: string): LastResult | null {
  const match = EJECTED.exec(note);
  const [ejected] = listSeats(match?.[1]);
  if (ejected === undefined) return NOBODY.test(note) ? { type: 'nobody', ejected: null } : null;
  const role = match?.[2];
  if (role === undefined) return { type: 'unknown', ejected };
  return { type: role === 'impostor' ? 'right' : 'wrong', ejected };
}
