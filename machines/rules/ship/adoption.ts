/** Adoption: new intents are taken up, and those that make no sense are refused with the reason. */
import type { Colour, Note } from '../../types.ts';
import { type Draft, refuse } from './draft.ts';
import type { Intent } from './intent.ts';
import { distance, ventCalled } from './map.ts';
import type { Order } from './order.ts';
import { pursue } from './pursuit.ts';
import { destination } from './walking.ts';
import { isActive, isLiving, roleOf, taskIndex, type World } from './world.ts';

/** Takes up what was ordered. Whether a kill, a sabotage or a call is possible is found when it is tried. */
export function adopt(draft: Draft, orders: readonly Order[]): void {
  for (const order of orders) {
    if (order.type === 'fault' || order.decision.intent === null) continue;
    const { seat } = order;
    if (!isActive(draft.world, seat)) continue;
    const { intent } = order.decision;
    const note = intentRefusal(draft.world, seat, intent);
    if (note === null) pursue(draft, seat, intent);
    else {
      refuse(draft, seat, intent, note);
      pursue(draft, seat, { type: 'wait', rounds: 1 });
    }
  }
}

/** Why a player can't set out to do this at all; null when they can. */
function intentRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  const role = roleOf(world, seat);
  const player = world.players[seat];
  if (player === undefined) return note('no-player', `${seat} is not on the ship`);
  if (!isLiving(world, seat)) {
    return ghostRefusal(seat, role, intent) ?? commonRefusal(world, seat, intent);
  }
  if (player.vent !== null && !IN_VENT.includes(intent.type)) {
    return note('in-vent', `from inside a vent only ${IN_VENT.join(', ')} are possible`);
  }
  return role === 'impostor'
    ? impostorRefusal(world, seat, intent)
    : crewRefusal(world, seat, intent);
}

const IN_VENT: readonly Intent['type'][] = ['wait', 'vent', 'surface', 'sabotage', 'shut'];
const IMPOSTORS_ONLY: readonly Intent['type'][] = [
  'kill',
  'vent',
  'surface',
  'sabotage',
  'shut',
  'fake',
];

function crewRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  if (IMPOSTORS_ONLY.includes(intent.type)) {
    return note('impostors-only', `only impostors can ${intent.type}`);
  }
  return commonRefusal(world, seat, intent);
}

function impostorRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  if (intent.type === 'task') return note('no-task', 'impostors have no tasks: fake it');
  if (intent.type === 'vent' && ventCalled(world.ship.map, intent.to) === null) {
    return note('no-vent', `there is no vent ${intent.to} on ${world.ship.map.name}`);
  }
  if (intent.type === 'surface' && world.players[seat]?.vent === null) {
    return note('not-in-vent', 'only who is in a vent can climb out');
  }
  return commonRefusal(world, seat, intent);
}

/** Ghosts of the crew do tasks, ghosts of impostors sabotage; they do nothing else (ruling 37). */
function ghostRefusal(seat: Colour, role: string, { type }: Intent): Note | null {
  const allowed: readonly Intent['type'][] =
    role === 'impostor' ? ['wait', 'go', 'sabotage', 'shut'] : ['wait', 'go', 'task'];
  if (allowed.includes(type)) return null;
  return note('ghost', `${seat} is a ghost: possible are ${allowed.join(', ')}`);
}

function commonRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  const { map } = world.ship;
  switch (intent.type) {
    case 'go':
      return map.places.includes(intent.to)
        ? wayRefusal(world, seat, intent)
        : note('no-place', `there is no ${intent.to} on ${map.name}`);
    case 'task':
    case 'fake':
      return taskRefusal(world, seat, intent.task) ?? wayRefusal(world, seat, intent);
    case 'fix':
      return consoleRefusal(world, intent.at) ?? wayRefusal(world, seat, intent);
    case 'button':
      return wayRefusal(world, seat, intent);
    case 'watch':
      return (intent.what === 'cameras' ? map.cameras : map.adminTable) === null
        ? note('no-console', `there is no ${intent.what} on ${map.name}`)
        : wayRefusal(world, seat, intent);
    case 'follow':
      return intent.whom === seat ? note('self', 'nobody can follow themselves') : null;
    default:
      return null;
  }
}

/** Who sets out for where no way leads would never arrive and never be asked again. */
function wayRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  const from = world.players[seat]?.place;
  const to = destination(world, seat, intent);
  if (from === undefined || to === null) return null;
  return distance(world.ship.map, from, to) < Infinity
    ? null
    : note('no-way', `no way leads from ${from} to ${to}`);
}

function taskRefusal(world: World, seat: Colour, id: string): Note | null {
  const index = taskIndex(world, seat, id);
  const task = world.ship.tasks[seat]?.[index];
  if (task === undefined) return note('not-your-task', `${seat} has no task ${id}`);
  const steps = world.players[seat]?.progress[index]?.steps ?? 0;
  return steps >= task.steps.length ? note('task-done', `${task.name} is done already`) : null;
}

function consoleRefusal({ crisis, ship }: World, at: string): Note | null {
  if (crisis === null) return note('nothing-broken', 'nothing is broken');
  const rooms: readonly string[] = ship.map.consoles[crisis.system];
  if (rooms.includes(at)) return null;
  return note('no-console', `${crisis.system} is fixed in ${rooms.join(', ')}, not in ${at}`);
}

function note(code: string, text: string): Note {
  return { code: `intent/${code}`, text };
}
