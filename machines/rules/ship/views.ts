/** The view of the action phase: the player's own sight, memory and knowledge, the public facts, and nothing else. */
import type { Colour, Place, Room, RuleSet, ShipMap, System } from '../../types.ts';
import { type GameOptions, SECONDS_PER_ROUND } from '../options.ts';
import type { OwnDeed, PublicRecord, TaskBar } from '../record.ts';
import type { Self, ShipTruth } from '../views.ts';
import { isHallway } from './map.ts';
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

export type TaskCard = {
  readonly id: TaskId;
  readonly name: string;
  readonly kind: TaskKind;
  readonly visual: boolean;
  /** The room of the next step. Null if the task is done. */
  readonly next: Place | null;
  /** Rounds of work left on that step. */
  readonly rounds: number;
  readonly steps: number;
  readonly of: number;
};

export type ShipScene = {
  readonly why: readonly Trigger[];
  readonly place: Place;
  /** Null outside vents. */
  readonly vent: number | null;
  /** Null if there is nothing to continue. */
  readonly intent: Intent | null;
  /** Players in sight, without oneself. */
  readonly here: readonly { readonly who: Colour; readonly place: Place }[];
  readonly company: readonly Colour[];
  readonly bodies: readonly { readonly victim: Colour; readonly place: Place }[];
  readonly tasks: readonly TaskCard[];
  /** Seconds until this impostor may kill. Null for a crewmate. */
  readonly killWait: number | null;
  /** Seconds until a sabotage is possible. Null for a crewmate. */
  readonly sabotageWait: number | null;
  readonly buttons: number;
  readonly buttonWait: number;
  readonly crisis: {
    readonly system: System;
    readonly seconds: number | null;
    readonly consoles: readonly Room[];
    readonly done: readonly Room[];
  } | null;
  readonly shut: readonly Room[];
  /** Rooms whose doors this impostor can shut now. Null for a crewmate. */
  readonly closable: readonly Room[] | null;
  /** Task steps of the whole crew. Null if the lobby hides them now. */
  readonly bar: TaskBar | null;
  /** Heads in each place. Null unless the player stands at the Admin table. */
  readonly heads: Readonly<Partial<Record<Place, number>>> | null;
  /** Whether the camera above the player is lit, because a player is at its screen. */
  readonly cameraLight: boolean;
  /** The players alive after the last meeting. */
  readonly seats: readonly Colour[];
};

export type DeedOfRound = OwnDeed & { readonly round: number };

export type ActionView = {
  readonly you: Omit<Self, 'brief' | 'ballot' | 'stretches'> & {
    /** A ghost sees no living players here, and can only do what ghosts do. */
    readonly isGhost: boolean;
    /** Since the last meeting, oldest first, by round. */
    readonly memory: readonly MemoryEntry[];
    /** Older entries that are kept of those that memory has dropped. */
    readonly faded: readonly MemoryEntry[];
    readonly deeds: readonly DeedOfRound[];
  };
  readonly record: PublicRecord;
  readonly round: number;
  readonly rules: RuleSet;
  readonly map: ShipMap;
  readonly options: GameOptions;
  readonly scene: ShipScene;
  /** Null for the living. */
  readonly truth: ShipTruth | null;
};

export function sceneFor(world: World, seat: Colour, known: readonly Colour[]): ShipScene | null {
  const player = world.players[seat];
  if (player === undefined) return null;
  const isImpostor = roleOf(world, seat) === 'impostor';
  const isAlive = isLiving(world, seat);
  const crowd: Crowd = isAlive ? visiblePlayers(world) : [];
  const view = isAlive ? placesInView(world, seat, player.place) : [];
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
    crisis: crisis && {
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

/** Open tasks of the dead stay in the bar until the next meeting, because a shrinking bar would reveal every kill. */
export function barFor(world: World, known: readonly Colour[]): TaskBar | null {
  const { taskBar: shown } = world.ship.options;
  if (shown === 'never' || isJammed(world)) return null;
  const { done, all } = taskBar(world, known);
  return { done: shown === 'meetings' ? world.barShown : done, all };
}

/** Heads without colours, bodies included, for a player at the Admin table who is idle or watches it. */
function headsFor(world: World, seat: Colour): ShipScene['heads'] {
  const player = world.players[seat];
  if (player === undefined || player.place !== world.ship.map.adminTable) return null;
  if (!isLiving(world, seat) || player.vent !== null || isJammed(world)) return null;
  const { intent } = player;
  if (intent !== null && (intent.type !== 'watch' || intent.what !== 'admin')) return null;
  const heads: Partial<Record<Place, number>> = {};
  const rooms = world.ship.map.places.filter((place) => !isHallway(place));
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
