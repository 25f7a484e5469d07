/**
 * Highlights: out of everything that a player saw since the last meeting, what is worth telling.
 *
 * Settled by the memory and the call alone, so it is picked out once for a meeting however often it is used.
 */
import { type Colour, type Place, ROOMS, type Sighting } from '../../../machines/types.ts';
import { type Memory, sightingsOf, TOGETHER } from './memory.ts';
import { NEXT_ROOM, steps } from './walk.ts';

/** The last sight of the victim alive, and who else was there. */
export type LastSight = { readonly seen: Sighting; readonly company: readonly Colour[] };

export type Highlights = {
  /** Vents and kills, latest first. */
  readonly deeds: readonly Sighting[];
  readonly visuals: readonly Sighting[];
  /** Who was at the body when the player saw it, and had not come with them. */
  readonly atBody: readonly Sighting[];
  /** Who was in the place of the body or a step from it, latest first. */
  readonly near: readonly Sighting[];
  readonly last: LastSight | null;
  /** For each player the sighting that says most about where they were. */
  readonly best: readonly Sighting[];
  /** Who stayed with the player for a while: the latest place that they shared. */
  readonly pairs: readonly Sighting[];
  /** Who came after the player and did nothing: the latest place of it. */
  readonly followers: readonly Sighting[];
};

/** Who stood at the body within so many seconds of the player's first look at it. */
const AT_BODY_TIME = 3;
/** Who was elsewhere so shortly before had only just come in. */
const ARRIVED_TIME = 8;
/** A pair was together for at least so many seconds, and so many seconds ago at most. */
const PAIR_TIME = 10;
const PAIR_FRESH = 90;
/** It was no longer ago than this that they were last seen with the player. */
const PAIR_LATEST = 30;
/** What a sighting is worth less, in seconds of age: of somebody who only walked, and in a hallway. */
const WALKING_COSTS = 4;
const HALLWAY_COSTS = 6;

const IS_ROOM: ReadonlySet<Place> = new Set(ROOMS);

type Scene = { readonly body: Place | null; readonly victim: Colour | null };

export function isHallway(place: Place): boolean {
  return !IS_ROOM.has(place);
}

export function highlights(known: Memory, { body, victim }: Scene): Highlights {
  const isHard = ({ did }: Sighting) => did === 'vent' || did === 'kill';
  const soft = known.others.filter((seen) => !isHard(seen) && seen.who !== victim);
  return {
    deeds: known.others.filter(isHard),
    visuals: known.others.filter(({ did }) => did === 'visual'),
    atBody: atBody(known, victim),
    near: body === null ? [] : soft.filter(({ place }) => steps(place, body) < NEXT_ROOM),
    last: victim === null ? null : lastSight(known, victim),
    best: bestOf(soft),
    ...companions(known, victim),
  };
}

function atBody(known: Memory, victim: Colour | null): readonly Sighting[] {
  const found = known.bodies.filter(({ who }) => who === victim).at(-1);
  if (found === undefined) return [];
  const { place, ago } = found;
  const there = known.others.filter(
    (seen) => seen.place === place && Math.abs(seen.ago - ago) <= AT_BODY_TIME,
  );
  return there.filter(
    ({ who }, index) =>
      there.findIndex((other) => other.who === who) === index &&
      !sightingsOf(known, who).some(
        (seen) => seen.place !== place && seen.ago >= ago && seen.ago <= ago + ARRIVED_TIME,
      ),
  );
}

function lastSight(known: Memory, victim: Colour): LastSight | null {
  const seen = known.byWho.get(victim)?.[0];
  if (seen === undefined) return null;
  const company = known.others.filter(
    (other) =>
      other.who !== victim &&
      other.place === seen.place &&
      Math.abs(other.ago - seen.ago) <= TOGETHER,
  );
  return { seen, company: [...new Set(company.map(({ who }) => who))] };
}

function bestOf(soft: readonly Sighting[]): readonly Sighting[] {
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

/** Who shared places with the player for a while: honest company, or somebody who only came after them. */
function companions(known: Memory, victim: Colour | null): Pick<Highlights, 'pairs' | 'followers'> {
  const pairs: Sighting[] = [];
  const followers: Sighting[] = [];
  for (const [who, seen] of known.byWho) {
    if (who === victim) continue;
    const shared = seen.filter(
      ({ place, ago }) =>
        ago <= PAIR_FRESH &&
        known.path.some((own) => own.place === place && Math.abs(own.ago - ago) <= TOGETHER),
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
