/**
 * The oracle of sight: what each of the living could see in a round, worked out from what truly happened.
 *
 * It is written from the section on sight of docs/decisions/0013-rounds.md, and shares no rule with the engine: it
 * draws up a timetable of everybody for the beats of the round, and asks of each moment who was where.
 */
import type { Order } from '../../../machines/rules/ship/orders.ts';
import type { ResolvedRound } from '../../../machines/rules/ship/round.ts';
import type { World } from '../../../machines/rules/ship/world.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Deed,
  HALLWAYS,
  type Place,
} from '../../../machines/types.ts';

export type Truth = {
  readonly before: World;
  readonly orders: readonly Order[];
  readonly after: Pick<ResolvedRound, 'world' | 'events' | 'paths' | 'deeds'>;
};

type Observation = { readonly who: Colour; readonly place: Place; readonly did: Deed };

/** How far and how well one sees at some moment of the round. */
type Conditions = { readonly isDark: boolean; readonly shut: ReadonlySet<Place> };

/** "red: kill in MedBay" for everything that each of the living saw, in the order of the alphabet. */
export function expectedSights(truth: Truth): BySeat<readonly string[]> {
  const living = COLOURS.filter((seat) => truth.after.world.standings[seat] === 'living');
  return Object.fromEntries(
    living.map((seat) => [seat, told(testimony(truth, seat, living)).toSorted()]),
  );
}

/** Of a player's deeds in one place, the worst is reported. If none was bad, the last one is. */
function told(observations: readonly Observation[]): readonly string[] {
  const byPlace = Map.groupBy(observations, ({ who, place }) => `${who} ${place}`);
  return [...byPlace.values()].flatMap((some) => {
    const grave = some.filter(({ did }) => did === 'kill' || did === 'vent' || did === 'dead');
    const kept = grave.length > 0 ? grave : some.slice(-1);
    return [...new Set(kept.map(({ who, place, did }) => `${who}: ${did} in ${place}`))];
  });
}

function testimony(truth: Truth, seat: Colour, living: readonly Colour[]): readonly Observation[] {
  const { before, after } = truth;
  const beats = Math.max(1, ...living.map((who) => after.paths[who]?.length ?? 0));
  const tables = new Map(living.map((who) => [who, timetable(truth, who, beats)]));
  const own = tables.get(seat) ?? [];
  const eyes = own.map((place, beat) => place ?? hideout(beat === 0 ? before : after.world, seat));
  const now = conditionsIn(truth, seat);
  const cameras = shownTo(truth, seat);
  const found: Observation[] = [...killsSeen(truth, seat, cameras)];
  for (let beat = 1; beat <= beats; beat++) {
    const from = eyes[beat];
    const past = eyes[beat - 1];
    if (from === undefined || past === undefined) continue;
    const inView = (place: Place) =>
      cameras.includes(place) || sees(before, seat, now, from, place);
    for (const who of living) {
      const place = tables.get(who)?.[beat] ?? null;
      const earlier = tables.get(who)?.[beat - 1] ?? null;
      const did = deedAt(truth, who, beat === beats);
      if (who === seat) {
        if (place !== null) found.push({ who, place, did });
        continue;
      }
      const hatch = hatchUsed(truth, who, beat, beats);
      if (hatch !== null && inView(hatch)) found.push({ who, place: hatch, did: 'vent' });
      if (place === null) continue;
      if (inView(place) || (isFollowed(truth, seat, who) && isNextTo(before, now, from, place))) {
        found.push({ who, place, did });
      } else if (earlier === from && place === past && from !== past) {
        const hallway = isHallway(from) ? from : past;
        if (!now.isDark || isHallway(hallway)) found.push({ who, place: hallway, did: 'passing' });
      } else if (earlier === from && past === from && place !== from) {
        if (!now.isDark || isHallway(from)) found.push({ who, place, did: 'passing' });
      }
    }
    for (const { victim, place } of after.world.bodies) {
      if (inView(place) || place === from) found.push({ who: victim, place, did: 'dead' });
    }
  }
  return found;
}

function timetable({ before, after }: Truth, who: Colour, beats: number): (Place | null)[] {
  const start = before.players[who];
  const end = after.world.players[who];
  if (start === undefined || end === undefined) return [];
  const path = after.paths[who] ?? [];
  const table: (Place | null)[] = [start.vent === null ? start.place : null];
  for (let beat = 1; beat <= beats; beat++) {
    const steps = Math.ceil((beat * path.length) / beats);
    const isHidden = end.vent !== null || (start.vent !== null && beat < beats);
    // A player who does not walk is at their final place. A killer with a long reach is there from the first beat.
    const place = path.length === 0 ? end.place : steps === 0 ? start.place : path[steps - 1];
    table.push(isHidden ? null : (place ?? null));
  }
  return table;
}

function hideout(world: World, seat: Colour): Place | undefined {
  return world.players[seat]?.place;
}

/** The vent that somebody climbs into as the round is walked, or out of as it is over. */
function hatchUsed({ after }: Truth, who: Colour, beat: number, beats: number): Place | null {
  for (const event of after.events) {
    if (event.type !== 'vent.used' || event.seat !== who) continue;
    if (event.how === 'in' && beat === 1) return event.place;
    if (event.how === 'out' && beat === beats) return event.place;
  }
  return null;
}

/** Light and doors after this round's sabotage and repairs: doors that open when it is over were shut in it. */
function conditionsIn({ before, after }: Truth, seat: Colour): Conditions {
  const shut = new Set<Place>(before.doors.filter((door) => door.shut > 0).map(({ room }) => room));
  let broken = before.crisis?.system ?? null;
  for (const event of after.events) {
    if (event.type === 'doors.shut') shut.add(event.room);
    if (event.type === 'sabotage.begun') broken = event.system;
    if (event.type === 'sabotage.fixed') broken = null;
  }
  return { isDark: broken === 'lights' && !isImpostor(before, seat), shut };
}

/** A kill is seen from where one was when the round began, in the light of that moment, or on a screen. */
function* killsSeen({ before, after }: Truth, seat: Colour, cameras: readonly Place[]) {
  const from = before.players[seat]?.place;
  const then: Conditions = {
    isDark: before.crisis?.system === 'lights' && !isImpostor(before, seat),
    shut: new Set<Place>(before.doors.filter((door) => door.shut > 0).map(({ room }) => room)),
  };
  for (const event of after.events) {
    if (event.type !== 'player.killed' || from === undefined) continue;
    const { by, victim, place } = event;
    const isSeen = cameras.includes(place) || sees(before, seat, then, from, place);
    if (!isSeen && by !== seat) continue;
    yield { who: by, place, did: 'kill' } as const;
    yield { who: victim, place, did: 'dead' } as const;
  }
}

function shownTo({ before, after }: Truth, seat: Colour): readonly Place[] {
  const { cameras } = before.ship.map;
  const isWatching = after.deeds[seat] === 'watching';
  return isWatching && after.world.players[seat]?.place === cameras?.at
    ? (cameras?.show ?? [])
    : [];
}

function deedAt({ after }: Truth, who: Colour, isLast: boolean): Deed {
  if (!isLast && after.paths[who] !== undefined) return 'passing';
  return after.deeds[who] ?? 'lurking';
}

/** The order of this round, or one taken up earlier. A player who fails or is refused follows nobody. */
function isFollowed({ before, orders, after }: Truth, seat: Colour, who: Colour): boolean {
  const order = orders.find((one) => one.seat === seat);
  const isRefused = after.events.some((one) => one.type === 'intent.refused' && one.seat === seat);
  if (order?.type === 'fault' || isRefused) return false;
  const intent = order?.decision.intent ?? before.players[seat]?.intent;
  return intent?.type === 'follow' && intent.whom === who;
}

function isNextTo(world: World, { isDark, shut }: Conditions, from: Place, place: Place): boolean {
  if (isDark || shut.has(from) || shut.has(place)) return false;
  return world.ship.map.openings[from]?.includes(place) === true;
}

/** The own place at any vision, one step from 1.25, two from 2.5; a shut door ends it; in the dark, hallways only. */
function sees(world: World, seat: Colour, now: Conditions, from: Place, place: Place): boolean {
  if (from === place) return !now.isDark || isHallway(from);
  if (now.isDark) return false;
  const { options, map } = world.ship;
  const vision = isImpostor(world, seat) ? options.impostorVision : options.crewVision;
  const isOpen = (one: Place, other: Place) =>
    map.openings[one]?.includes(other) === true && !now.shut.has(one) && !now.shut.has(other);
  if (vision >= 1.25 && isOpen(from, place)) return true;
  return vision >= 2.5 && map.places.some((mid) => isOpen(from, mid) && isOpen(mid, place));
}

function isImpostor({ ship }: World, seat: Colour): boolean {
  return ship.seats.some(({ colour, role }) => colour === seat && role === 'impostor');
}

function isHallway(place: Place): boolean {
  return HALLWAYS.some((hallway) => hallway === place);
}
