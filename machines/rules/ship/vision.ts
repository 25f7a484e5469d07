/**
 * Vision: which places a player sees from where they are.
 *
 * It goes by the option of the lobby for their role, ends at shut doors, and is next to nothing in the dark. When a
 * round is resolved, who saw what is worked out in `sight.ts`.
 */
import { type Colour, HALLWAYS, type Place } from '../../types.ts';
import { neighbours } from './map.ts';
import { type Body, roleOf, shutRooms, type World } from './world.ts';

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

/** Whether a player who is there sees what is there. */
export function isLit(world: World, seat: Colour, place: Place): boolean {
  return isHallway(place) || reach(world, seat) >= 0;
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

/** The bodies that a player is aware of: in the dark one still stumbles over what lies where one stands. */
export function bodiesInView(world: World, seat: Colour): readonly Body[] {
  const own = world.players[seat]?.place;
  if (own === undefined || world.bodies.length === 0) return NO_BODIES;
  const view = inView(world, seat, own);
  return world.bodies.filter(({ place }) => place === own || view.includes(place));
}

export function isHallway(place: Place): boolean {
  return HALLS.includes(place);
}

const NO_BODIES: readonly Body[] = [];
const NOWHERE: readonly Place[] = [];
const HALLS: readonly Place[] = HALLWAYS;
