/** Properties of what players are shown and see: the scene of each request, and the sights of each round. */
import type { State } from 'glass-box-checker';
import { OUTGOING } from '../../machines/outgoing.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { Sight } from '../../machines/rules/ship/sight.ts';
import type { ShipScene } from '../../machines/rules/ship/views.ts';
import type { World } from '../../machines/rules/ship/world.ts';
import { type Colour, HALLWAYS, type Place } from '../../machines/types.ts';
import { isSame, readFacts } from './property.ts';
import {
  countWork,
  eventsOf,
  isClosable,
  isImpostor,
  isLiving,
  isRound,
  placeIn,
  SECONDS,
  type ShipProperty,
  type ShipTransition,
  shutRooms,
  worldsOf,
} from './shipSteps.ts';

const NEAR = 1.25;

const isHall = (place: Place) => HALLWAYS.some((hall) => hall === place);
const isDark = (world: World, seat: Colour) =>
  world.crisis?.system === 'lights' && !isImpostor(world, seat);

/** The places in view: in the dark only one's own hallway, else one's own place and with good vision the next ones. */
function viewOf(world: World, seat: Colour, from: Place): readonly Place[] {
  const { map, options } = world.ship;
  if (isDark(world, seat)) return isHall(from) ? [from] : [];
  const vision = isImpostor(world, seat) ? options.impostorVision : options.crewVision;
  const isShut = (place: Place) => world.doors.some(({ room, shut }) => room === place && shut > 0);
  const next = vision < NEAR || isShut(from) ? [] : (map.openings[from] ?? []);
  return [from, ...next.filter((place) => !isShut(place))];
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
  const isLit = isHall(place) || !isDark(world, seat);
  return {
    why: world.asks[seat] ?? [],
    ...{ place, vent, intent },
    here: others.filter((one) => view.includes(one.place)),
    company: others.filter((one) => isLit && one.place === place).map(({ who }) => who),
    bodies: world.bodies.filter(
      (body) => isAlive && (body.place === place || view.includes(body.place)),
    ),
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
    cameraLight: false,
    seats: known,
  };
}

/** The small ship has no cameras. */
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
      const isTold = message.truth !== null;
      return isSame(
        [message.scene, message.round, message.shown, isTold],
        [sceneOf(world, seat, known), round, shown, world.standings[seat] === 'dead'],
      );
    });
  },
};

/** The world of the sights of a round: as it is after it, with doors as they were during it. */
function worldDuring(transition: ShipTransition): World {
  const doors = shutRooms(transition).map((room) => ({ room, shut: 1, wait: 0 }));
  return { ...worldsOf(transition)[1], doors };
}

/** What a player may see in a round. */
function sightsOf(transition: ShipTransition, world: World, seat: Colour) {
  const [start] = worldsOf(transition);
  const [from, own] = [placeIn(start, seat), placeIn(world, seat)];
  if (from === undefined || own === undefined) return null;
  const earlier = viewOf(start, seat, from);
  /** The kills that the player has seen or done. */
  const witnessed = eventsOf(transition, 'player.killed').filter(
    ({ by, place }) => by === seat || earlier.includes(place),
  );
  return { transition, world, seat, own, witnessed, view: viewOf(world, seat, own) };
}

function isTrueSight(
  { transition, world, seat, own, view, witnessed }: NonNullable<ReturnType<typeof sightsOf>>,
  { who, place, did }: Sight,
): boolean {
  const isInView = view.includes(place);
  switch (did) {
    case 'dead': {
      const isLying = world.bodies.some((body) => body.victim === who && body.place === place);
      const hasSeen = witnessed.some((kill) => kill.victim === who && kill.place === place);
      return hasSeen || (isLying && (isInView || place === own));
    }
    case 'kill':
      return witnessed.some((kill) => kill.by === who && kill.place === place);
    case 'vent': {
      const vents = eventsOf(transition, 'vent.used').filter(({ how }) => how !== 'through');
      return isInView && vents.some((vent) => vent.seat === who && vent.place === place);
    }
    default: {
      const start = placeIn(transition.before.context.world, who);
      if (!isLiving(world, who) || world.players[who]?.vent !== null) return false;
      if (who === seat) return place === own;
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
    const [told] = readFacts<GameFact>(transition.effects);
    if (told?.type !== 'round.closed') return false;
    return world.ship.seats.every(({ colour: seat }) => {
      const seen: readonly Sight[] = told.seen[seat] ?? [];
      if (!isLiving(world, seat)) return seen.length === 0;
      const sights = sightsOf(transition, world, seat);
      if (sights === null) return false;
      const { own, view, witnessed } = sights;
      const expected = [
        ...witnessed.flatMap(({ by, victim, place }) =>
          [by, victim].map((who) => ({ who, place })),
        ),
        ...crowdOf(world).filter(({ place }) => view.includes(place)),
        ...world.bodies
          .filter(({ place }) => place === own || view.includes(place))
          .map(({ victim, place }) => ({ who: victim, place })),
      ];
      return (
        new Set(seen.map((one) => JSON.stringify(one))).size === seen.length &&
        seen.every((sight) => isTrueSight(sights, sight)) &&
        expected.every(({ who, place }) =>
          seen.some((one) => one.who === who && one.place === place),
        )
      );
    });
  },
};
