/** The truth about the ship for ghosts (rulings 46 and 57): the world, and the deeds hidden from the other living. */
import type { Colour } from '../../types.ts';
import { SECONDS_PER_ROUND } from '../options.ts';
import type { Crime, OwnDeed, SecretDeed, WorldTruth } from '../record.ts';
import { mapSeats } from '../seats.ts';
import type { RoundEvent } from './draft.ts';
import { isLiving, nextTaskStep, roleOf, shutRooms, type World } from './world.ts';

/** `meeting` is the number of the next meeting. */
export type ChronicleEntry = SecretDeed & { readonly round: number; readonly meeting: number };

export function chronicle(
  events: readonly RoundEvent[],
  before: World,
  after: World,
): readonly SecretDeed[] {
  const crimes = events.flatMap((event) => toCrime(event) ?? []);
  const told = crimes.filter((crime) => crime.type !== 'vent' || crime.how !== 'through');
  return [...told, ...listFakes(before, after)];
}

/** Steps that an impostor has begun to fake in this round. */
function listFakes(before: World, after: World): readonly SecretDeed[] {
  return before.ship.seats.flatMap(({ colour: by, role }): readonly SecretDeed[] => {
    const known = before.players[by]?.progress;
    const now = after.players[by]?.progress;
    if (role !== 'impostor' || known === now) return [];
    const index = known?.findIndex((one, at) => one.worked === 0 && one !== now?.[at]) ?? -1;
    const place = nextTaskStep(before, by, index)?.place;
    return place === undefined ? [] : [{ type: 'fake', by, place }];
  });
}

function toCrime(event: RoundEvent): (Crime & { readonly by: Colour }) | null {
  switch (event.type) {
    case 'player.killed':
      return { type: 'kill', by: event.by, victim: event.victim, place: event.place };
    case 'vent.used':
      return { type: 'vent', by: event.seat, how: event.how, place: event.place };
    case 'sabotage.begun':
      return { type: 'sabotage', by: event.by, system: event.system };
    case 'doors.shut':
      return { type: 'shut', by: event.by, room: event.room };
    default:
      return null;
  }
}

/** The deeds of a player in a round, which only that player hears of (ruling 45). */
export function ownDeeds(
  events: readonly RoundEvent[],
  seat: Colour,
  world: World,
): readonly OwnDeed[] {
  return events.flatMap((event) => toOwnDeed(event, seat, world) ?? []);
}

function toOwnDeed(event: RoundEvent, seat: Colour, world: World): OwnDeed | null {
  if (event.type === 'sabotage.fixed')
    return event.by.includes(seat) ? { type: 'fix', system: event.system } : null;
  if (event.type === 'task.stepped' && event.seat === seat) {
    const task = world.ship.tasks[seat]?.find(({ id }) => id === event.task);
    const place = task?.steps[event.steps - 1]?.place ?? world.players[seat]?.place ?? '';
    return { type: 'task', task: task?.name ?? event.task, place, done: event.done };
  }
  const crime = toCrime(event);
  if (crime?.by !== seat) return null;
  const { by: _, ...own } = crime;
  return own;
}

/** The truth before the next round. `calls` are the rounds of all calls, in order. */
export function toWorldTruth(course: {
  readonly world: World;
  readonly chronicle: readonly ChronicleEntry[];
  readonly calls: readonly number[];
  readonly round: number;
}): WorldTruth {
  const { world, calls } = course;
  const { players, crisis, sabotageWait } = world;
  const seconds = (count: number) => count * SECONDS_PER_ROUND;
  return {
    places: mapSeats(players, ({ place }, seat) => (isLiving(world, seat) ? place : undefined)),
    tasks: mapSeats(players, ({ progress }, seat) => {
      if (roleOf(world, seat) === 'impostor') return undefined;
      return {
        done: progress.reduce((sum, { steps }) => sum + steps, 0),
        of: (world.ship.tasks[seat] ?? []).reduce((sum, { steps }) => sum + steps.length, 0),
      };
    }),
    impostors: mapSeats(players, ({ killWait, vent, intent }, seat) => {
      if (!isLiving(world, seat) || roleOf(world, seat) === 'crewmate') return undefined;
      return { wait: seconds(killWait), hidden: vent !== null, faking: intent?.type === 'fake' };
    }),
    crisis: crisis && {
      system: crisis.system,
      seconds: crisis.left === null ? null : seconds(crisis.left),
    },
    sabotageWait: seconds(sabotageWait),
    shut: shutRooms(world),
    deeds: course.chronicle.map(({ round, ...deed }) => {
      const called = calls[deed.meeting - 1] ?? course.round;
      return { ...deed, ago: seconds(called - round), at: seconds(round) };
    }),
  };
}
