/**
 * The world: the state of the action phase, from one meeting to the next.
 *
 * It is bounded: the number of the round is an input of every round and nothing here counts up. Distances of time are
 * rounds that are left.
 */
import type {
  BySeat,
  Colour,
  Place,
  Role,
  Room,
  Seat,
  ShipMap,
  Standing,
  System,
} from '../../types.ts';
import { firstKillCooldown, type GameOptions, type MeetingOptions, rounds } from '../options.ts';
import { seatsWith } from '../seats.ts';
import type { Streaks } from '../tick.ts';
import type { Intent } from './orders.ts';
import type { Task } from './tasks.ts';

/** How far a player is with one task. */
type StepProgress = {
  /** Steps done. */
  readonly steps: number;
  /** Rounds worked on the step that is next. */
  readonly worked: number;
};

export type PlayerState = {
  readonly place: Place;
  /** The vent that the player is in; null outside. */
  readonly vent: number | null;
  readonly intent: Intent | null;
  /** Walked in the last round. */
  readonly moved: boolean;
  /** What is left of the last stride, in quarters of a step. */
  readonly stride: number;
  /** Rounds until this impostor may kill; 0 for everybody else. */
  readonly killWait: number;
  /** Emergency meetings left. */
  readonly buttons: number;
  readonly progress: readonly StepProgress[];
};

export type Body = { readonly victim: Colour; readonly place: Place };

/** A system that is sabotaged. */
export type Crisis = {
  readonly system: System;
  /** Rounds until it is too late; null for lights and comms, which never are. */
  readonly left: number | null;
  /** O2: keypads that are done. They stay so. */
  readonly done: readonly Room[];
  /** Lights and comms: rounds that somebody held the console. */
  readonly held: number;
};

/** Doors that are shut, or were lately: rounds that they stay shut, and rounds until they can be shut again. */
type Doors = { readonly room: Room; readonly shut: number; readonly wait: number };

/** Everything that stays as it is for a whole game. */
export type Ship = {
  readonly map: ShipMap;
  readonly options: GameOptions;
  /** What meetings are held by; the patience with faults is the same in both. */
  readonly meeting: MeetingOptions;
  readonly seats: readonly Seat[];
  readonly tasks: BySeat<readonly Task[]>;
};

export type World = {
  readonly ship: Ship;
  readonly standings: BySeat<Standing>;
  readonly players: BySeat<PlayerState>;
  /** Faults in a row (ruling 2). */
  readonly streaks: Streaks;
  readonly bodies: readonly Body[];
  readonly crisis: Crisis | null;
  /** Rounds until something can be sabotaged; stands still while something is. */
  readonly sabotageWait: number;
  readonly doors: readonly Doors[];
  /** Rounds until the button works. */
  readonly buttonWait: number;
  /** Share of the tasks done when the last meeting was called, in steps; for a bar that is shown at meetings. */
  readonly barShown: number;
  /** Who is asked in the round that comes, and why. */
  readonly asks: BySeat<readonly Trigger[]>;
};

/** Why a mind is asked: nobody is asked while there is nothing to decide. */
const TRIGGERS = [
  'begun',
  'arrived',
  'done',
  'refused',
  'company',
  'body',
  'alarm',
  'ready',
  'witness',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Quarters of a step that a player walks in a round at speed 1. */
export const STRIDE = 4;

/** Everybody around the button, as the game begins. */
export function createWorld(ship: Ship): World {
  const { options, map, seats } = ship;
  return {
    ship,
    standings: Object.fromEntries(seats.map(({ colour }) => [colour, 'living' as const])),
    players: Object.fromEntries(
      seats.map(({ colour, role }) => [colour, newPlayer(ship, colour, role, map.button)]),
    ),
    streaks: {},
    bodies: [],
    crisis: null,
    sabotageWait: rounds(options.sabotageCooldown),
    doors: [],
    buttonWait: rounds(options.emergencyCooldown),
    barShown: 0,
    asks: Object.fromEntries(seats.map(({ colour }) => [colour, ASKED_AT_START])),
  };
}

function newPlayer({ options, tasks }: Ship, seat: Colour, role: Role, place: Place): PlayerState {
  return {
    place,
    vent: null,
    intent: null,
    moved: false,
    stride: 0,
    killWait: role === 'impostor' ? rounds(firstKillCooldown(options)) : 0,
    buttons: options.buttons,
    progress: (tasks[seat] ?? []).map(() => NOT_BEGUN),
  };
}

export const ASKED_AT_START: readonly Trigger[] = ['begun'];
const NOT_BEGUN: StepProgress = { steps: 0, worked: 0 };

export function roleOf({ ship }: World, seat: Colour): Role {
  for (const one of ship.seats) if (one.colour === seat) return one.role;
  return 'crewmate';
}

export function isLiving({ standings }: World, seat: Colour): boolean {
  return standings[seat] === 'living';
}

/** The living, in the order of the seats. */
export function livingPlayers({ standings }: World): readonly Colour[] {
  return seatsWith(standings, (standing) => standing === 'living');
}

/** Whether a player may still act on the ship: the living, and the dead where ghosts work (ruling 37). */
export function isActive({ standings, ship }: World, seat: Colour): boolean {
  const standing = standings[seat];
  return standing === 'living' || (standing === 'dead' && ship.options.ghostsDoTasks);
}

/** Rooms whose doors are shut. */
export function shutRooms({ doors }: World): readonly Room[] {
  if (doors.length === 0) return NO_ROOMS;
  return doors.filter(({ shut }) => shut > 0).map(({ room }) => room);
}

const NO_ROOMS: readonly Room[] = [];

/** Rooms whose doors can be shut: their clock has run down. */
export function closableRooms({ doors, ship }: World): readonly Room[] {
  if (doors.length === 0) return ship.map.doors;
  return ship.map.doors.filter((room) => doors.every((one) => one.room !== room || one.wait === 0));
}

/** Whether a system may be looked through or used: comms jam cameras and the Admin table. */
export function isJammed({ crisis }: World): boolean {
  return crisis?.system === 'comms';
}

/** The next step of a task; null when it is done or not an own one. */
export function nextTaskStep(world: World, seat: Colour, index: number) {
  const task = world.ship.tasks[seat]?.[index];
  const progress = world.players[seat]?.progress[index];
  return task === undefined || progress === undefined ? null : (task.steps[progress.steps] ?? null);
}

export function taskIndex(world: World, seat: Colour, id: string): number {
  return (world.ship.tasks[seat] ?? []).findIndex((task) => task.id === id);
}

/**
 * Steps done and steps wanted, of all that counts: what the dead or departed have left open may leave the bar.
 * `believed` are taken for living as long as they have not departed.
 */
export function taskBar(
  world: World,
  believed: readonly Colour[] = [],
): { readonly done: number; readonly all: number } {
  let done = 0;
  let all = 0;
  for (const { colour, role } of world.ship.seats) {
    if (role === 'impostor') continue;
    const isMissed = believed.includes(colour) && world.standings[colour] === 'dead';
    const counts = isMissed || isActive(world, colour);
    const tasks = world.ship.tasks[colour] ?? [];
    const progress = world.players[colour]?.progress ?? [];
    for (let index = 0; index < tasks.length; index++) {
      const steps = progress[index]?.steps ?? 0;
      done += steps;
      all += counts ? (tasks[index]?.steps.length ?? 0) : steps;
    }
  }
  return { done, all };
}

/*
 * Victory: who has won, checked in the order of the real game, so that a kill that reaches parity beats a last task
 * of the same moment.
 */

export const WINNERS = ['crew', 'impostors'] as const;
type Winner = (typeof WINNERS)[number];

export const VICTORIES = ['vote', 'tasks', 'kills', 'sabotage', 'disconnect'] as const;
type Victory = (typeof VICTORIES)[number];

export type GameEnding =
  | { readonly winner: Winner; readonly reason: Victory }
  /** The operator's limit, a stop or a budget ended the game. */
  | { readonly winner: null; readonly reason: 'unfinished' | 'interrupted' };

/** What took those of each role who were living a moment ago. */
export type LossCauses = {
  readonly impostor: Extract<Victory, 'vote' | 'disconnect'>;
  readonly crewmate: Extract<Victory, 'vote' | 'kills' | 'disconnect'>;
};

/** Who has won; null while the game goes on. */
export function decideEnding(world: World, losses: LossCauses): GameEnding | null {
  if (world.crisis?.left !== null && world.crisis !== null && world.crisis.left <= 0) {
    return { winner: 'impostors', reason: 'sabotage' };
  }
  let crewmates = 0;
  let impostors = 0;
  for (const { colour, role } of world.ship.seats) {
    if (!isLiving(world, colour)) continue;
    if (role === 'impostor') impostors += 1;
    else crewmates += 1;
  }
  if (impostors === 0) return { winner: 'crew', reason: losses.impostor };
  if (crewmates <= impostors) {
    return { winner: 'impostors', reason: losses.crewmate };
  }
  const { done, all } = taskBar(world);
  return all > 0 && done >= all ? { winner: 'crew', reason: 'tasks' } : null;
}
