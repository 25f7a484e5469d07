/** Properties of what players are shown and see: the scene of each request, and the sights of each round. */
import type { State } from 'glass-box-checker';
import { OUTGOING } from '../../machines/outgoing.ts';
import type { GameCourse } from '../../machines/rules/ship/game.ts';
import type { Sight } from '../../machines/rules/ship/sight.ts';
import type { ShipScene } from '../../machines/rules/ship/views.ts';
import type { World } from '../../machines/rules/ship/world.ts';
import { type Colour, type Deed, HALLWAYS, type Place } from '../../machines/types.ts';
import { isSame } from './property.ts';
import { truthOf } from './shipNews.ts';
import {
  countWork,
  eventsOf,
  isClosable,
  isFree,
  isImpostor,
  isLiving,
  isRound,
  listLiving,
  openWays,
  placeIn,
  roundOf,
  SECONDS,
  type ShipProperty,
  type ShipTransition,
  shutIn,
  shutRooms,
  worldsOf,
} from './shipSteps.ts';

const [NEAR, FAR] = [1.25, 2.5];

const isHall = (place: Place) => HALLWAYS.some((hall) => hall === place);
const isDark = (world: World, seat: Colour) =>
  world.crisis?.system === 'lights' && !isImpostor(world, seat);

/** The places in view: in the dark only one's own hallway, else one's own place and with good vision the next ones. */
function viewOf(world: World, seat: Colour, from: Place): readonly Place[] {
  const { options } = world.ship;
  if (isDark(world, seat)) return isHall(from) ? [from] : [];
  const vision = isImpostor(world, seat) ? options.impostorVision : options.crewVision;
  const nextTo = (place: Place) => openWays(world, place);
  const near = vision < NEAR ? [] : nextTo(from);
  return [...new Set([from, ...near, ...(vision < FAR ? [] : near.flatMap(nextTo))])];
}

export function bodiesSeen(world: World, seat: Colour) {
  const own = placeIn(world, seat);
  const view = own === undefined ? [] : viewOf(world, seat, own);
  return world.bodies.filter(({ place }) => place === own || view.includes(place));
}

/** Who else is in the player's own place, if it is not dark there. */
export function companyOf(world: World, seat: Colour): readonly Colour[] {
  const own = placeIn(world, seat);
  if (own === undefined || (isDark(world, seat) && !isHall(own))) return [];
  return crowdOf(world).flatMap(({ who, place }) => (who !== seat && place === own ? who : []));
}

/** Where a followed player is: here, or a step ahead and not behind a shut door or in the dark. Null if they are lost. */
export function placeFollowed(world: World, seat: Colour, whom: Colour): Place | null {
  const [own, place] = [placeIn(world, seat), placeIn(world, whom)];
  if (own === undefined || place === undefined || !isFree(world, whom)) return null;
  if (isDark(world, seat) && !isHall(own)) return null;
  return own === place || openWays(world, own).includes(place) ? place : null;
}

export function sightsIn(transition: ShipTransition, seat: Colour): readonly Sight[] {
  return roundOf(transition)?.seen[seat] ?? [];
}

/** The living outside vents, in the order of the seats. */
function crowdOf(world: World) {
  return world.ship.seats.flatMap(({ colour: who }) => {
    const place = placeIn(world, who);
    return place !== undefined && isFree(world, who) ? [{ who, place }] : [];
  });
}

/** Steps done of the whole crew. Unfinished tasks of the dead stay in the bar until a meeting makes the death known. */
export function barOf(world: World, known: readonly Colour[]): ShipScene['bar'] {
  const { taskBar } = world.ship.options;
  if (taskBar === 'never' || world.crisis?.system === 'comms') return null;
  const missed = known.filter((seat) => world.standings[seat] === 'dead');
  const believed = Object.fromEntries(missed.map((seat) => [seat, 'living'] as const));
  const { done, all } = countWork({ ...world, standings: { ...world.standings, ...believed } });
  return { done: taskBar === 'meetings' ? world.barShown : done, all };
}

function headsOf(world: World, seat: Colour): ShipScene['heads'] {
  const { place, intent = null } = world.players[seat] ?? {};
  const isReading = intent === null || (intent.type === 'watch' && intent.what === 'admin');
  const isThere = place === world.ship.map.adminTable && isFree(world, seat);
  if (!isThere || !isReading || world.crisis?.system === 'comms') return null;
  const heads = [...crowdOf(world), ...world.bodies].filter((one) => !isHall(one.place));
  const groups = Map.groupBy(heads, (one) => one.place);
  return Object.fromEntries([...groups].map(([at, { length }]) => [at, length]));
}

function sceneOf(world: World, seat: Colour, known: readonly Colour[]): ShipScene | null {
  const player = world.players[seat];
  if (player === undefined) return null;
  const { ship, crisis } = world;
  const { place, vent, intent, killWait, buttons, progress } = player;
  const isAlive = isLiving(world, seat);
  const isEvil = isImpostor(world, seat);
  const view = viewOf(world, seat, place);
  const others = isAlive ? crowdOf(world).filter(({ who }) => who !== seat) : [];
  return {
    why: world.asks[seat] ?? [],
    ...{ place, vent, intent },
    here: others.filter((one) => view.includes(one.place)),
    company: isAlive ? companyOf(world, seat) : [],
    bodies: isAlive ? bodiesSeen(world, seat) : [],
    tasks: (ship.tasks[seat] ?? []).map(({ id, name, kind, visual, steps }, index) => {
      const { steps: done = 0, worked = 0 } = progress[index] ?? {};
      const next = steps[done];
      const rounds = next === undefined ? 0 : next.rounds - worked;
      const work = { next: next?.place ?? null, rounds, steps: done, of: steps.length };
      return { id, name, kind, visual, ...work };
    }),
    killWait: isEvil ? killWait * SECONDS : null,
    sabotageWait: isEvil ? world.sabotageWait * SECONDS : null,
    buttons,
    buttonWait: world.buttonWait * SECONDS,
    crisis: crisis && {
      system: crisis.system,
      seconds: crisis.left === null ? null : crisis.left * SECONDS,
      consoles: ship.map.consoles[crisis.system],
      done: crisis.done,
    },
    shut: shutIn(world),
    closable: isEvil ? ship.map.doors.filter((room) => isClosable(world, room)) : null,
    bar: barOf(world, known),
    heads: headsOf(world, seat),
    cameraLight: isAlive && isFilmed(world, place),
    seats: known,
  };
}

/** Whether somebody who has not just come watches the camera of this place. */
function isFilmed(world: World, from: Place): boolean {
  const { cameras } = world.ship.map;
  if (!cameras?.show.includes(from) || world.crisis?.system === 'comms') return false;
  return crowdOf(world).some(({ who, place }) => {
    const { moved, intent = null } = world.players[who] ?? {};
    const isWatching = intent?.type === 'watch' && intent.what === 'cameras';
    return place === cameras.at && !moved && isWatching;
  });
}

export const scenesProperty: ShipProperty = {
  name: 'scenes-are-true',
  sentence:
    'Each request shows the player’s own state and what is in view: others, bodies, tasks, clocks, doors, the bar and the Admin table. The dead see no one but get the whole truth, and the living do not.',
  kind: 'always',
  holds: ({ at, context }: State<GameCourse>) => {
    if (at !== 'round.opening') return true;
    const { known, round, record } = context;
    const { map, options, meeting, seats } = context.world.ship;
    const asks = Object.fromEntries(
      seats.map(({ colour }) => [colour, context.world.asks[colour] ?? []]),
    );
    const world = { ...context.world, asks };
    const shown = { rules: meeting.rules, map, options, record };
    return OUTGOING.game.requestOrders({ ...context, world }).every(({ to, message }) => {
      if (message.type !== 'order.requested') return true;
      const seat = seats.find(({ colour }) => to === `player:${colour}`)?.colour;
      if (seat === undefined) return false;
      const { standings } = world;
      const told = seats.map((one) => ({ ...one, standing: standings[one.colour] }));
      const isDead = standings[seat] === 'dead';
      const truth = isDead ? { seats: told, world: truthOf({ ...context, world }) } : null;
      return isSame(
        [message.scene, message.round, message.shown, message.truth],
        [sceneOf(world, seat, known), round, shown, truth],
      );
    });
  },
};

/** Null if the player follows no one in this round. */
function followedBy({ event, before }: ShipTransition, seat: Colour): Colour | null {
  const { world } = before.context;
  if (event.type !== 'orders.gathered' || !isFree(world, seat)) return null;
  const order = event.orders.find((one) => one.seat === seat);
  if (order?.type === 'fault') return null;
  const intent = order?.decision.intent ?? world.players[seat]?.intent;
  return intent?.type === 'follow' ? intent.whom : null;
}

/** Where a player is and looks from at a beat. No place is seen from outside a vent. */
type Beat = { readonly eye: Place; readonly place: Place | null; readonly deed: Deed };
type Walk = { readonly who: Colour; readonly beats: readonly Beat[] };

/** The living from the beginning of the round, beat by beat. Steps are spread evenly, and a vent is left at the last. */
function tracksOf(transition: ShipTransition): readonly Walk[] {
  const [before, after] = worldsOf(transition);
  const { paths = {}, deeds = {} } = roundOf(transition) ?? {};
  const living = listLiving(after);
  const last = Math.max(1, ...living.map((who) => paths[who]?.length ?? 0));
  return living.flatMap((who) => {
    const { [who]: was } = before.players;
    const { [who]: is } = after.players;
    if (was === undefined || is === undefined) return [];
    const { [who]: path = [] } = paths;
    const isWalking = path.length > 0;
    const beats = Array.from({ length: last + 1 }, (_, beat): Beat => {
      const steps = Math.ceil((beat * path.length) / last);
      const eye = beat > 0 && !isWalking ? is.place : (path[steps - 1] ?? was.place);
      const isInside = (beat > 0 && is.vent !== null) || (beat < last && was.vent !== null);
      const deed = isWalking && beat < last ? 'passing' : (deeds[who] ?? 'lurking');
      return { eye, place: isInside ? null : eye, deed };
    });
    return [{ who, beats }];
  });
}

type Onlooker = {
  readonly world: World;
  readonly own: Walk;
  readonly view: readonly Place[];
  readonly follows: Colour | null;
};

/** What a player sees of another who is in view, followed, passed on the way, or just leaving. */
function glimpse(
  { world, own, view, follows }: Onlooker,
  { who, beats }: Walk,
  at: number,
): readonly Sight[] {
  const { [at]: now, [at - 1]: then } = own.beats;
  const { [at]: other, [at - 1]: earlier } = beats;
  if (now === undefined || then === undefined || !other?.place) return [];
  const { place, deed } = other;
  const isInLight = !isDark(world, own.who);
  const isFollowed = follows === who && isInLight && openWays(world, now.eye).includes(place);
  if (view.includes(place) || isFollowed) return [{ who, place, did: deed }];
  const hasStayed = now.eye === then.eye;
  if (earlier?.place !== now.eye || !(hasStayed || place === then.eye)) return [];
  const midway = isHall(now.eye) ? now.eye : then.eye;
  if (!isInLight && !isHall(midway)) return [];
  return [{ who, place: hasStayed ? place : midway, did: 'passing' }];
}

/** All that a living player sees in a round, in order, and often more than once. */
function glimpses(transition: ShipTransition, tracks: readonly Walk[], own: Walk) {
  const [start] = worldsOf(transition);
  const world = worldDuring(transition);
  const { who: seat, beats } = own;
  const [first] = beats;
  const { at: desk = null, show = [] } = world.ship.map.cameras ?? {};
  const isWatching = roundOf(transition)?.deeds[seat] === 'watching';
  const screens = isWatching && placeIn(world, seat) === desk ? show : [];
  const earlier = first === undefined ? [] : [...viewOf(start, seat, first.eye), ...screens];
  const kills = eventsOf(transition, 'player.killed')
    .filter(({ by, place }) => by === seat || earlier.includes(place))
    .flatMap(({ by, victim, place }): readonly Sight[] => [
      { who: by, place, did: 'kill' },
      { who: victim, place, did: 'dead' },
    ]);
  const follows = followedBy(transition, seat);
  const vents = eventsOf(transition, 'vent.used').filter((vent) => vent.seat !== seat);
  const later = beats.flatMap(({ eye, place, deed }, at): readonly Sight[] => {
    if (at === 0) return [];
    const view = [...viewOf(world, seat, eye), ...screens];
    const isNow = { in: at === 1, through: false, out: at === beats.length - 1 };
    return [
      ...vents
        .filter((vent) => isNow[vent.how] && view.includes(vent.place))
        .map((vent): Sight => ({ who: vent.seat, place: vent.place, did: 'vent' })),
      ...tracks.flatMap((other): readonly Sight[] => {
        if (other !== own) return glimpse({ world, own, view, follows }, other, at);
        return place === null ? [] : [{ who: seat, place, did: deed }];
      }),
      ...world.bodies
        .filter((body) => body.place === eye || view.includes(body.place))
        .map((body): Sight => ({ who: body.victim, place: body.place, did: 'dead' })),
    ];
  });
  return [...kills, ...later];
}

const GRAVE: readonly Deed[] = ['kill', 'vent', 'dead'];

/** Of one player in one place: kills, vents and bodies, or else the last deed. */
function keepSights(all: readonly Sight[]): readonly string[] {
  const kept = new Map<string, Set<string>>();
  for (const { who, place, did } of all) {
    const key = `${who} ${place} `;
    const known = [...(kept.get(key) ?? [])].filter((one) => GRAVE.some((grave) => grave === one));
    const isKept = known.length === 0 || GRAVE.includes(did);
    kept.set(key, new Set(isKept ? [...known, did] : known));
  }
  return [...kept].flatMap(([key, deeds]) => [...deeds].map((did) => key + did));
}

export const sightsProperty: ShipProperty = {
  name: 'sights-are-true',
  sentence:
    'Only the living see: whoever is in view at a beat of the round, passes them or is followed, kills and bodies in view, and no one in a vent or the dark. Every sight names a true place and deed, once.',
  kind: 'step',
  when: isRound,
  holds: (transition) => {
    const told = roundOf(transition);
    if (told === null) return false;
    const tracks = tracksOf(transition);
    return transition.after.context.world.ship.seats.every(({ colour: seat }) => {
      const seen = (told.seen[seat] ?? []).map(({ who, place, did }) => `${who} ${place} ${did}`);
      const own = tracks.find(({ who }) => who === seat);
      const expected = own === undefined ? [] : keepSights(glimpses(transition, tracks, own));
      return isSame(seen.toSorted(), expected.toSorted());
    });
  },
};

/** The world of the sights of a round: as it is after it, with doors as they were during it. */
export function worldDuring(transition: ShipTransition): World {
  const doors = shutRooms(transition).map((room) => ({ room, shut: 1, wait: 0 }));
  return { ...worldsOf(transition)[1], doors };
}
