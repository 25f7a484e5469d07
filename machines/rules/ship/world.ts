/** The world: the state of the action phase between meetings. It is bounded: times are rounds that are left. */
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
import type { TaskBar } from '../record.ts';
import { seatsWith } from '../seats.ts';
import type { Streaks } from '../tick.ts';
import type { Silence } from '../weights.ts';
import { neighbours } from './map.ts';
import type { Intent } from './orders.ts';
import type { Task } from './tasks.ts';

type StepProgress = {
  readonly steps: number;
  /** Rounds worked on the next step. */
  readonly worked: number;
};

export type PlayerState = {
  readonly place: Place;
  /** Null outside vents. */
  readonly vent: number | null;
  readonly intent: Intent | null;
  readonly moved: boolean;
  /** The rest of the last stride, in quarters of a step. */
  readonly stride: number;
  /** Rounds until this impostor may kill. 0 for crewmates. */
  readonly killWait: number;
  readonly buttons: number;
  readonly progress: readonly StepProgress[];
};

export type Body = { readonly victim: Colour; readonly place: Place };

export type Crisis = {
  readonly system: System;
  /** Rounds until the ship is lost. Null for lights and comms, which never kill. */
  readonly left: number | null;
  /** Finished keypads of the oxygen. */
  readonly done: readonly Room[];
  /** Lights and comms: rounds that the console was held. */
  readonly held: number;
};

/** Doors that are or were shut: rounds until they open, and rounds until they can be shut again. */
type Doors = { readonly room: Room; readonly shut: number; readonly wait: number };

/** The part that stays the same for a whole game. */
export type Ship = {
  readonly map: ShipMap;
  readonly options: GameOptions;
  /** The options of meetings. Both phases use their patience. */
  readonly meeting: MeetingOptions;
  /** The options of silence that follow the living of each meeting. The others are the operator's. */
  readonly computed: readonly (keyof Silence)[];
  readonly seats: readonly Seat[];
  readonly tasks: BySeat<readonly Task[]>;
  /** The rules before version 3: faults that empty a side make the other one win. */
  readonly areFaultsLost?: boolean;
};

export type World = {
  readonly ship: Ship;
  readonly standings: BySeat<Standing>;
  readonly players: BySeat<PlayerState>;
  readonly streaks: Streaks;
  readonly bodies: readonly Body[];
  readonly crisis: Crisis | null;
  /** Rounds until a sabotage is possible. Stands still during one. */
  readonly sabotageWait: number;
  readonly doors: readonly Doors[];
  /** Rounds until the button works. */
  readonly buttonWait: number;
  /** Task steps done at the last call, for a bar that is shown at meetings only. */
  readonly barShown: number;
  /** The players asked in the next round, and why. */
  readonly asks: BySeat<readonly Trigger[]>;
};

/** Reasons to ask a mind. Nobody is asked without one. */
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

/** Quarters of a step in a round at speed 1. */
export const STRIDE = 4;

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

export function livingPlayers({ standings }: World): readonly Colour[] {
  return seatsWith(standings, (standing) => standing === 'living');
}

/** Whether a player may act on the ship: the living, and the dead if ghosts work (ruling 37). */
export function isActive({ standings, ship }: World, seat: Colour): boolean {
  const standing = standings[seat];
  return standing === 'living' || (standing === 'dead' && ship.options.ghostsDoTasks);
}

export function shutRooms({ doors }: World): readonly Room[] {
  return doors.filter(({ shut }) => shut > 0).map(({ room }) => room);
}

/** Whether the places are next to each other, with no shut door between them. */
export function areJoined(world: World, one: Place, other: Place): boolean {
  if (!neighbours(world.ship.map, one).includes(other)) return false;
  const shut: readonly Place[] = shutRooms(world);
  return !shut.includes(one) && !shut.includes(other);
}

export function closableRooms({ doors, ship }: World): readonly Room[] {
  if (doors.length === 0) return ship.map.doors;
  return ship.map.doors.filter((room) => doors.every((one) => one.room !== room || one.wait === 0));
}

/** Comms jam cameras and the Admin table. */
export function isJammed({ crisis }: World): boolean {
  return crisis?.system === 'comms';
}

/** Null if the task is done or belongs to another player. */
export function nextTaskStep(world: World, seat: Colour, index: number) {
  const task = world.ship.tasks[seat]?.[index];
  const progress = world.players[seat]?.progress[index];
  return task === undefined || progress === undefined ? null : (task.steps[progress.steps] ?? null);
}

export function taskIndex(world: World, seat: Colour, id: string): number {
  return (world.ship.tasks[seat] ?? []).findIndex((task) => task.id === id);
}

/** Task steps of the crew. Open ones of the dead or departed may not count. `believed` count until they depart. */
export function taskBar(world: World, believed: readonly Colour[] = []): TaskBar {
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

/* Victory, checked in the order of the real game: a kill that reaches parity beats a last task at the same moment. */

export const WINNERS = ['crew', 'impostors'] as const;

export const VICTORIES = ['vote', 'tasks', 'kills', 'sabotage', 'disconnect'] as const;
type Victory = (typeof VICTORIES)[number];

/** A limit or budget, the operator, or a side that left through faults. */
export const DRAWS = ['unfinished', 'interrupted', 'faults'] as const;

export type GameEnding =
  | { readonly winner: (typeof WINNERS)[number]; readonly reason: Victory }
  | { readonly winner: null; readonly reason: (typeof DRAWS)[number] };

/** What removed the players of each role who were living a moment ago. */
export type LossCauses = {
  readonly impostor: Extract<Victory, 'vote' | 'disconnect'>;
  readonly crewmate: Extract<Victory, 'vote' | 'kills' | 'disconnect'>;
};

/** Null while the game goes on. If it would go on with the `faulted`, who have just left, nobody wins (ruling 53). */
export function decideEnding(
  world: World,
  losses: LossCauses,
  faulted: readonly Colour[],
): GameEnding | null {
  if (world.crisis?.left !== null && world.crisis !== null && world.crisis.left <= 0)
    return { winner: 'impostors', reason: 'sabotage' };
  const { impostors, isOpen } = countSides(world, []);
  if (!isOpen) {
    if (world.ship.areFaultsLost !== true && countSides(world, faulted).isOpen)
      return { winner: null, reason: 'faults' };
    if (impostors === 0) return { winner: 'crew', reason: losses.impostor };
    return { winner: 'impostors', reason: losses.crewmate };
  }
  const { done, all } = taskBar(world);
  return all > 0 && done >= all ? { winner: 'crew', reason: 'tasks' } : null;
}

/** The living impostors, and whether both sides could still win, if `others` were alive too. */
function countSides(world: World, others: readonly Colour[]) {
  let crewmates = 0;
  let impostors = 0;
  for (const { colour, role } of world.ship.seats) {
    if (!isLiving(world, colour) && !others.includes(colour)) continue;
    if (role === 'impostor') impostors += 1;
    else crewmates += 1;
  }
  return { impostors, isOpen: impostors > 0 && crewmates > impostors };
}
