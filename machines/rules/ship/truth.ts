/**
 * The truth about the ship, which ghosts know (ruling 46): the places and tasks of all players, and the deeds that no
 * other living player may know. It holds no mind's thoughts.
 */
import { type BySeat, COLOURS, type Colour, type Place } from '../../types.ts';
import { SECONDS_PER_ROUND } from '../options.ts';
import type { DatedDeed, SecretDeed, WorldTruth } from '../record.ts';
import type { RoundEvent } from './draft.ts';
import { livingPlayers, type World } from './world.ts';

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
  const places: Partial<Record<Colour, Place>> = {};
  for (const seat of livingPlayers(world)) {
    const place = world.players[seat]?.place;
    if (place !== undefined) places[seat] = place;
  }
  const tasks: Partial<Record<Colour, { done: number; of: number }>> = {};
  for (const { colour, role } of world.ship.seats) {
    if (role === 'impostor') continue;
    const progress = world.players[colour]?.progress ?? [];
    tasks[colour] = {
      done: progress.reduce((sum, { steps }) => sum + steps, 0),
      of: (world.ship.tasks[colour] ?? []).reduce((sum, { steps }) => sum + steps.length, 0),
    };
  }
  const deeds = entries
    .filter((entry) => entry.type === 'kill' || entry.meeting === meeting)
    .map(({ round, ...deed }): DatedDeed => {
      const called = calls[deed.meeting - 1] ?? round;
      return { ...deed, ago: (called - round) * SECONDS_PER_ROUND };
    });
  return { places: inSeatOrder(places), tasks: inSeatOrder(tasks), deeds };
}

function inSeatOrder<T>(bySeat: BySeat<T>): BySeat<T> {
  const ordered: Partial<Record<Colour, T>> = {};
  for (const seat of COLOURS) {
    const value = bySeat[seat];
    if (value !== undefined) ordered[seat] = value;
  }
  return ordered;
}
