/**
 * Sight: who saw whom in a round, and where, and doing what.
 *
 * A round is walked in beats: everybody's path is spread over as many beats as the longest one has steps. Two who are
 * in sight of each other at a beat, or pass each other between two, have seen each other. Kills are seen where they
 * were done, before anybody moved. What is written down is what anybody could testify.
 */
import { COLOURS, type Colour, type Deed, HALLWAYS, type Place } from '../../types.ts';
import { neighbours } from '../ship/map.ts';
import type { Draft } from './draft.ts';
import { isJammed, isLiving, roleOf, shutRooms, type World } from './world.ts';

/** One thing that was seen in a round. */
export type Sight = { readonly who: Colour; readonly place: Place; readonly did: Deed };

/** Vision from which one sees into the places next to one's own, and into those behind them. */
const NEAR_VISION = 1.25;
const FAR_VISION = 2.5;

/** How many steps a player sees: 0 is the own place; -1 is in the dark, where only hallways are narrow enough. */
export function reach(world: World, seat: Colour): number {
  const { options } = world.ship;
  const isImpostor = roleOf(world, seat) === 'impostor';
  if (!isImpostor && world.crisis?.system === 'lights') return -1;
  const vision = isImpostor ? options.impostorVision : options.crewVision;
  if (vision >= FAR_VISION) return 2;
  return vision >= NEAR_VISION ? 1 : 0;
}

/** The places that a player sees from where they are. */
export function inView(world: World, seat: Colour, from: Place): readonly Place[] {
  const steps = reach(world, seat);
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

const NOWHERE: readonly Place[] = [];
const HALLS: readonly Place[] = HALLWAYS;

function isHallway(place: Place): boolean {
  return HALLS.includes(place);
}

/** What each of the living saw in the round that was played out on a draft. */
export function sights(draft: Draft): Readonly<Partial<Record<Colour, readonly Sight[]>>> {
  const seen: Partial<Record<Colour, readonly Sight[]>> = {};
  const beats = longestPath(draft);
  const walkers = COLOURS.filter((seat) => isPresent(draft, seat));
  const kills = draft.events.filter(({ type }) => type === 'player.killed');
  for (const seat of COLOURS) {
    if (!isLiving(draft.world, seat)) continue;
    const found = new Sights();
    if (kills.length > 0) seeKills(draft, seat, found);
    for (let beat = 1; beat <= beats; beat++) seeBeat(draft, seat, { beat, beats, walkers }, found);
    seeBodies(draft, seat, found);
    seeCameras(draft, seat, walkers, found);
    seen[seat] = found.all;
  }
  return seen;
}

/** Sights without repetition: what somebody did last at a place is what is remembered of it. */
class Sights {
  readonly all: Sight[] = [];

  add(who: Colour, place: Place, did: Deed): void {
    const index = this.all.findIndex((sight) => sight.who === who && sight.place === place);
    const known = this.all[index];
    if (known === undefined) this.all.push({ who, place, did });
    // Nobody overlooks a knife for a walk.
    else if (known.did === 'passing' || known.did === 'lurking')
      this.all[index] = { who, place, did };
    else if (GRAVE.includes(did) && known.did !== did) this.all.push({ who, place, did });
  }
}

const GRAVE: readonly Deed[] = ['kill', 'vent', 'dead'];

/** Whether somebody was about and could be seen in this round: living after it, or killed in it. */
function isPresent({ world }: Draft, seat: Colour): boolean {
  return isLiving(world, seat);
}

function longestPath({ paths }: Draft): number {
  let longest = 1;
  for (const seat of COLOURS) longest = Math.max(longest, paths[seat]?.length ?? 0);
  return longest;
}

/** Where somebody is after so many of the beats of a round; null in a vent. */
export function placeAt(draft: Draft, seat: Colour, beat: number, beats: number): Place | null {
  const start = draft.before.players[seat];
  const end = draft.world.players[seat];
  if (start === undefined || end === undefined) return null;
  if (beat === 0) return start.vent === null ? start.place : null;
  if (end.vent !== null) return null;
  const path = draft.paths[seat];
  if (path === undefined) return end.place;
  const steps = Math.ceil((beat * path.length) / beats);
  return path[steps - 1] ?? start.place;
}

type Beat = { readonly beat: number; readonly beats: number; readonly walkers: readonly Colour[] };

function seeBeat(draft: Draft, seat: Colour, { beat, beats, walkers }: Beat, found: Sights): void {
  const own = eyesAt(draft, seat, beat, beats);
  const earlier = eyesAt(draft, seat, beat - 1, beats);
  if (own === null || earlier === null) return;
  const view = inView(draft.world, seat, own);
  for (const who of walkers) {
    const place = placeAt(draft, who, beat, beats);
    if (who === seat) {
      if (place !== null) found.add(who, place, deedAt(draft, who, beat, beats));
      continue;
    }
    seeVenting(draft, who, { own, view, beat, beats }, found);
    if (place === null) continue;
    const before = placeAt(draft, who, beat - 1, beats);
    const hasCrossed = before === own && place === earlier && own !== earlier;
    const hasLeft = before === own && own === earlier && isLit(draft.world, seat, own);
    if (view.includes(place) || isFollowing(draft, seat, who)) {
      found.add(who, place, deedAt(draft, who, beat, beats));
    } else if (hasCrossed) found.add(who, isHallway(own) ? own : earlier, 'passing');
    else if (hasLeft && place !== own) found.add(who, place, 'passing');
  }
}

/** Where a player looks from: also out of a vent. */
function eyesAt(draft: Draft, seat: Colour, beat: number, beats: number): Place | null {
  const end = draft.world.players[seat];
  if (end === undefined) return null;
  if (end.vent !== null) return end.place;
  return placeAt(draft, seat, beat, beats) ?? draft.before.players[seat]?.place ?? null;
}

function isLit(world: World, seat: Colour, place: Place): boolean {
  return reach(world, seat) >= 0 || isHallway(place);
}

function isFollowing({ world }: Draft, seat: Colour, who: Colour): boolean {
  const intent = world.players[seat]?.intent;
  return (
    intent?.type === 'follow' &&
    intent.whom === who &&
    reach(world, seat) >= 0 &&
    neighboursOf(world, seat, who)
  );
}

function neighboursOf(world: World, seat: Colour, who: Colour): boolean {
  const own = world.players[seat]?.place;
  const other = world.players[who]?.place;
  if (own === undefined || other === undefined) return false;
  return neighbours(world.ship.map, own).includes(other);
}

function deedAt(draft: Draft, who: Colour, beat: number, beats: number): Deed {
  if (beat < beats && draft.paths[who] !== undefined) return 'passing';
  return draft.deeds[who] ?? 'lurking';
}

function seeVenting(
  draft: Draft,
  who: Colour,
  { own, view, beat, beats }: { own: Place; view: readonly Place[]; beat: number; beats: number },
  found: Sights,
): void {
  const start = draft.before.players[who];
  const end = draft.world.players[who];
  if (start === undefined || end === undefined || start.vent === end.vent) return;
  const climbsIn = start.vent === null && beat === 1;
  const climbsOut = end.vent === null && beat === beats;
  if (!climbsIn && !climbsOut) return;
  if (view.includes(end.place) || own === end.place) {
    if (view.length > 0) found.add(who, end.place, 'vent');
  }
}

function seeKills(draft: Draft, seat: Colour, found: Sights): void {
  const own = draft.before.players[seat]?.place;
  if (own === undefined) return;
  const view = inView(draft.before, seat, own);
  for (const event of draft.events) {
    if (event.type !== 'player.killed' || event.by === seat) continue;
    if (view.includes(event.place)) found.add(event.by, event.place, 'kill');
  }
}

function seeBodies(draft: Draft, seat: Colour, found: Sights): void {
  if (draft.world.bodies.length === 0) return;
  const own = draft.world.players[seat]?.place;
  if (own === undefined) return;
  const view = inView(draft.world, seat, own);
  for (const { victim, place } of draft.world.bodies) {
    // In the dark one still stumbles over what lies where one stands.
    if (view.includes(place) || place === own) found.add(victim, place, 'dead');
  }
}

/** Who sits at the cameras sees the hallways that they show. */
function seeCameras(draft: Draft, seat: Colour, walkers: readonly Colour[], found: Sights): void {
  const { cameras } = draft.world.ship.map;
  const player = draft.world.players[seat];
  if (cameras === null || draft.deeds[seat] !== 'watching' || player?.place !== cameras.at) return;
  if (player.intent?.type !== 'watch' || player.intent.what !== 'cameras') return;
  if (isJammed(draft.world)) return;
  for (const who of walkers) {
    const other = draft.world.players[who];
    if (who === seat || other === undefined || other.vent !== null) continue;
    if (cameras.show.includes(other.place))
      found.add(who, other.place, draft.deeds[who] ?? 'lurking');
  }
}
