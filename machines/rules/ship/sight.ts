/**
 * Sight: who saw whom in a round, and where, and doing what.
 *
 * Two who are in sight of each other at a beat, or pass each other between two, have seen each other. Kills are seen
 * where they were done, before anybody moved. Cameras add the places that they show to what is in view. What is
 * written down is what anybody could testify.
 */
import {
  COLOURS,
  type Colour,
  type Deed,
  HALLWAYS,
  type Place,
  type Sighting,
} from '../../types.ts';
import { SECONDS_PER_ROUND } from '../options.ts';
import type { Draft } from './draft.ts';
import { neighbours } from './map.ts';
import { type Body, isLiving, livingPlayers, roleOf, shutRooms, type World } from './world.ts';

/*
 * Beats: where everybody is while a round is walked.
 *
 * A round has as many beats as the longest way of a living player has steps, and at least one. Everybody's steps are
 * spread evenly over them, so that two who meet on the way are in one place at one beat or cross between two. Ghosts
 * are not counted: what they do changes nothing that the living see.
 */

/** One of the beats of a round, from 1; 0 is how it began. */
type Beat = { readonly beat: number; readonly beats: number };

function countBeats({ paths, world }: Draft): number {
  let longest = 1;
  for (const seat of COLOURS) {
    const path = paths[seat];
    if (path !== undefined && isLiving(world, seat)) longest = Math.max(longest, path.length);
  }
  return longest;
}

/** Where somebody can be seen at a beat; null in a vent. Who climbs out does so at the last beat. */
function placeAt(draft: Draft, seat: Colour, { beat, beats }: Beat): Place | null {
  const start = draft.before.players[seat];
  const end = draft.world.players[seat];
  if (start === undefined || end === undefined) return null;
  if (beat === 0) return start.vent === null ? start.place : null;
  if (end.vent !== null) return null;
  if (start.vent !== null && beat < beats) return null;
  const path = draft.paths[seat];
  if (path === undefined) return end.place;
  const steps = Math.ceil((beat * path.length) / beats);
  return path[steps - 1] ?? start.place;
}

/** Where a player looks from at a beat: also out of a vent. */
function eyesAt(draft: Draft, seat: Colour, moment: Beat): Place | null {
  const outside = placeAt(draft, seat, moment);
  if (outside !== null) return outside;
  const state = moment.beat === 0 ? draft.before : draft.world;
  return state.players[seat]?.place ?? null;
}

/** What somebody can be seen doing at a beat. */
function deedAt({ paths, deeds }: Draft, who: Colour, { beat, beats }: Beat): Deed {
  if (beat < beats && paths[who] !== undefined) return 'passing';
  return deeds[who] ?? 'lurking';
}

/*
 * Vision: which places a player sees from where they are.
 *
 * It goes by the option of the lobby for their role, ends at shut doors, and is next to nothing in the dark. When a
 * round is resolved, who saw what is worked out in `sight.ts`.
 */

/** Vision from which one sees into the places next to one's own, and into those behind them. */
const NEAR_VISION = 1.25;
const FAR_VISION = 2.5;

/** How many steps a player sees: 0 is the own place; -1 is in the dark, where only hallways are narrow enough. */
function visionSteps(world: World, seat: Colour): number {
  const { options } = world.ship;
  const isImpostor = roleOf(world, seat) === 'impostor';
  if (!isImpostor && world.crisis?.system === 'lights') return -1;
  const vision = isImpostor ? options.impostorVision : options.crewVision;
  if (vision >= FAR_VISION) return 2;
  return vision >= NEAR_VISION ? 1 : 0;
}

/** Whether a player who is there sees what is there. */
export function isLit(world: World, seat: Colour, place: Place): boolean {
  return isHallway(place) || visionSteps(world, seat) >= 0;
}

/** The places that a player sees from where they are. */
export function placesInView(world: World, seat: Colour, from: Place): readonly Place[] {
  const steps = visionSteps(world, seat);
  if (steps < 0) return isHallway(from) ? [from] : NOWHERE;
  if (steps === 0) return [from];
  const { map } = world.ship;
  const shut: readonly Place[] = shutRooms(world);
  let seen: readonly Place[] = [from];
  for (let step = 0; step < steps; step++) {
    seen = [
      ...new Set(
        seen.flatMap((place) =>
          shut.includes(place)
            ? [place]
            : [place, ...neighbours(map, place).filter((next) => !shut.includes(next))],
        ),
      ),
    ];
  }
  return seen;
}

/** The bodies that a player is aware of: in the dark one still stumbles over what lies where one stands. */
export function bodiesInView(world: World, seat: Colour): readonly Body[] {
  const own = world.players[seat]?.place;
  if (own === undefined || world.bodies.length === 0) return NO_BODIES;
  const view = placesInView(world, seat, own);
  return world.bodies.filter(({ place }) => place === own || view.includes(place));
}

function isHallway(place: Place): boolean {
  return HALLS.includes(place);
}

const NO_BODIES: readonly Body[] = [];
const NOWHERE: readonly Place[] = [];
const HALLS: readonly Place[] = HALLWAYS;

/** The living who are seen at the own place. */
export function companyOf(world: World, seat: Colour): readonly Colour[] {
  const own = world.players[seat];
  if (own === undefined || !isLit(world, seat, own.place)) return [];
  return COLOURS.filter((other) => {
    const player = world.players[other];
    return (
      other !== seat &&
      player?.place === own.place &&
      player.vent === null &&
      isLiving(world, other)
    );
  });
}

/** One thing that was seen in a round. */
export type Sight = { readonly who: Colour; readonly place: Place; readonly did: Deed };

/** What each of the living saw in the round that was played out on a draft, before its clocks run on. */
export function collectSights(draft: Draft): Readonly<Partial<Record<Colour, readonly Sight[]>>> {
  const seen: Partial<Record<Colour, readonly Sight[]>> = {};
  const beats = countBeats(draft);
  const walkers = livingPlayers(draft.world);
  const hasKill = draft.events.some(({ type }) => type === 'player.killed');
  for (const seat of walkers) {
    const found = new SightsSoFar();
    const screens = screensBefore(draft, seat);
    if (hasKill) seeKills(draft, seat, screens, found);
    for (let beat = 1; beat <= beats; beat++) {
      const moment = { beat, beats };
      const glance = glanceAt(draft, seat, moment, screens);
      if (glance === null) continue;
      for (const who of walkers) {
        if (who === seat) seeOneself(draft, seat, moment, found);
        else see(draft, seat, who, { ...glance, found });
      }
      seeBodies(draft, glance, found);
    }
    seen[seat] = found.all;
  }
  return seen;
}

/** Sights without repetition: what somebody did last at a place is what is remembered of it. */
class SightsSoFar {
  readonly all: Sight[] = [];

  add(who: Colour, place: Place, did: Deed): void {
    const index = this.all.findIndex((sight) => sight.who === who && sight.place === place);
    const known = this.all[index];
    if (known === undefined) this.all.push({ who, place, did });
    // Nobody overlooks a knife for a walk.
    else if (known.did === 'passing' || known.did === 'lurking')
      this.all[index] = { who, place, did };
    else if (GRAVE.includes(did) && this.#isNew(who, place, did))
      this.all.push({ who, place, did });
  }

  #isNew(who: Colour, place: Place, did: Deed): boolean {
    return this.all.every(
      (sight) => sight.who !== who || sight.place !== place || sight.did !== did,
    );
  }
}

const GRAVE: readonly Deed[] = ['kill', 'vent', 'dead'];

/** What is in the eyes of a player at a beat. */
type Glance = {
  readonly moment: Beat;
  /** Where they look from, now and a beat before. */
  readonly own: Place;
  readonly earlier: Place;
  /** The places that they see now. */
  readonly view: readonly Place[];
};

function glanceAt(
  draft: Draft,
  seat: Colour,
  moment: Beat,
  screens: readonly Place[],
): Glance | null {
  const own = eyesAt(draft, seat, moment);
  const earlier = eyesAt(draft, seat, { ...moment, beat: moment.beat - 1 });
  if (own === null || earlier === null) return null;
  const view = placesInView(draft.world, seat, own);
  return { moment, own, earlier, view: screens.length === 0 ? view : [...view, ...screens] };
}

function seeOneself(draft: Draft, seat: Colour, moment: Beat, found: SightsSoFar): void {
  const place = placeAt(draft, seat, moment);
  if (place !== null) found.add(seat, place, deedAt(draft, seat, moment));
}

type Looking = Glance & { readonly found: SightsSoFar };

/** What one player sees of another one between the beat before and this one. */
function see(draft: Draft, seat: Colour, who: Colour, looking: Looking): void {
  const { moment, own, earlier, view, found } = looking;
  seeVenting(draft, who, looking);
  const place = placeAt(draft, who, moment);
  if (place === null) return;
  const before = placeAt(draft, who, { ...moment, beat: moment.beat - 1 });
  if (view.includes(place) || isTrailing(draft, seat, who, { own, place })) {
    found.add(who, place, deedAt(draft, who, moment));
    return;
  }
  const midway = isHallway(own) ? own : earlier;
  const hasCrossed = before === own && place === earlier && own !== earlier;
  const hasLeft = before === own && own === earlier && place !== own;
  if (hasCrossed && isLit(draft.world, seat, midway)) found.add(who, midway, 'passing');
  else if (hasLeft && isLit(draft.world, seat, own)) found.add(who, place, 'passing');
}

/** Who follows somebody keeps them in sight one step ahead, unless it is dark or a door has shut between them. */
function isTrailing(
  { world }: Draft,
  seat: Colour,
  who: Colour,
  { own, place }: { readonly own: Place; readonly place: Place },
): boolean {
  const intent = world.players[seat]?.intent;
  if (intent?.type !== 'follow' || intent.whom !== who || visionSteps(world, seat) < 0)
    return false;
  const shut: readonly Place[] = shutRooms(world);
  const isNext = neighbours(world.ship.map, own).includes(place);
  return isNext && !shut.includes(own) && !shut.includes(place);
}

/** One is seen climbing into a vent at the first beat, and out of one at the last. */
function seeVenting(draft: Draft, who: Colour, { moment, view, found }: Looking): void {
  const start = draft.before.players[who];
  const end = draft.world.players[who];
  if (start === undefined || end === undefined || start.vent === end.vent) return;
  const climbsIn = start.vent === null && moment.beat === 1;
  const climbsOut = end.vent === null && moment.beat === moment.beats;
  if ((climbsIn || climbsOut) && view.includes(end.place)) found.add(who, end.place, 'vent');
}

/** Who sees a kill has seen who did it and who fell, wherever they are when the round is over. */
function seeKills(draft: Draft, seat: Colour, screens: readonly Place[], found: SightsSoFar): void {
  const own = draft.before.players[seat]?.place;
  if (own === undefined) return;
  const view = placesInView(draft.before, seat, own);
  for (const event of draft.events) {
    if (event.type !== 'player.killed') continue;
    const isSeen = view.includes(event.place) || screens.includes(event.place);
    // The killer knows, however long the arm.
    if (!isSeen && event.by !== seat) continue;
    found.add(event.by, event.place, 'kill');
    found.add(event.victim, event.place, 'dead');
  }
}

function seeBodies({ world }: Draft, { own, view }: Glance, found: SightsSoFar): void {
  for (const { victim, place } of world.bodies) {
    // In the dark one still stumbles over what lies where one stands.
    if (view.includes(place) || place === own) found.add(victim, place, 'dead');
  }
}

/** The places that cameras show to who sits at their screens; none to anybody else. */
function screensBefore(draft: Draft, seat: Colour): readonly Place[] {
  const { cameras } = draft.world.ship.map;
  const intent = draft.world.players[seat]?.intent;
  if (cameras === null || draft.deeds[seat] !== 'watching' || !isLiving(draft.world, seat)) {
    return NO_SCREENS;
  }
  return intent?.type === 'watch' && intent.what === 'cameras' ? cameras.show : NO_SCREENS;
}

const NO_SCREENS: readonly Place[] = [];

/*
 * Memory: what a player saw since the last meeting, and the brief that is made of it when the next one is called.
 *
 * What goes on for a while is remembered with its beginning and its end, so that memory does not grow with waiting.
 */

/** Something that was seen from one round to another. */
export type MemoryEntry = {
  readonly who: Colour;
  readonly place: Place;
  readonly did: Deed;
  readonly from: number;
  readonly until: number;
};

/** Most that a player remembers of one stretch between meetings; the oldest goes first. */
const MOST_REMEMBERED = 80;

/** Memory after a round. What was seen in the round before and is seen again is one thing. */
export function addToMemory(
  memory: readonly MemoryEntry[],
  round: number,
  sights: readonly Sight[],
): readonly MemoryEntry[] {
  if (sights.length === 0) return memory;
  const after = [...memory];
  for (const { who, place, did } of sights) {
    const index = after.findLastIndex(
      (one) => one.who === who && one.place === place && one.did === did && one.until === round - 1,
    );
    const known = after[index];
    if (known === undefined) after.push({ who, place, did, from: round, until: round });
    else after[index] = { ...known, until: round };
  }
  return after.length > MOST_REMEMBERED ? after.slice(-MOST_REMEMBERED) : after;
}

/** Sightings in seconds before the round of a call, latest first. */
export function toSightings(memory: readonly MemoryEntry[], round: number): readonly Sighting[] {
  const found: Sighting[] = [];
  for (const { who, place, did, from, until } of memory) {
    const ago = (at: number) => (round - at) * SECONDS_PER_ROUND;
    found.push({ ago: ago(until), who, place, did });
    // Long enough to matter: the player was there all the while.
    if (until - from > 1) found.push({ ago: ago(from), who, place, did });
  }
  return found.toSorted((one, other) => one.ago - other.ago);
}
