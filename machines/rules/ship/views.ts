/**
 * The view of the action phase: what a player is shown when they are asked what to do next.
 *
 * It is put together from what they see from where they stand, what they remember, and what everybody is told; nothing
 * of it is taken from what others know.
 */
import {
  type Colour,
  HALLWAYS,
  type Note,
  type Pads,
  type Persona,
  type Place,
  type Role,
  type Room,
  type RuleSet,
  type ShipMap,
  type System,
} from '../../types.ts';
import { type GameOptions, SECONDS_PER_ROUND } from '../options.ts';
import type { OwnDeed, OwnPast, PublicRecord, TaskBar } from '../record.ts';
import type { Intent } from './orders.ts';
import {
  bodiesInView,
  type Crowd,
  companyAt,
  type MemoryEntry,
  placesInView,
  visiblePlayers,
} from './sight.ts';
import type { TaskId, TaskKind } from './tasks.ts';
import {
  closableRooms,
  isJammed,
  isLiving,
  livingPlayers,
  nextTaskStep,
  roleOf,
  shutRooms,
  type Trigger,
  taskBar,
  type World,
} from './world.ts';

/** An own task, as the list on the screen shows it. */
export type TaskCard = {
  readonly id: TaskId;
  readonly name: string;
  readonly kind: TaskKind;
  readonly visual: boolean;
  /** Where the next step is done; null when the task is done. */
  readonly next: Place | null;
  /** Rounds of work that are left on that step. */
  readonly rounds: number;
  readonly steps: number;
  readonly of: number;
};

/** What is so around a player, as far as they may know it. */
export type ShipScene = {
  /** Why the player is asked. */
  readonly why: readonly Trigger[];
  readonly place: Place;
  /** The vent that the player is in; null outside. */
  readonly vent: number | null;
  /** What the player is about; null when there is nothing to go on with. */
  readonly intent: Intent | null;
  /** Who is seen now, and where; not oneself. */
  readonly here: readonly { readonly who: Colour; readonly place: Place }[];
  /** Others at the very place where the player stands. */
  readonly company: readonly Colour[];
  readonly bodies: readonly { readonly victim: Colour; readonly place: Place }[];
  readonly tasks: readonly TaskCard[];
  /** Seconds until this impostor may kill; null for a crewmate. */
  readonly killWait: number | null;
  /** Seconds until something can be sabotaged; null for a crewmate. */
  readonly sabotageWait: number | null;
  readonly buttons: number;
  /** Seconds until the button works. */
  readonly buttonWait: number;
  /** What is sabotaged, in how many seconds it is too late, and where it is fixed. */
  readonly crisis: {
    readonly system: System;
    readonly seconds: number | null;
    readonly consoles: readonly Room[];
    /** Keypads that are done already. */
    readonly done: readonly Room[];
  } | null;
  readonly shut: readonly Room[];
  /** Rooms whose doors this impostor could shut now; null for a crewmate. */
  readonly closable: readonly Room[] | null;
  /** Task steps of the whole crew; null where the lobby does not show them now. */
  readonly bar: TaskBar | null;
  /** Heads in each place, read off the Admin table while one stands at it; null otherwise. */
  readonly heads: Readonly<Partial<Record<Place, number>>> | null;
  /** Whether the light of a camera is on where the player stands: a player is at its screen. */
  readonly cameraLight: boolean;
  /** Who has a place in this game, and who is known to be out of it: since the last meeting nobody was told more. */
  readonly seats: readonly Colour[];
};

/** What a player did in a round. */
export type DeedOfRound = OwnDeed & { readonly round: number };

export type ActionView = {
  readonly you: {
    readonly colour: Colour;
    readonly role: Role;
    readonly partners: readonly Colour[];
    readonly persona: Persona;
    readonly pads: Pads;
    readonly notices: readonly Note[];
    /** A ghost sees nothing of the living here, and may only do what ghosts do. */
    readonly isGhost: boolean;
    /** What was seen since the last meeting, oldest first, by round. */
    readonly memory: readonly MemoryEntry[];
    /** What this player did since the last meeting, by round. */
    readonly deeds: readonly DeedOfRound[];
    /** What this player did and how they voted up to the last meeting. */
    readonly past: OwnPast;
  };
  /** What everybody knows of the game, as the last meeting left it. */
  readonly record: PublicRecord;
  readonly round: number;
  readonly rules: RuleSet;
  readonly map: ShipMap;
  readonly options: GameOptions;
  readonly scene: ShipScene;
};

const HALLS: readonly Place[] = HALLWAYS;

/** What the player of a seat is shown of the world. `known` are those whom the last meeting left alive. */
export function sceneFor(world: World, seat: Colour, known: readonly Colour[]): ShipScene | null {
  const player = world.players[seat];
  if (player === undefined) return null;
  const isImpostor = roleOf(world, seat) === 'impostor';
  const isAlive = isLiving(world, seat);
  const crowd = isAlive ? visiblePlayers(world) : NOBODY;
  const view = isAlive ? placesInView(world, seat, player.place) : NOWHERE;
  const { crisis, sabotageWait, buttonWait } = world;
  return {
    why: world.asks[seat] ?? [],
    place: player.place,
    vent: player.vent,
    intent: player.intent,
    here: crowd.filter(({ who, place }) => who !== seat && view.includes(place)),
    company: companyAt(world, seat, player.place, crowd),
    bodies: isAlive ? bodiesInView(world, seat) : [],
    tasks: cardsOf(world, seat),
    killWait: isImpostor ? player.killWait * SECONDS_PER_ROUND : null,
    sabotageWait: isImpostor ? sabotageWait * SECONDS_PER_ROUND : null,
    buttons: player.buttons,
    buttonWait: buttonWait * SECONDS_PER_ROUND,
    crisis:
      crisis === null
        ? null
        : {
            system: crisis.system,
            seconds: crisis.left === null ? null : crisis.left * SECONDS_PER_ROUND,
            consoles: world.ship.map.consoles[crisis.system],
            done: crisis.done,
          },
    shut: shutRooms(world),
    closable: isImpostor ? closableRooms(world) : null,
    bar: barFor(world, known),
    heads: headsFor(world, seat),
    cameraLight: isAlive && isFilmed(world, player.place),
    seats: known,
  };
}

const NOBODY: Crowd = [];
const NOWHERE: readonly Place[] = [];

/** Whether a camera shows the place to a living player who sits at its screen: its light is on then. */
function isFilmed(world: World, place: Place): boolean {
  const { cameras } = world.ship.map;
  if (cameras === null || !cameras.show.includes(place) || isJammed(world)) return false;
  return livingPlayers(world).some((seat) => {
    const watcher = world.players[seat];
    if (watcher?.place !== cameras.at || watcher.vent !== null || watcher.moved) return false;
    return watcher.intent?.type === 'watch' && watcher.intent.what === 'cameras';
  });
}

function cardsOf(world: World, seat: Colour): readonly TaskCard[] {
  return (world.ship.tasks[seat] ?? []).map(({ id, name, kind, visual, steps }, index) => {
    const next = nextTaskStep(world, seat, index);
    const progress = world.players[seat]?.progress[index];
    return {
      id,
      name,
      kind,
      visual,
      next: next?.place ?? null,
      rounds: next === null ? 0 : next.rounds - (progress?.worked ?? 0),
      steps: progress?.steps ?? 0,
      of: steps.length,
    };
  });
}

/**
 * The task bar as the lobby shows it; comms hide it. What the dead have left undone stays in it until the meeting that
 * shows who is missing: a bar that shrinks would tell of every kill.
 */
export function barFor(world: World, known: readonly Colour[]): TaskBar | null {
  const { taskBar: shown } = world.ship.options;
  if (shown === 'never' || isJammed(world)) return null;
  const { done, all } = taskBar(world, known);
  return { done: shown === 'meetings' ? world.barShown : done, all };
}

/**
 * The Admin table counts heads, and does not say whose: a body counts as one that does not move. It is read by whoever
 * stands at it and is about nothing else; who has just looked long enough still sees it.
 */
function headsFor(world: World, seat: Colour): ShipScene['heads'] {
  const player = world.players[seat];
  if (player === undefined || player.place !== world.ship.map.adminTable) return null;
  if (!isLiving(world, seat) || player.vent !== null || isJammed(world)) return null;
  const { intent } = player;
  if (intent !== null && (intent.type !== 'watch' || intent.what !== 'admin')) return null;
  const heads: Partial<Record<Place, number>> = {};
  const rooms = world.ship.map.places.filter((place) => !HALLS.includes(place));
  const count = (place: Place) => {
    if (rooms.includes(place)) heads[place] = (heads[place] ?? 0) + 1;
  };
  for (const other of livingPlayers(world)) {
    const state = world.players[other];
    if (state !== undefined && state.vent === null) count(state.place);
  }
  for (const { place } of world.bodies) count(place);
  return heads;
}
