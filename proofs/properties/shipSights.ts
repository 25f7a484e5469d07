/** Properties of what players are shown and see: the scene of each request, and the sights of each round. */
import type { State } from 'glass-box-checker';
import { OUTGOING } from '../../machines/outgoing.ts';
import type { GameCourse } from '../../machines/rules/ship/game.ts';
import type { Sight } from '../../machines/rules/ship/sight.ts';
import type { ShipScene } from '../../machines/rules/ship/views.ts';
import type { World } from '../../machines/rules/ship/world.ts';
import { type Colour, HALLWAYS, type Place } from '../../machines/types.ts';
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
  placeIn,
  roundOf,
  SECONDS,
  type ShipProperty,
  type ShipTransition,
  shutRooms,
  worldsOf,
} from './shipSteps.ts';

const [NEAR, FAR] = [1.25, 2.5];

const isHall = (place: Place) => HALLWAYS.some((hall) => hall === place);
const isDark = (world: World, seat: Colour) =>
  world.crisis?.system === 'lights' && !isImpostor(world, seat);

/** The places in view: in the dark only one's own hallway, else one's own place and with good vision the next ones. */
function viewOf(world: World, seat: Colour, from: Place): readonly Place[] {
  const { map, options } = world.ship;
  if (isDark(world, seat)) return isHall(from) ? [from] : [];
  const vision = isImpostor(world, seat) ? options.impostorVision : options.crewVision;
  const isOpen = (place: Place) =>
    world.doors.every(({ room, shut }) => room !== place || shut === 0);
  const nextTo = (place: Place) =>
    isOpen(place) ? (map.openings[place] ?? []).filter(isOpen) : [];
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
  if (own === place) return own;
  const isShut = world.doors.some(({ room, shut }) => shut > 0 && (room === own || room === place));
  return !isShut && world.ship.map.openings[own]?.includes(place) === true ? place : null;
}

export function sightsIn(transition: ShipTransition, seat: Colour): readonly Sight[] {
  return roundOf(transition)?.seen[seat] ?? [];
}

/** The living outside vents, in the order of the seats. */
function crowdOf({ ship, standings, players }: World) {
  return ship.seats.flatMap(({ colour: who }) => {
    const player = players[who];
    if (player === undefined || player.vent !== null || standings[who] !== 'living') return [];
    return [{ who, place: player.place }];
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
  const { place, vent, intent = null } = world.players[seat] ?? {};
  const isReading = intent === null || (intent.type === 'watch' && intent.what === 'admin');
  const isThere = place === world.ship.map.adminTable && vent === null && isLiving(world, seat);
  if (!isThere || !isReading || world.crisis?.system === 'comms') return null;
  const heads: Partial<Record<Place, number>> = {};
  for (const one of [...crowdOf(world), ...world.bodies]) {
    if (!isHall(one.place)) heads[one.place] = (heads[one.place] ?? 0) + 1;
  }
  return heads;
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
    shut: world.doors.flatMap(({ room, shut }) => (shut > 0 ? [room] : [])),
    closable: isEvil ? ship.map.doors.filter((room) => isClosable(world, room)) : null,
    bar: barOf(world, known),
    heads: headsOf(world, seat),
    cameraLight: isAlive && isFilmed(world, place),
    seats: known,
  };
}

/** Whether somebody who has not just come watches the camera of this place. */
function isFilmed({ ship, crisis, players, standings }: World, from: Place): boolean {
  const { cameras } = ship.map;
  if (!cameras?.show.includes(from) || crisis?.system === 'comms') return false;
  return ship.seats.some(({ colour }) => {
    const { place, vent, moved, intent = null } = players[colour] ?? {};
    const isThere = standings[colour] === 'living' && place === cameras.at && vent === null;
    return isThere && !moved && intent?.type === 'watch' && intent.what === 'cameras';
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

/** The world of the sights of a round: as it is after it, with doors as they were during it. */
export function worldDuring(transition: ShipTransition): World {
  const doors = shutRooms(transition).map((room) => ({ room, shut: 1, wait: 0 }));
  return { ...worldsOf(transition)[1], doors };
}

function followedBy({ event, before }: ShipTransition, seat: Colour): Colour | null {
  if (event.type !== 'orders.gathered') return null;
  const order = event.orders.find((one) => one.seat === seat);
  const known = before.context.world.players[seat]?.intent ?? null;
  const intent = order?.type === 'order' ? (order.decision.intent ?? known) : null;
  return intent?.type === 'follow' ? intent.whom : null;
}

function sightsOf(transition: ShipTransition, world: World, seat: Colour) {
  const [start] = worldsOf(transition);
  const [from, own] = [placeIn(start, seat), placeIn(world, seat)];
  if (from === undefined || own === undefined) return null;
  const { cameras } = world.ship.map;
  const deed = roundOf(transition)?.deeds[seat];
  const screens = deed === 'watching' && own === cameras?.at ? cameras.show : [];
  const follows = followedBy(transition, seat);
  const ahead = follows === null ? null : placeFollowed(world, seat, follows);
  const trailing = ahead === null ? [] : [{ who: follows, place: ahead }];
  const earlier = [...viewOf(start, seat, from), ...screens];
  const witnessed = eventsOf(transition, 'player.killed').filter(
    ({ by, place }) => by === seat || earlier.includes(place),
  );
  const view = [...viewOf(world, seat, own), ...screens];
  const vents = eventsOf(transition, 'vent.used').filter(
    ({ how, place }) => how !== 'through' && view.includes(place),
  );
  return { transition, world, seat, own, witnessed, trailing, view, vents };
}

function isTrueSight(
  sights: NonNullable<ReturnType<typeof sightsOf>>,
  { who, place, did }: Sight,
): boolean {
  const { transition, world, seat, own, view, vents, witnessed, trailing } = sights;
  const isInView = view.includes(place);
  switch (did) {
    case 'dead': {
      const isLying = world.bodies.some((body) => body.victim === who && body.place === place);
      const hasSeen = witnessed.some((kill) => kill.victim === who && kill.place === place);
      return hasSeen || (isLying && (isInView || place === own));
    }
    case 'kill':
      return witnessed.some((kill) => kill.by === who && kill.place === place);
    case 'vent':
      return vents.some((vent) => vent.seat === who && vent.place === place);
    default: {
      const start = placeIn(transition.before.context.world, who);
      if (!isLiving(world, who) || world.players[who]?.vent !== null) return false;
      if (who === seat) return place === own;
      if (trailing.some((one) => one.who === who && one.place === place)) return true;
      if (isInView) return placeIn(world, who) === place || start === place;
      const isLit = !isDark(world, seat) || isHall(own) || isHall(place);
      return did === 'passing' && start === own && isLit;
    }
  }
}

export const sightsProperty: ShipProperty = {
  name: 'sights-are-true',
  sentence:
    'Only the living see: whoever is in view at the end of a round, kills and bodies in view, and no one in a vent or the dark. Every sight names a true place and deed, once.',
  kind: 'step',
  when: isRound,
  holds: (transition) => {
    const world = worldDuring(transition);
    const told = roundOf(transition);
    if (told === null) return false;
    // Two steps pass more than the end of the round shows.
    if (Object.values(told.paths).some(({ length }) => length > 1)) return true;
    return world.ship.seats.every(({ colour: seat }) => {
      const seen: readonly Sight[] = told.seen[seat] ?? [];
      if (!isLiving(world, seat)) return seen.length === 0;
      const sights = sightsOf(transition, world, seat);
      if (sights === null) return false;
      const { own, view, vents, witnessed, trailing } = sights;
      const written = new Set(seen.map((one) => JSON.stringify(one)));
      const bodies = world.bodies.filter(({ place }) => place === own || view.includes(place));
      const deeds = [
        ...witnessed.map(({ by, place }) => ({ who: by, place, did: 'kill' })),
        ...[...witnessed, ...bodies].map(({ victim, place }) => {
          return { who: victim, place, did: 'dead' };
        }),
        ...vents.flatMap(({ seat: who, place }) =>
          who === seat ? [] : { who, place, did: 'vent' },
        ),
      ];
      const others = crowdOf(world).filter(({ place }) => view.includes(place));
      return (
        written.size === seen.length &&
        seen.every((sight) => isTrueSight(sights, sight)) &&
        deeds.every((deed) => written.has(JSON.stringify(deed))) &&
        [...others, ...trailing].every(({ who, place }) =>
          seen.some((one) => one.who === who && one.place === place),
        )
      );
    });
  },
};
