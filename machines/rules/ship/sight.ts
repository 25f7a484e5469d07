/**
 * Sight: who saw whom in a round, and where, and doing what.
 *
 * Two who are in sight of each other at a beat, or pass each other between two, have seen each other. Kills are seen
 * where they were done, before anybody moved. Cameras add the places that they show to what is in view. What is
 * written down is what anybody could testify.
 */
import type { Colour, Deed, Place } from '../../types.ts';
import { type Beat, beatsOf, deedAt, eyesAt, placeAt } from './beats.ts';
import type { Draft } from './draft.ts';
import { neighbours } from './map.ts';
import { inView, isHallway, isLit, reach } from './vision.ts';
import { isLiving, livingIn, shutRooms } from './world.ts';

/** One thing that was seen in a round. */
export type Sight = { readonly who: Colour; readonly place: Place; readonly did: Deed };

/** What each of the living saw in the round that was played out on a draft, before its clocks run on. */
export function sights(draft: Draft): Readonly<Partial<Record<Colour, readonly Sight[]>>> {
  const seen: Partial<Record<Colour, readonly Sight[]>> = {};
  const beats = beatsOf(draft);
  const walkers = livingIn(draft.world);
  const hasKill = draft.events.some(({ type }) => type === 'player.killed');
  for (const seat of walkers) {
    const found = new Sights();
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
class Sights {
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
  const view = inView(draft.world, seat, own);
  return { moment, own, earlier, view: screens.length === 0 ? view : [...view, ...screens] };
}

function seeOneself(draft: Draft, seat: Colour, moment: Beat, found: Sights): void {
  const place = placeAt(draft, seat, moment);
  if (place !== null) found.add(seat, place, deedAt(draft, seat, moment));
}

type Looking = Glance & { readonly found: Sights };

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
  if (intent?.type !== 'follow' || intent.whom !== who || reach(world, seat) < 0) return false;
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
function seeKills(draft: Draft, seat: Colour, screens: readonly Place[], found: Sights): void {
  const own = draft.before.players[seat]?.place;
  if (own === undefined) return;
  const view = inView(draft.before, seat, own);
  for (const event of draft.events) {
    if (event.type !== 'player.killed') continue;
    const isSeen = view.includes(event.place) || screens.includes(event.place);
    // Whoever did it knows, however long the arm.
    if (!isSeen && event.by !== seat) continue;
    found.add(event.by, event.place, 'kill');
    found.add(event.victim, event.place, 'dead');
  }
}

function seeBodies({ world }: Draft, { own, view }: Glance, found: Sights): void {
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
