/** The map of a ship as plain data, and its routes. A place is a room or a hallway. A step leads to the next place. */
import {
  HALLWAYS,
  type Hallway,
  PLACES,
  type Place,
  ROOMS,
  type Room,
  type ShipMap,
  type Vent,
} from '../../types.ts';

type WrittenMap = Omit<ShipMap, 'places' | 'openings' | 'adminTable'> & {
  readonly openings: { readonly [P in Place]?: readonly Place[] | undefined };
  readonly admin_table: Room | null;
};

/** The map that a file writes: its places are those that openings name, and an opening counts in both directions. */
export function buildMap({ openings, admin_table, doors, ...map }: WrittenMap): ShipMap {
  const written = PLACES.flatMap((from) => (openings[from] ?? []).map((to) => [from, to] as const));
  const opens = (one: Place, other: Place) =>
    written.some(([a, b]) => (a === one && b === other) || (a === other && b === one));
  // A fixed order, so that the order of a file does not decide between two routes.
  const places = PLACES.filter((one) => one === map.button || written.flat().includes(one));
  const next = places.map((one) => [one, places.filter((other) => opens(one, other))] as const);
  const built = { openings: Object.fromEntries(next), doors: [...new Set(doors)] };
  return { ...map, places, ...built, adminTable: admin_table };
}

const HALLS: readonly Place[] = HALLWAYS;

export function isHallway(place: Place): boolean {
  return HALLS.includes(place);
}

/** In the order of the map. */
export function neighbours(map: ShipMap, place: Place): readonly Place[] {
  return map.openings[place] ?? [];
}

/** Steps with all doors open. Infinity if there is no route. */
export function distance(map: ShipMap, from: Place, to: Place): number {
  return routesOf(map).open.get(from)?.get(to)?.steps ?? Infinity;
}

/**
 * The next step on a shortest route: of several, the one whose next place comes first on the map. Null if there is none
 * or the player has arrived. Nobody leaves or enters a shut room.
 */
export function nextStep(
  map: ShipMap,
  from: Place,
  to: Place,
  shut: readonly Room[],
): Place | null {
  const chart = routesOf(map);
  const ways = shut.length === 0 ? chart.open : routesAround(map, chart, shut);
  return ways.get(from)?.get(to)?.next ?? null;
}

export function ventsAt(map: ShipMap, place: Place): readonly Vent[] {
  return routesOf(map).ventsAt.get(place) ?? [];
}

export function findVent(map: ShipMap, id: number): Vent | null {
  return routesOf(map).vents.get(id) ?? null;
}

/** Steps and next place for each pair of places. `next` is null if the places are equal. */
type MapRoute = { readonly steps: number; readonly next: Place | null };
type RoutesFrom = ReadonlyMap<Place, ReadonlyMap<Place, MapRoute>>;

type MapRoutes = {
  readonly open: RoutesFrom;
  /** Routes around shut rooms, by a bit set with one bit for each room of `doors`. */
  readonly around: Map<number, RoutesFrom>;
  readonly vents: ReadonlyMap<number, Vent>;
  readonly ventsAt: ReadonlyMap<Place, readonly Vent[]>;
};

const ROUTES = new WeakMap<ShipMap, MapRoutes>();

function routesOf(map: ShipMap): MapRoutes {
  const known = ROUTES.get(map);
  if (known !== undefined) return known;
  const chart: MapRoutes = {
    open: findRoutes(map, 0),
    around: new Map(),
    vents: new Map(map.vents.map((vent) => [vent.id, vent])),
    ventsAt: Map.groupBy(map.vents, ({ place }) => place),
  };
  ROUTES.set(map, chart);
  return chart;
}

function routesAround(map: ShipMap, chart: MapRoutes, shut: readonly Room[]): RoutesFrom {
  let set = 0;
  for (const room of shut) {
    const bit = map.doors.indexOf(room);
    // A room without doors stays open.
    if (bit >= 0) set |= 1 << bit;
  }
  if (set === 0) return chart.open;
  const known = chart.around.get(set);
  if (known !== undefined) return known;
  const ways = findRoutes(map, set);
  chart.around.set(set, ways);
  return ways;
}

function findRoutes(map: ShipMap, set: number): RoutesFrom {
  const closed = new Set<Place>(map.doors.filter((_, bit) => (set & (1 << bit)) !== 0));
  const ways = new Map<Place, Map<Place, MapRoute>>(map.places.map((place) => [place, new Map()]));
  for (const to of map.places) {
    const steps = countStepsTo(map, to, closed);
    for (const [from, left] of steps) {
      const next = neighbours(map, from).find((place) => steps.get(place) === left - 1) ?? null;
      ways.get(from)?.set(to, { steps: left, next });
    }
  }
  return ways;
}

/** Steps from each place around shut doors. Openings lead both ways, so the distances hold in both directions. */
function countStepsTo(
  map: ShipMap,
  to: Place,
  closed: ReadonlySet<Place>,
): ReadonlyMap<Place, number> {
  const reached = new Map<Place, number>([[to, 0]]);
  for (const [place, steps] of reached) {
    if (closed.has(place)) continue;
    for (const next of neighbours(map, place)) {
      if (!reached.has(next) && !closed.has(next)) reached.set(next, steps + 1);
    }
  }
  return reached;
}

/*
 * The Skeld: 14 rooms, and 7 hallways that join some of them. No two rooms touch, so people meet in hallways. Every
 * room opens to each of its hallways once, which gives 13 doors for the 7 rooms with doors. Sources: the published room
 * pairs, and the Impostor server for vents and doors.
 */

export const JOINED: Readonly<Record<Hallway, readonly Room[]>> = {
  'MedBay hallway': ['Cafeteria', 'MedBay', 'Upper Engine'],
  'Engine hallway': ['Upper Engine', 'Reactor', 'Security', 'Lower Engine'],
  'Electrical hallway': ['Lower Engine', 'Electrical', 'Storage'],
  'Admin hallway': ['Cafeteria', 'Admin', 'Storage'],
  'Weapons hallway': ['Cafeteria', 'Weapons'],
  'Navigation hallway': ['Weapons', 'O2', 'Navigation', 'Shields'],
  'Shields hallway': ['Storage', 'Communications', 'Shields'],
};

/** Every vent leads to every other vent of its group and to no other group. */
const VENT_GROUPS: readonly (readonly (readonly [number, Place])[])[] = [
  [
    [0, 'Admin'],
    [1, 'Navigation hallway'],
    [2, 'Cafeteria'],
  ],
  [
    [3, 'Electrical'],
    [5, 'Security'],
    [6, 'MedBay'],
  ],
  [
    [4, 'Upper Engine'],
    [11, 'Reactor'],
  ],
  [
    [8, 'Reactor'],
    [9, 'Lower Engine'],
  ],
  [
    [7, 'Weapons'],
    [12, 'Navigation'],
  ],
  [
    [10, 'Shields'],
    [13, 'Navigation'],
  ],
];

export const SKELD: ShipMap = {
  name: 'The Skeld',
  places: PLACES,
  openings: Object.fromEntries([
    ...ROOMS.map((room) => [room, HALLWAYS.filter((hallway) => JOINED[hallway].includes(room))]),
    ...HALLWAYS.map((hallway) => [hallway, JOINED[hallway]]),
  ]),
  vents: VENT_GROUPS.flatMap(linkVents).toSorted((one, other) => one.id - other.id),
  doors: [
    'Cafeteria',
    'Storage',
    'Electrical',
    'Lower Engine',
    'Security',
    'Upper Engine',
    'MedBay',
  ],
  cameras: {
    at: 'Security',
    show: ['MedBay hallway', 'Engine hallway', 'Admin hallway', 'Navigation hallway'],
  },
  adminTable: 'Admin',
  button: 'Cafeteria',
  consoles: {
    // Two panels that two players hold together.
    reactor: ['Reactor', 'Reactor'],
    o2: ['O2', 'Admin'],
    lights: ['Electrical'],
    comms: ['Communications'],
  },
};

function linkVents(group: readonly (readonly [number, Place])[]): readonly Vent[] {
  const ids = group.map(([id]) => id);
  return group.map(([id, place]) => ({ id, place, links: ids.filter((other) => other !== id) }));
}
