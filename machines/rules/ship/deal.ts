/** Dealing: which tasks each player gets, and in which rooms. Impostors are dealt tasks as well, to fake. */
import type { BySeat, Colour, Place } from '../../types.ts';
import { type Draw, deckOf } from '../deck.ts';
import type { ShipMap } from './map.ts';
import { sites, type Task, type TaskKind, type TaskSpec, tasksOn } from './tasks.ts';

/** How many tasks of each kind everybody gets. */
export type TaskCounts = Readonly<Record<TaskKind, number>>;

/**
 * The tasks of every seat: common, long, short. Common ones are the same for everybody, rooms included. On a map that
 * has fewer, there are fewer.
 */
export function dealt(
  map: ShipMap,
  counts: TaskCounts,
  seats: readonly Colour[],
  chance: { readonly seed: number },
): BySeat<readonly Task[]> {
  const specs = Map.groupBy(tasksOn(map), ({ kind }) => kind);
  const hand = (kind: TaskKind, draw: Draw) =>
    picked(specs.get(kind) ?? [], counts[kind], draw).map((spec) => placed(spec, map, draw));
  const common = hand('common', deckOf(chance.seed, 'everybody'));
  return Object.fromEntries(
    seats.map((seat) => {
      const draw = deckOf(chance.seed, seat);
      return [seat, [...common, ...hand('long', draw), ...hand('short', draw)]];
    }),
  );
}

/** So many tasks, no two of one title. */
function picked(specs: readonly TaskSpec[], count: number, draw: Draw): readonly TaskSpec[] {
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

function placed(spec: TaskSpec, map: ShipMap, draw: Draw): Task {
  const used: Place[] = [];
  const steps = spec.steps.flatMap((step) => {
    const hasChoice = step.places.length > 1;
    const rooms = sites(step, map).filter((room) => !hasChoice || !used.includes(room));
    const place = rooms[hasChoice ? draw(rooms.length) : 0];
    if (place === undefined) return [];
    used.push(place);
    return [{ place, rounds: step.rounds }];
  });
  const { id, name, kind, visual } = spec;
  return { id, name, kind, visual, steps };
}
