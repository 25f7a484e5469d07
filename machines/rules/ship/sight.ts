/**
 * Sight: what each player saw others do in a round, and where. Two players see each other if they are in sight at a
 * beat or pass each other between two beats. Kills are seen at their place, before anybody moves. A sight records what
 * its witness could testify to.
 */
import type { Colour, Deed, Place, Role, ShipMap, Sighting } from '../../types.ts';
import { SECONDS_PER_ROUND } from '../options.ts';
import type { OwnPast, PastSighting } from '../record.ts';
import { type Draft, isLivingSeat, type SeatDraft } from './draft.ts';
import { isHallway, neighbours } from './map.ts';
import { areJoined, type Body, type PlayerState, roleOf, shutRooms, type World } from './world.ts';

/*
 * Tracks: the place of every living player, beat by beat. A round has a beat for each step of the longest path, and at
 * least one. Steps are spread evenly over the beats, so two players who meet on the way share a place or cross.
 */

/** Beats count from 1. Index 0 of a list is the beginning of the round. */
type WalkTrack = {
  readonly walker: SeatDraft;
  readonly seat: Colour;
  /** Visible places, null in a vent. A player climbs out at the last beat. */
  readonly places: readonly (Place | null)[];
  /** The places from which they look, vents included. */
  readonly eyes: readonly Place[];
  readonly deeds: readonly Deed[];
  /** Where and at which beat they are seen using a vent. Null if they used none. */
  readonly venting: { readonly beat: number; readonly place: Place } | null;
  /** Steps of vision (`visionSteps`), and the player they follow. */
  readonly vision: number;
  readonly follows: Colour | null;
};

function layTracks({ world, seats }: Draft): readonly WalkTrack[] {
  const walkers = seats.filter(isLivingSeat);
  const beats = Math.max(1, ...walkers.map(({ path }) => path?.length ?? 0));
  return walkers.map((walker) => layTrack(world, walker, beats));
}

function layTrack(world: World, walker: SeatDraft, beats: number): WalkTrack {
  const { seat, role, start, player: end, path } = walker;
  const did = walker.deed ?? 'lurking';
  const startsOutside = start.vent === null;
  const places: (Place | null)[] = [startsOutside ? start.place : null];
  const eyes = [start.place];
  const deeds: Deed[] = [did];
  const track = {
    walker,
    seat,
    places,
    eyes,
    deeds,
    venting: ventingOf(start, end, beats),
    vision: visionAs(world, role),
    follows: end.intent?.type === 'follow' ? end.intent.whom : null,
  };
  for (let beat = 1; beat <= beats; beat++) {
    const isHidden = end.vent !== null || (!startsOutside && beat < beats);
    const steps = path === null ? 0 : Math.ceil((beat * path.length) / beats);
    const place = path === null ? end.place : (path[steps - 1] ?? start.place);
    places.push(isHidden ? null : place);
    eyes.push(isHidden ? end.place : place);
    deeds.push(beat < beats && path !== null ? 'passing' : did);
  }
  return track;
}

function ventingOf(start: PlayerState, end: PlayerState, beats: number): WalkTrack['venting'] {
  if (start.vent === end.vent || (start.vent !== null && end.vent !== null)) return null;
  return { beat: start.vent === null ? 1 : beats, place: end.place };
}

/* Vision depends on the lobby option of the role, ends at shut doors, and is almost nothing in the dark. */

/** Vision at which a player sees the next places, and the places behind those. */
const NEAR_VISION = 1.25;
const FAR_VISION = 2.5;

/** 0 is the player's own place. -1 is the dark, in which a player sees only hallways. */
function visionSteps(world: World, seat: Colour): number {
  return visionAs(world, roleOf(world, seat));
}

function visionAs({ crisis, ship: { options } }: World, role: Role): number {
  if (role === 'impostor') return stepsInLight(options.impostorVision);
  return crisis?.system === 'lights' ? -1 : stepsInLight(options.crewVision);
}

export function stepsInLight(vision: number): number {
  if (vision >= FAR_VISION) return 2;
  return vision >= NEAR_VISION ? 1 : 0;
}

export function isLit(world: World, seat: Colour, place: Place): boolean {
  return isHallway(place) || visionSteps(world, seat) >= 0;
}

export function placesInView(world: World, seat: Colour, from: Place): readonly Place[] {
  return placesWithin(world, visionSteps(world, seat), from);
}

function placesWithin(world: World, steps: number, from: Place): readonly Place[] {
  if (steps < 0) return isHallway(from) ? [from] : [];
  if (steps === 0) return [from];
  const shut = shutRooms(world);
  const { map } = world.ship;
  if (shut.length > 0) return walkWithin(map, shut, steps, from);
  const known = VIEWS.get(map) ?? [];
  VIEWS.set(map, known);
  const views = known[steps] ?? new Map<Place, readonly Place[]>();
  known[steps] = views;
  const view = views.get(from) ?? walkWithin(map, shut, steps, from);
  views.set(from, view);
  return view;
}

/** Views with all doors open, computed once for each map and number of steps. */
const VIEWS = new WeakMap<ShipMap, Map<Place, readonly Place[]>[]>();

/** The places within that many steps. Nobody looks into or out of a shut room. */
export function walkWithin(
  map: ShipMap,
  shut: readonly Place[],
  steps: number,
  from: Place,
): readonly Place[] {
  const seen = new Set<Place>([from]);
  for (let step = 0; step < steps; step++) {
    for (const place of [...seen]) {
      if (shut.includes(place)) continue;
      for (const next of neighbours(map, place)) if (!shut.includes(next)) seen.add(next);
    }
  }
  return [...seen];
}

/** In the dark a player still notices a body at their own place. */
export function bodiesInView(world: World, seat: Colour): readonly Body[] {
  const own = world.players[seat]?.place;
  if (own === undefined || world.bodies.length === 0) return [];
  const view = placesInView(world, seat, own);
  return world.bodies.filter(({ place }) => place === own || view.includes(place));
}

/** The living outside vents with their places, in the order of the seats. */
export type Crowd = readonly { readonly who: Colour; readonly place: Place }[];

export function visiblePlayers({ ship, standings, players }: World): Crowd {
  const crowd: { who: Colour; place: Place }[] = [];
  for (const { colour: who } of ship.seats) {
    const player = players[who];
    if (player === undefined || player.vent !== null || standings[who] !== 'living') continue;
    crowd.push({ who, place: player.place });
  }
  return crowd;
}

export function companyAt(world: World, seat: Colour, own: Place, crowd: Crowd): readonly Colour[] {
  const company: Colour[] = [];
  for (const { who, place } of crowd) if (place === own && who !== seat) company.push(who);
  return company.length > 0 && isLit(world, seat, own) ? company : [];
}

export type Sight = { readonly who: Colour; readonly place: Place; readonly did: Deed };

/** The sights of each living player, before the clocks of the round run. */
export function collectSights(draft: Draft): Readonly<Partial<Record<Colour, readonly Sight[]>>> {
  const seen: Partial<Record<Colour, readonly Sight[]>> = {};
  const { world } = draft;
  const tracks = layTracks(draft);
  const hasKill = draft.events.some(({ type }) => type === 'player.killed');
  for (const track of tracks) {
    const found = new SightsSoFar();
    const screens = screensBefore(draft, track.walker);
    if (hasKill) seeKills(draft, track.walker, screens, found);
    for (let beat = 1; beat < track.places.length; beat++) {
      const own = track.eyes[beat];
      const earlier = track.eyes[beat - 1];
      if (own === undefined || earlier === undefined) continue;
      const inSight = placesWithin(world, track.vision, own);
      const view = screens.length === 0 ? inSight : [...inSight, ...screens];
      const glance = { beat, own, earlier, view, found };
      for (const other of tracks) {
        if (other === track) seeOneself(track, glance);
        else see(world, track, other, glance);
      }
      seeBodies(world, glance);
    }
    seen[track.seat] = found.all;
  }
  return seen;
}

/** Keeps one sight for each player and place: the last deed seen there. */
class SightsSoFar {
  readonly all: Sight[] = [];

  add(who: Colour, place: Place, did: Deed): void {
    const index = this.#find(who, place);
    const known = this.all[index];
    if (known === undefined) this.all.push({ who, place, did });
    // A walk does not replace a kill.
    else if (known.did === 'passing' || known.did === 'lurking')
      this.all[index] = { who, place, did };
    else if (GRAVE.includes(did) && this.#isNew(who, place, did))
      this.all.push({ who, place, did });
  }

  #find(who: Colour, place: Place): number {
    const { all } = this;
    for (let index = 0; index < all.length; index++) {
      const sight = all[index];
      if (sight?.who === who && sight.place === place) return index;
    }
    return -1;
  }

  #isNew(who: Colour, place: Place, did: Deed): boolean {
    return this.all.every(
      (sight) => sight.who !== who || sight.place !== place || sight.did !== did,
    );
  }
}

const GRAVE: readonly Deed[] = ['kill', 'vent', 'dead'];

type Glance = {
  readonly beat: number;
  readonly own: Place;
  readonly earlier: Place;
  readonly view: readonly Place[];
  readonly found: SightsSoFar;
};

function seeOneself({ seat, places, deeds }: WalkTrack, { beat, found }: Glance): void {
  const place = places[beat] ?? null;
  if (place !== null) found.add(seat, place, deeds[beat] ?? 'lurking');
}

/** The sights of one other player between the previous beat and this one. */
function see(
  world: World,
  { vision, follows }: WalkTrack,
  other: WalkTrack,
  { beat, own, earlier, view, found }: Glance,
): void {
  const who = other.seat;
  const { venting } = other;
  if (venting?.beat === beat && view.includes(venting.place)) found.add(who, venting.place, 'vent');
  const place = other.places[beat] ?? null;
  if (place === null) return;
  // A follower keeps the other in sight one step ahead.
  if (view.includes(place) || (follows === who && vision >= 0 && areJoined(world, own, place))) {
    found.add(who, place, other.deeds[beat] ?? 'lurking');
    return;
  }
  if (other.places[beat - 1] !== own) return;
  const isLitAt = (at: Place) => vision >= 0 || isHallway(at);
  if (place === earlier && own !== earlier) {
    // The two have crossed.
    const midway = isHallway(own) ? own : earlier;
    if (isLitAt(midway)) found.add(who, midway, 'passing');
  } else if (own === earlier && isLitAt(own)) found.add(who, place, 'passing');
}

/** A witness of a kill has seen killer and victim, wherever they are at the end of the round. */
function seeKills(
  draft: Draft,
  { seat, start }: SeatDraft,
  screens: readonly Place[],
  found: SightsSoFar,
): void {
  const view = placesInView(draft.before, seat, start.place);
  for (const event of draft.events) {
    if (event.type !== 'player.killed') continue;
    const isSeen = view.includes(event.place) || screens.includes(event.place);
    // The killer knows, from any distance.
    if (!isSeen && event.by !== seat) continue;
    found.add(event.by, event.place, 'kill');
    found.add(event.victim, event.place, 'dead');
  }
}

function seeBodies({ bodies }: World, { own, view, found }: Glance): void {
  for (const { victim, place } of bodies) {
    if (view.includes(place) || place === own) found.add(victim, place, 'dead');
  }
}

/** The places shown by the cameras to a player at their screens. Empty for all others. */
function screensBefore({ world }: Draft, one: SeatDraft): readonly Place[] {
  const { cameras } = world.ship.map;
  const { intent } = one.player;
  if (cameras === null || one.deed !== 'watching' || !isLivingSeat(one)) return [];
  return intent?.type === 'watch' && intent.what === 'cameras' ? cameras.show : [];
}

/* Memory stores a continuing sight with its first and last round, so that it does not grow with waiting. */

export type MemoryEntry = Sight & { readonly from: number; readonly until: number };

/** Entries between two meetings, and sightings before them. */
const MOST_REMEMBERED = 80;
const MOST_RECALLED = 20;

/** A sight repeated from the round before extends its entry. Entries that no longer fit are added to `dropped`. */
export function addRoundsToMemory(
  memory: readonly MemoryEntry[],
  rounds: readonly { readonly round: number; readonly sights: readonly Sight[] }[],
  dropped: MemoryEntry[] = [],
): readonly MemoryEntry[] {
  if (rounds.every(({ sights }) => sights.length === 0)) return memory;
  const after = [...memory];
  for (const { round, sights } of rounds) {
    for (const sight of sights) {
      const index = findLastEntry(after, sight, round - 1);
      const known = after[index];
      const { who, place, did } = sight;
      const from = known === undefined ? round : known.from;
      const entry = { who, place, did, from, until: round };
      if (known === undefined) after.push(entry);
      else after[index] = entry;
    }
    const surplus = after.length - MOST_REMEMBERED;
    if (surplus > 0) dropped.push(...after.splice(0, surplus));
  }
  return after;
}

/** The last entry of this sight that reaches up to this round, or -1. */
function findLastEntry(
  memory: readonly MemoryEntry[],
  { who, place, did }: Sight,
  until: number,
): number {
  for (let index = memory.length - 1; index >= 0; index--) {
    const one = memory[index];
    if (one?.until !== until || one.who !== who) continue;
    if (one.place === place && one.did === did) return index;
  }
  return -1;
}

/** Sights that a short memory keeps (ruling 58): kills, vents, bodies, and the last one of each player. */
export function keepVital<S extends Pick<Sighting, 'who' | 'did'>>(
  old: readonly S[],
  since: readonly Pick<Sighting, 'who'>[],
): readonly S[] {
  const seen = new Set(since.map(({ who }) => who));
  const kept = old.toReversed().filter(({ who, did }) => {
    const isLast = !seen.has(who);
    seen.add(who);
    return isLast || GRAVE.includes(did);
  });
  return kept.reverse();
}

export function addToPast(past: OwnPast, seen: readonly PastSighting[]): OwnPast {
  const all = [...past.sightings, ...seen];
  const recent = all.slice(-MOST_RECALLED);
  const sightings = [...keepVital(all.slice(0, -MOST_RECALLED), recent), ...recent];
  return { ...past, sightings, forgotten: past.forgotten + all.length - sightings.length };
}

/** Sightings in seconds before the call, latest first. */
export function toSightings(memory: readonly MemoryEntry[], round: number): readonly Sighting[] {
  const found: Sighting[] = [];
  for (const { who, place, did, from, until } of memory) {
    const ago = (at: number) => (round - at) * SECONDS_PER_ROUND;
    found.push({ ago: ago(until), who, place, did });
    // Long enough to matter: the player was there all the time.
    if (until - from > 1) found.push({ ago: ago(from), who, place, did });
  }
  return found.toSorted((one, other) => one.ago - other.ago);
}
