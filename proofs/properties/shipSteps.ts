/** The vocabulary for properties of the ship: the events and worlds of a step. */
import type { MachineStep, Property } from 'glass-box-checker';
import type { RoundEvent, RoundEventType } from '../../machines/rules/ship/draft.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { World } from '../../machines/rules/ship/world.ts';
import { COLOURS, type Colour, type Place } from '../../machines/types.ts';
import { rememberLast } from '../models/rememberLast.ts';
import type { ShipEvent } from '../models/ship.ts';
import { ofEach, readFacts } from './property.ts';

export type ShipTransition = MachineStep<GameCourse, ShipEvent>;
export type ShipProperty = Property<GameCourse, ShipEvent>;

export const roundEvents = rememberLast(({ effects }: ShipTransition): readonly RoundEvent[] =>
  readFacts<GameFact>(effects).flatMap((fact) => (fact.type === 'round.closed' ? fact.events : [])),
);

export function eventsOf<T extends RoundEventType>(transition: ShipTransition, type: T) {
  return roundEvents(transition).filter(
    (event): event is Extract<RoundEvent, { type: T }> => event.type === type,
  );
}

export function byWorlds(
  holds: (before: World, after: World, transition: ShipTransition) => boolean,
) {
  return (transition: ShipTransition) => holds(...worldsOf(transition), transition);
}

/** The fields of a property of every event of a type, from it and the worlds around it. */
export function ofEvents<T extends RoundEventType>(
  type: T,
  holds: (event: Extract<RoundEvent, { type: T }>, before: World, after: World) => boolean,
) {
  return ofEach(
    (transition: ShipTransition) => eventsOf(transition, type),
    (event, transition) => holds(event, ...worldsOf(transition)),
  );
}

export const hasEvent = (type: RoundEventType) => (transition: ShipTransition) =>
  roundEvents(transition).some((event) => event.type === type);
export const isRound = ({ event }: ShipTransition) => event.type === 'orders.gathered';
export const isMeetingOver = ({ event }: ShipTransition) =>
  event.type === 'xstate.done.actor.meetingSession';
export const isCalled = (transition: ShipTransition) =>
  isRound(transition) && transition.after.at === 'meeting';

export function worldsOf({ before, after }: ShipTransition): readonly [World, World] {
  return [before.context.world, after.context.world];
}

export function isImpostor({ ship }: World, seat: Colour): boolean {
  return ship.seats.some(({ colour, role }) => colour === seat && role === 'impostor');
}

export function countLiving(
  { standings }: World,
  isOf: (seat: Colour) => boolean = () => true,
): number {
  return COLOURS.filter((seat) => standings[seat] === 'living' && isOf(seat)).length;
}

export function placeIn({ players }: World, seat: Colour): Place | undefined {
  return players[seat]?.place;
}

/** The length of a round. */
export const SECONDS = 2.5;

/** The number of rounds left of a duration, at the end of its first round. */
export const roundsLeft = (seconds: number) => Math.ceil(seconds / SECONDS) - 1;

export function countWork({ ship, standings, players }: World) {
  let open = 0;
  let all = 0;
  let done = 0;
  for (const { colour, role } of ship.seats) {
    if (role === 'impostor') continue;
    const standing = standings[colour];
    const works = standing === 'living' || (standing === 'dead' && ship.options.ghostsDoTasks);
    for (const [index, { steps }] of (ship.tasks[colour] ?? []).entries()) {
      const own = players[colour]?.progress[index]?.steps ?? 0;
      all += works ? steps.length : own;
      open += works ? steps.length - own : 0;
      done += own;
    }
  }
  return { open, all, done };
}
