/** The vocabulary for properties of the ship: the events and worlds of a step. */
import type { MachineStep, Property } from 'glass-box-checker';
import type { RoundEvent, RoundEventType } from '../../machines/rules/ship/draft.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { World } from '../../machines/rules/ship/world.ts';
import { COLOURS, type Colour, type Place, type Room } from '../../machines/types.ts';
import { rememberLast } from '../models/rememberLast.ts';
import type { ShipEvent } from '../models/ship.ts';
import { readFacts } from './property.ts';

export type ShipTransition = MachineStep<GameCourse, ShipEvent>;
export type ShipProperty = Property<GameCourse, ShipEvent>;

export const roundOf = rememberLast(({ effects }: ShipTransition) => {
  const [told] = readFacts<GameFact>(effects);
  return told?.type === 'round.closed' ? told : null;
});

export const roundEvents = (transition: ShipTransition) => roundOf(transition)?.events ?? [];

type EventOf<T extends RoundEventType> = Extract<RoundEvent, { type: T }>;

export function eventsOf<T extends RoundEventType>(transition: ShipTransition, type: T) {
  return roundEvents(transition).filter((event): event is EventOf<T> => event.type === type);
}

export function listOf<T extends RoundEventType, F extends keyof EventOf<T>>(
  transition: ShipTransition,
  type: T,
  field: F,
): readonly EventOf<T>[F][] {
  return eventsOf(transition, type).map((event) => event[field]);
}

/** A secret deed, and who did it, or null for another event. */
export function deedIn(event: RoundEvent) {
  switch (event.type) {
    case 'player.killed':
      return { by: event.by, deed: { type: 'kill', victim: event.victim, place: event.place } };
    case 'vent.used':
      return { by: event.seat, deed: { type: 'vent', how: event.how, place: event.place } };
    case 'sabotage.begun':
      return { by: event.by, deed: { type: 'sabotage', system: event.system } };
    case 'doors.shut':
      return { by: event.by, deed: { type: 'shut', room: event.room } };
    default:
      return null;
  }
}

export function shutIn({ doors }: World): readonly Room[] {
  return doors.filter(({ shut }) => shut > 0).map(({ room }) => room);
}

/** The rooms whose doors are shut during a round. */
export function shutRooms(transition: ShipTransition): readonly Room[] {
  return [...shutIn(transition.before.context.world), ...listOf(transition, 'doors.shut', 'room')];
}

/** The places next to this one, unless a shut door is between them. */
export function openWays(world: World, from: Place): readonly Place[] {
  const shut: readonly Place[] = shutIn(world);
  const { [from]: ways = [] } = world.ship.map.openings;
  return shut.includes(from) ? [] : ways.filter((to) => !shut.includes(to));
}

export function byWorlds(
  holds: (before: World, after: World, transition: ShipTransition) => boolean | string,
) {
  return (transition: ShipTransition) => holds(...worldsOf(transition), transition);
}

export const hasEvent = (type: RoundEventType) => (transition: ShipTransition) =>
  roundEvents(transition).some((event) => event.type === type);
export const isRound = ({ event }: ShipTransition) => event.type === 'orders.gathered';
export const isMeetingOver = ({ event }: ShipTransition) =>
  event.type === 'xstate.done.actor.meetingSession';
export function worldsOf({ before, after }: ShipTransition): readonly [World, World] {
  return [before.context.world, after.context.world];
}

export function isImpostor({ ship }: World, seat: Colour): boolean {
  return ship.seats.some(({ colour, role }) => colour === seat && role === 'impostor');
}

export const isLiving = ({ standings }: World, seat: Colour) => standings[seat] === 'living';

export const isFree = (world: World, seat: Colour) =>
  isLiving(world, seat) && world.players[seat]?.vent === null;

/** Whether a player lives or works as a ghost. */
export function canAct({ standings, ship }: World, seat: Colour): boolean {
  const standing = standings[seat];
  return standing === 'living' || (standing === 'dead' && ship.options.ghostsDoTasks);
}

export function isClosable({ doors }: World, room: Place): boolean {
  return doors.every((door) => door.room !== room || door.wait === 0);
}

export const listLiving = (world: World) => COLOURS.filter((seat) => isLiving(world, seat));

export function placeIn({ players }: World, seat: Colour): Place | undefined {
  return players[seat]?.place;
}

/** The next step of a player's task: its number, and its place unless all are done. */
export function stepOf({ ship, players }: World, seat: Colour, task: string) {
  const index = (ship.tasks[seat] ?? []).findIndex(({ id }) => id === task);
  const { steps: done = 0, worked = 0 } = players[seat]?.progress[index] ?? {};
  return { index, done, worked, place: ship.tasks[seat]?.[index]?.steps[done]?.place };
}

/** The length of a round. */
export const SECONDS = 2.5;

/** The number of rounds left of a duration, at the end of its first round. */
export const roundsLeft = (seconds: number) => fullClock(seconds) - 1;

export const fullClock = (seconds: number) => Math.ceil(seconds / SECONDS);

export function countWork(world: World) {
  const { ship, players } = world;
  let [open, all, done] = [0, 0, 0];
  for (const { colour, role } of ship.seats) {
    if (role === 'impostor') continue;
    const works = canAct(world, colour);
    for (const [index, { steps }] of (ship.tasks[colour] ?? []).entries()) {
      const own = players[colour]?.progress[index]?.steps ?? 0;
      all += works ? steps.length : own;
      open += works ? steps.length - own : 0;
      done += own;
    }
  }
  return { open, all, done };
}
