/**
 * The truth about the ship, which ghosts know (ruling 46): the places and tasks of all players, and the deeds that no
 * other living player may know. It holds no mind's thoughts.
 */
import { SECONDS_PER_ROUND } from '../options.ts';
import type { DatedDeed, SecretDeed, WorldTruth } from '../record.ts';
import { mapSeats } from '../seats.ts';
import type { RoundEvent } from './draft.ts';
import { isLiving, roleOf, type World } from './world.ts';

/** `meeting` is the number of the next meeting. */
export type ChronicleEntry = SecretDeed & { readonly round: number; readonly meeting: number };

export function chronicle(
  events: readonly RoundEvent[],
  round: number,
  meeting: number,
): readonly ChronicleEntry[] {
  return events.flatMap((event): readonly ChronicleEntry[] => {
    const deed = toDeed(event);
    return deed === null ? [] : [{ ...deed, round, meeting }];
  });
}

function toDeed(event: RoundEvent): SecretDeed | null {
  switch (event.type) {
    case 'player.killed':
      return { type: 'kill', by: event.by, victim: event.victim, place: event.place };
    case 'vent.used':
      return event.how === 'through'
        ? null
        : { type: 'vent', by: event.seat, how: event.how, place: event.place };
    case 'sabotage.begun':
      return { type: 'sabotage', by: event.by, system: event.system };
    default:
      return null;
  }
}

/** The truth at the call of that meeting. `calls` are the rounds of all calls, in order. */
export function toWorldTruth(
  world: World,
  entries: readonly ChronicleEntry[],
  calls: readonly number[],
): WorldTruth {
  const meeting = calls.length;
  const places = mapSeats(world.players, ({ place }, seat) =>
    isLiving(world, seat) ? place : undefined,
  );
  const tasks = mapSeats(world.players, ({ progress }, seat) => {
    if (roleOf(world, seat) === 'impostor') return undefined;
    return {
      done: progress.reduce((sum, { steps }) => sum + steps, 0),
      of: (world.ship.tasks[seat] ?? []).reduce((sum, { steps }) => sum + steps.length, 0),
    };
  });
  const deeds = entries
    .filter((entry) => entry.type === 'kill' || entry.meeting === meeting)
    .map(({ round, ...deed }): DatedDeed => {
      const called = calls[deed.meeting - 1] ?? round;
      return { ...deed, ago: (called - round) * SECONDS_PER_ROUND };
    });
  return { places, tasks, deeds };
}
