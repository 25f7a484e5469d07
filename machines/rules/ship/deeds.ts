/** The events of a round as each player's own deeds, which only that player hears of (ruling 45). */
import type { Colour } from '../../types.ts';
import type { OwnDeed } from '../record.ts';
import type { RoundEvent } from './draft.ts';
import type { World } from './world.ts';

export function ownDeeds(
  events: readonly RoundEvent[],
  seat: Colour,
  world: World,
): readonly OwnDeed[] {
  const deeds: OwnDeed[] = [];
  for (const event of events) {
    const deed = toOwnDeed(event, seat, world);
    if (deed !== null) deeds.push(deed);
  }
  return deeds;
}

function toOwnDeed(event: RoundEvent, seat: Colour, world: World): OwnDeed | null {
  switch (event.type) {
    case 'player.killed':
      return event.by === seat ? { type: 'kill', victim: event.victim, place: event.place } : null;
    case 'vent.used':
      return event.seat === seat ? { type: 'vent', how: event.how, place: event.place } : null;
    case 'sabotage.begun':
      return event.by === seat ? { type: 'sabotage', system: event.system } : null;
    case 'doors.shut':
      return event.by === seat ? { type: 'shut', room: event.room } : null;
    case 'sabotage.fixed':
      return event.by.includes(seat) ? { type: 'fix', system: event.system } : null;
    case 'task.stepped': {
      if (event.seat !== seat) return null;
      const task = world.ship.tasks[seat]?.find(({ id }) => id === event.task);
      const place = task?.steps[event.steps - 1]?.place ?? world.players[seat]?.place ?? '';
      return { type: 'task', task: task?.name ?? event.task, place, done: event.done };
    }
    default:
      return null;
  }
}
