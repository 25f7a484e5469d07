/** Properties of what players are shown and see: the scene of each request, and the sights of each round. */
import type { State } from 'glass-box-checker';
import { OUTGOING } from '../../machines/outgoing.ts';
import type { RoundEvent } from '../../machines/rules/ship/draft.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { Sight } from '../../machines/rules/ship/sight.ts';
import type { ShipScene } from '../../machines/rules/ship/views.ts';
import type { World } from '../../machines/rules/ship/world.ts';
import { type Colour, HALLWAYS, type Place } from '../../machines/types.ts';
import { isSame, readFacts } from './property.ts';
import {
  countWork,
  eventsOf,
  isImpostor,
  isRound,
  placeIn,
  SECONDS,
  type ShipProperty,
  type ShipTransition,
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
    const isSeen = player !== undefined && player.vent === null && standings[who] === 'living';
    return isSeen ? [{ who, place: player.place }] : [];
  });
}

/** Steps done of the whole crew. Unfinished tasks of the dead stay in the bar until a meeting makes the death known. */
export function barOf(world: World, known: readonly Colour[]): ShipScene['bar'] {
  const { taskBar } = world.ship.options;
  if (taskBar === 'never' || world.crisis?.system === 'comms') return null;
  const believed = Object.entries(world.standings).map(([seat, standing]) => {
    const isMissed = standing === 'dead' && known.some((one) => one === seat);
    return [seat, isMissed ? 'living' : standing] as const;
  });
  const { done, all } = countWork({ ...world, standings: Object.fromEntries(believed) });
  return { done: taskBar === 'meetings' ? world.barShown : done, all };
}

function headsOf(world: World, seat: Colour): ShipScene['heads'] {
  const player = world.players[seat];
  const { intent = null } = player ?? {};
  const isReading = intent === null || (intent.type === 'watch' && intent.what === 'admin');
  const isThere = player?.place === world.ship.map.adminTable && player.vent === null && isReading;
  if (!isThere || world.standings[seat] !== 'living' || world.crisis?.system === 'comms')
    return null;
  const heads: Partial<Record<Place, number>> = {};
  for (const { place } of [...crowdOf(world), ...world.bodies]) {
    if (!isHall(place)) heads[place] = (heads[place] ?? 0) + 1;
  }
  return heads;
}

function sceneOf(world: World, seat: Colour, known: readonly Colour[]): ShipScene | null {
  const player = world.players[seat];
  if (player === undefined) return null;
  const { ship, crisis } = world;
  const { place, vent, intent, killWait, buttons, progress } = player;
  const isAlive = world.standings[seat] === 'living';
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
      const left = next === undefined ? 0 : next.rounds - worked;
      return {
        id,
        name,
        kind,
        visual,
        next: next?.place ?? null,
        rounds: left,
        steps: done,
        of: steps.length,
      };
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
    closable: isEvil
      ? ship.map.doors.filter((room) =>
          world.doors.every((door) => door.room !== room || door.wait === 0),
        )
      : null,
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
    const { world, known, round, record } = context;
    const { map, options, meeting } = world.ship;
    const asks = Object.fromEntries(
      world.ship.seats.map(({ colour }) => [colour, world.asks[colour] ?? []]),
    );
    const all = OUTGOING.game.requestOrders({ ...context, world: { ...world, asks } });
    return all.every(({ to, message }) => {
      if (message.type !== 'order.requested') return true;
      const seat = world.ship.seats.find(({ colour }) => to === `player:${colour}`)?.colour;
      if (seat === undefined) return false;
      const expected = sceneOf({ ...world, asks }, seat, known);
      return (
        isSame(message.scene, expected) &&
        isSame(
          [message.round, message.shown],
          [round, { rules: meeting.rules, map, options, record }],
        ) &&
        (message.truth !== null) === (world.standings[seat] === 'dead')
      );
    });
  },
};

/** The world of the sights of a round: as it is after it, with doors as they were during it. */
function worldDuring(transition: ShipTransition): World {
  const [before, after] = worldsOf(transition);
  const shut: readonly Place[] = [
    ...before.doors.flatMap((door) => (door.shut > 0 ? [door.room] : [])),
    ...eventsOf(transition, 'doors.shut').map((event) => event.room),
  ];
  const doors = before.ship.map.doors.map((room) => ({
    room,
    shut: Number(shut.includes(room)),
    wait: 0,
  }));
  return { ...after, doors };
}

type SightsOfSeat = {
  readonly transition: ShipTransition;
  /** During the sights. */
  readonly world: World;
  readonly seat: Colour;
  readonly own: Place;
  readonly view: readonly Place[];
  /** The kills that the player has seen or done. */
  readonly witnessed: readonly Extract<RoundEvent, { type: 'player.killed' }>[];
};

function isTrueSight(
  { transition, world, seat, own, view, witnessed }: SightsOfSeat,
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
      if (world.standings[who] !== 'living' || world.players[who]?.vent !== null) return false;
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
    'Only the living see: whoever is in view at the end of a round, kills and bodies in view, and no one in a vent or the dark. Every sight names a true place and deed.',
  kind: 'step',
  when: isRound,
  holds: (transition) => {
    const world = worldDuring(transition);
    const [start] = worldsOf(transition);
    const [told] = readFacts<GameFact>(transition.effects);
    if (told?.type !== 'round.closed') return false;
    return world.ship.seats.every(({ colour: seat }) => {
      const seen: readonly Sight[] = told.seen[seat] ?? [];
      const [from, own] = [placeIn(start, seat), placeIn(world, seat)];
      if (world.standings[seat] !== 'living') return seen.length === 0;
      if (from === undefined || own === undefined) return false;
      const view = viewOf(world, seat, own);
      const earlier = viewOf(start, seat, from);
      const witnessed = eventsOf(transition, 'player.killed').filter(
        ({ by, place }) => by === seat || earlier.includes(place),
      );
      const has = (who: Colour, place: Place) =>
        seen.some((one) => one.who === who && one.place === place);
      const there = crowdOf(world).filter(({ place }) => view.includes(place));
      const lying = world.bodies.filter(({ place }) => place === own || view.includes(place));
      const known = { transition, world, seat, own, view, witnessed };
      return (
        seen.every((sight) => isTrueSight(known, sight)) &&
        witnessed.every(({ by, victim, place }) => has(by, place) && has(victim, place)) &&
        there.every(({ who, place }) => has(who, place)) &&
        lying.every(({ victim, place }) => has(victim, place))
      );
    });
  },
};
