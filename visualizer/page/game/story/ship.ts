import type { SeenGame } from '../../../../machines/journal/lens.ts';
import {
  countTasks,
  type ShipState,
  tasksPerPlayer,
} from '../../../../machines/journal/projection.ts';
import { buildMap } from '../../../../machines/rules/ship/map.ts';
import { stepsInLight, walkWithin } from '../../../../machines/rules/ship/sight.ts';
import { pluralize } from '../../../../machines/text.ts';
import type { Colour, Place, Role } from '../../../../machines/types.ts';
import { type MapPlan, type PlacedRoom, placeRooms, placeVent } from '../../../charts/mapLayout.ts';
import type { DrawnPoint } from '../../../charts/svg.ts';

type StandingToken = {
  readonly seat: Colour;
  /** `glimpse` is a player's last sighting through another player's eyes. */
  readonly kind: 'living' | 'vent' | 'body' | 'glimpse';
  readonly place: Place;
};
export type Token = StandingToken & DrawnPoint;

const TOKEN_STEP = 58;
const CLOSE_STEP = 46;
const FROM_WALL = 24;
/** From the middle of a room down to its rows of tokens: the first is below its name, the second above. */
const ROW_OFFSETS = [34, -34] as const;
const BUTTON_ROW_OFFSETS = [72, -76, 16] as const;

export function layOutTokens(ship: ShipState, plan: MapPlan): readonly Token[] {
  const standing = [...standingPlayers(ship), ...lyingBodies(ship)];
  return placeRooms(plan).flatMap((drawn) => {
    const here = standing.filter(({ place }) => place === drawn.place);
    const vents = here.filter(({ kind }) => kind === 'vent');
    const others = here.filter(({ kind }) => kind !== 'vent');
    const offsets = drawn.isHallway
      ? [0]
      : drawn.place === plan.button
        ? BUTTON_ROW_OFFSETS
        : ROW_OFFSETS;
    const spots = listSpots(drawn, others.length, offsets);
    return [
      ...others.flatMap((one, index) =>
        spots.slice(index, index + 1).map((at) => ({ ...one, ...at })),
      ),
      ...vents.map((one, index) => ({ ...one, ...placeVent(drawn, index) })),
    ];
  });
}

function standingPlayers(ship: ShipState): readonly StandingToken[] {
  const { seats, places, inVents, lens, lastSeen } = ship;
  return seats.flatMap(({ colour: seat }): readonly StandingToken[] => {
    const place = places[seat];
    if (place !== undefined)
      return [{ seat, place, kind: inVents.includes(seat) ? 'vent' : 'living' }];
    const glimpse = lastSeen[seat];
    if (glimpse === undefined || lens.type !== 'player') return [];
    return [{ seat, place: glimpse.place, kind: glimpse.did === 'dead' ? 'body' : 'glimpse' }];
  });
}

function lyingBodies({ bodies: lying, lastSeen }: ShipState): readonly StandingToken[] {
  return lying
    .filter(({ victim }) => lastSeen[victim]?.did !== 'dead')
    .map(({ victim, place }) => ({ seat: victim, place, kind: 'body' }));
}

/** Spots for `all` tokens of a place, in as few rows as they fit into, as even as can be; hallways have one row along them. */
function listSpots(
  { main, isHallway }: PlacedRoom,
  all: number,
  offsets: readonly number[],
): readonly DrawnPoint[] {
  const isUpright = isHallway && main.height > main.width;
  const length = (isUpright ? main.height : main.width) - 2 * FROM_WALL;
  const fits = Math.floor(length / CLOSE_STEP) + 1;
  const rows = offsets.slice(0, Math.max(1, Math.ceil(all / fits)));
  const [x, y] = [main.x + main.width / 2, main.y + main.height / 2];
  return rows.flatMap((offset, row) => {
    const inRow = Math.ceil((all - row) / rows.length);
    const step = Math.min(TOKEN_STEP, length / Math.max(1, inRow - 1));
    return Array.from({ length: inRow }, (_, index) => {
      const along = (index - (inRow - 1) / 2) * step;
      return isUpright ? { x, y: y + along } : { x: x + along, y: y + offset };
    });
  });
}

export function listVisible(
  { places: standing, sabotage, options, shutDoors }: ShipState,
  plan: MapPlan,
  { seat, role }: { readonly seat: Colour; readonly role: Role | null },
): readonly Place[] {
  const from = standing[seat];
  if (from === undefined || !plan.places.includes(from)) return [];
  const isDark = role !== 'impostor' && sabotage?.system === 'lights';
  if (isDark) return from.endsWith('hallway') ? [from] : [];
  const { impostor_vision, crew_vision } = options;
  const vision = (role === 'impostor' ? impostor_vision : crew_vision) ?? 1;
  return walkWithin(plan, shutDoors, stepsInLight(vision), from);
}

export function readPlan(map: SeenGame['map'], skeld: MapPlan): MapPlan {
  if (map === 'skeld') return skeld;
  const built = buildMap(map);
  return { ...built, tasks: skeld.tasks.filter(({ place }) => built.places.includes(place)) };
}

export function readTaskBar(ship: ShipState) {
  const { tasksDone, taskSteps, lens } = ship;
  if (lens.type === 'player') {
    const [done, all] = [tasksDone[lens.seat] ?? 0, tasksPerPlayer(ship)];
    return { done, all, words: `${done} of ${all} own tasks` };
  }
  if (lens.type === 'table') {
    return taskSteps === 0
      ? null
      : { done: 0, all: 0, words: `${pluralize(taskSteps, 'step')} of tasks done` };
  }
  const { done, all } = countTasks(ship);
  return { done, all, words: `${done} of ${all} tasks` };
}
