/**
 * The tasks of a ship, with their rooms and durations: the seconds of a practised player at the console. A started
 * round counts in full (docs/decisions/0013).
 */
import type { BySeat, Colour, Place, Room, ShipMap } from '../../types.ts';
import { createDeck, type Draw } from '../dice.ts';
import { rounds } from '../options.ts';
import { distance } from './map.ts';

export const TASK_KINDS = ['common', 'long', 'short'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export type TaskStep = { readonly place: Place; readonly rounds: number };

/** A task as dealt to one player. Its steps are done in order. */
export type Task = {
  readonly id: TaskId;
  readonly name: string;
  readonly kind: TaskKind;
  /** Others can verify the last step, which nobody can fake. */
  readonly visual: boolean;
  readonly steps: readonly TaskStep[];
};

/** A step before the deal. A step with a choice of rooms goes to a room without an earlier step. */
export type StepSpec = Readonly<ReturnType<typeof at>>;

export type TaskSpec<Id extends string = TaskId> = {
  readonly id: Id;
  readonly name: string;
  /** Tasks with one title differ only in their rooms. A player gets at most one of them. */
  readonly title: string;
  readonly kind: TaskKind;
  readonly visual: boolean;
  readonly steps: readonly StepSpec[];
};

const WIRES = ['Electrical', 'Storage', 'Admin', 'Navigation', 'Cafeteria', 'Security'] as const;
const ENGINES = ['Upper Engine', 'Lower Engine'] as const;

/** In the order of the game's ids, 0 to 28. */
export const TASKS = [
  task('swipe-card', 'Swipe Card', 'common', [at(5, 'Admin')]),
  task('fix-wiring', 'Fix Wiring', 'common', [at(5, ...WIRES), at(5, ...WIRES), at(5, ...WIRES)]),
  visual(task('clear-asteroids', 'Clear Asteroids', 'long', [at(12.5, 'Weapons')])),
  task('align-output', 'Align Output', 'short', [at(2.5, ...ENGINES), at(2.5, ...ENGINES)]),
  visual(task('submit-scan', 'Submit Scan', 'long', [at(10, 'MedBay')])),
  // In the game the player may leave during the machine's minute. Here the visit is shorter and without a break.
  task('inspect-sample', 'Inspect Sample', 'long', [at(15, 'MedBay')]),
  task('fuel-engines', 'Fuel Engines', 'long', [
    at(2.5, 'Storage'),
    at(2.5, ...ENGINES),
    at(2.5, 'Storage'),
    at(2.5, ...ENGINES),
  ]),
  task('start-reactor', 'Start Reactor', 'long', [at(12.5, 'Reactor')]),
  visual(task('empty-chute', 'Empty Chute', 'long', [at(5, 'O2'), at(5, 'Storage')])),
  visual(task('empty-garbage', 'Empty Garbage', 'long', [at(5, 'Cafeteria'), at(5, 'Storage')])),
  download('download-communications', 'Communications'),
  task('calibrate-distributor', 'Calibrate Distributor', 'short', [at(5, 'Electrical')]),
  task('chart-course', 'Chart Course', 'short', [at(2.5, 'Navigation')]),
  task('clean-filter', 'Clean Filter', 'short', [at(5, 'O2')]),
  task('unlock-manifolds', 'Unlock Manifolds', 'short', [at(5, 'Reactor')]),
  download('download-electrical', 'Electrical'),
  task('stabilize-steering', 'Stabilize Steering', 'short', [at(2.5, 'Navigation')]),
  download('download-weapons', 'Weapons'),
  visual(task('prime-shields', 'Prime Shields', 'short', [at(2.5, 'Shields')])),
  download('download-cafeteria', 'Cafeteria'),
  download('download-navigation', 'Navigation'),
  divert('divert-shields', 'Shields'),
  divert('divert-weapons', 'Weapons'),
  divert('divert-communications', 'Communications'),
  divert('divert-upper-engine', 'Upper Engine'),
  divert('divert-o2', 'O2'),
  divert('divert-navigation', 'Navigation'),
  divert('divert-lower-engine', 'Lower Engine'),
  divert('divert-security', 'Security'),
];

export type TaskId = (typeof TASKS)[number]['id'];
export const TASK_IDS: readonly TaskId[] = TASKS.map(({ id }) => id);

export function isVisible({ visual, steps }: Task, step: number): boolean {
  return visual && step === steps.length - 1;
}

export function tasksOn(map: ShipMap): readonly TaskSpec[] {
  return TASKS.filter(({ steps }) =>
    steps.every((step, index) => {
      const before = steps.slice(0, index).filter(({ places }) => places.length > 1);
      const free = roomsFor(step, map).length - (step.places.length > 1 ? before.length : 0);
      return free > 0;
    }),
  );
}

function roomsFor({ places }: StepSpec, map: ShipMap): readonly Room[] {
  return places.filter((place) => map.places.includes(place));
}

/** The task sites of a map, once for each title and room. */
export function taskSites(
  map: ShipMap,
): readonly { readonly place: Room; readonly name: string; readonly visual: boolean }[] {
  const sitesOf = tasksOn(map).flatMap(({ title, visual: isVisual, steps }) =>
    steps.flatMap((step, index) =>
      roomsFor(step, map).map((place) => ({
        place,
        name: title,
        visual: isVisual && index === steps.length - 1,
      })),
    ),
  );
  const byName = Map.groupBy(sitesOf, ({ place, name }) => `${place} ${name}`);
  return [...byName.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, visual: first.visual || others.some((one) => one.visual) }],
  );
}

/** Tasks that could be dealt but not done, each with the first unreachable room. */
export function findUnreachable(
  map: ShipMap,
): readonly { readonly task: TaskSpec; readonly room: Room }[] {
  return tasksOn(map).flatMap((spec) => {
    const rooms = spec.steps.flatMap((step) => roomsFor(step, map));
    const room = rooms.find((place) => distance(map, map.button, place) === Infinity);
    return room === undefined ? [] : [{ task: spec, room }];
  });
}

function task<const Id extends string>(
  id: Id,
  title: string,
  kind: TaskKind,
  steps: readonly StepSpec[],
): TaskSpec<Id> {
  return { id, name: title, title, kind, visual: false, steps };
}

function visual<Id extends string>(spec: TaskSpec<Id>): TaskSpec<Id> {
  return { ...spec, visual: true };
}

function download<const Id extends string>(id: Id, from: Room): TaskSpec<Id> {
  const spec = task(id, 'Download Data', 'short', [at(7.5, from), at(7.5, 'Admin')]);
  return { ...spec, name: `Download Data from ${from}` };
}

function divert<const Id extends string>(id: Id, to: Room): TaskSpec<Id> {
  const spec = task(id, 'Divert Power', 'short', [at(2.5, 'Electrical'), at(2.5, to)]);
  return { ...spec, name: `Divert Power to ${to}` };
}

function at(seconds: number, ...places: readonly Room[]) {
  return { places, seconds, rounds: rounds(seconds) };
}

/* The deal: tasks and rooms of each player. Impostors get tasks too, to fake. */

export type TaskCounts = Readonly<Record<TaskKind, number>>;

/** Common tasks and their rooms are the same for everybody. A map with fewer tasks deals fewer. */
export function dealTasks(
  map: ShipMap,
  counts: TaskCounts,
  seats: readonly Colour[],
  chance: { readonly seed: number },
): BySeat<readonly Task[]> {
  const specs = Map.groupBy(tasksOn(map), ({ kind }) => kind);
  const hand = (kind: TaskKind, draw: Draw) =>
    pickSpecs(specs.get(kind) ?? [], counts[kind], draw).map((spec) => placeTask(spec, map, draw));
  const common = hand('common', createDeck(chance.seed, 'everybody'));
  return Object.fromEntries(
    seats.map((seat) => {
      const draw = createDeck(chance.seed, seat);
      return [seat, [...common, ...hand('long', draw), ...hand('short', draw)]];
    }),
  );
}

function pickSpecs(specs: readonly TaskSpec[], count: number, draw: Draw): readonly TaskSpec[] {
  const chosen: TaskSpec[] = [];
  let left = specs;
  while (chosen.length < count) {
    const spec = left[draw(left.length)];
    if (spec === undefined) break;
    chosen.push(spec);
    left = left.filter(({ title }) => title !== spec.title);
  }
  return chosen;
}

function placeTask(spec: TaskSpec, map: ShipMap, draw: Draw): Task {
  const used: Place[] = [];
  const steps = spec.steps.flatMap((step) => {
    const hasChoice = step.places.length > 1;
    const rooms = roomsFor(step, map).filter((room) => !hasChoice || !used.includes(room));
    const place = rooms[hasChoice ? draw(rooms.length) : 0];
    if (place === undefined) return [];
    used.push(place);
    return [{ place, rounds: step.rounds }];
  });
  const { id, name, kind, visual } = spec;
  return { id, name, kind, visual, steps };
}
