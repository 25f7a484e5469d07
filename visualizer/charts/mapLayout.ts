/** Positions on the picture of The Skeld, in pixels. A hallway opens to each room it touches. */
import {
  HALLWAYS,
  type Hallway,
  type Place,
  ROOMS,
  type Room,
  type ShipMap,
} from '../../machines/types.ts';
import type { DrawnBox, DrawnPoint } from './svg.ts';

export interface MapPlan extends ShipMap {
  /** Where there is something to do; `visual` where others can see it being done. */
  readonly tasks: readonly {
    readonly place: Place;
    readonly name: string;
    readonly visual: boolean;
  }[];
}

export const WIDTH = 1250;
export const SHIP_HEIGHT = 740;

const ROOM_BOXES: Readonly<Record<Room, DrawnBox>> = {
  Cafeteria: box(440, 30, 260, 220),
  Weapons: box(905, 60, 160, 150),
  O2: box(800, 214, 125, 106),
  Navigation: box(1085, 270, 140, 140),
  Shields: box(905, 480, 160, 150),
  Communications: box(730, 615, 150, 105),
  Storage: box(520, 450, 180, 220),
  Admin: box(640, 300, 140, 125),
  Electrical: box(378, 437, 122, 105),
  'Lower Engine': box(130, 480, 160, 150),
  Security: box(262, 320, 116, 110),
  Reactor: box(25, 265, 130, 170),
  'Upper Engine': box(130, 70, 160, 150),
  MedBay: box(305, 175, 120, 120),
};

const CUTS: Readonly<Partial<Record<Room, number>>> = {
  Cafeteria: 52,
  Weapons: 34,
  Navigation: 34,
  Shields: 34,
  Reactor: 30,
};
const CUT = 14;

const HALLWAY_BOXES: Readonly<
  Record<
    Hallway,
    { readonly main: DrawnBox; readonly arms: Readonly<Partial<Record<Room, DrawnBox>>> }
  >
> = {
  'MedBay hallway': { main: box(290, 105, 150, 40), arms: { MedBay: box(345, 145, 40, 30) } },
  'Engine hallway': {
    main: box(190, 220, 40, 260),
    arms: { Reactor: box(155, 330, 35, 40), Security: box(230, 355, 32, 40) },
  },
  'Electrical hallway': {
    main: box(290, 570, 230, 40),
    arms: { Electrical: box(419, 542, 40, 28) },
  },
  'Admin hallway': { main: box(550, 250, 40, 200), arms: { Admin: box(590, 342, 50, 40) } },
  'Weapons hallway': { main: box(700, 115, 205, 40), arms: {} },
  'Navigation hallway': {
    main: box(975, 210, 40, 270),
    arms: { O2: box(925, 247, 50, 40), Navigation: box(1015, 320, 70, 40) },
  },
  'Shields hallway': {
    main: box(700, 540, 205, 40),
    arms: { Communications: box(785, 580, 40, 35) },
  },
};

/** Where the vents of a place are, in the order of their numbers: where they are in the ship, and clear of all words. */
const VENT_SPOTS: Readonly<Partial<Record<Place, readonly (readonly [number, number])[]>>> = {
  Admin: [[755, 322]],
  'Navigation hallway': [[995, 445]],
  Cafeteria: [[662, 192]],
  Electrical: [[403, 520]],
  'Upper Engine': [[156, 196]],
  Security: [[354, 409]],
  MedBay: [[399, 272]],
  Weapons: [[1030, 172]],
  Reactor: [
    [114, 411],
    [114, 289],
  ],
  'Lower Engine': [[156, 504]],
  Shields: [[1030, 517]],
  Navigation: [
    [1125, 297],
    [1125, 383],
  ],
};

export function placeVent({ place, main }: PlacedRoom, index: number): DrawnPoint {
  const free = [main.x + CORNER + index * VENT_STEP, main.y + main.height - CORNER] as const;
  const [x, y] = VENT_SPOTS[place]?.[index] ?? free;
  return { x, y };
}

const CORNER = 20;
const VENT_STEP = 30;

export interface PlacedRoom {
  readonly place: Place;
  readonly isHallway: boolean;
  readonly main: DrawnBox;
  readonly boxes: readonly DrawnBox[];
  readonly cut: number;
}

export type MapOpening = ReturnType<typeof findOpenings>[number];

export function placeRooms(plan: MapPlan): readonly PlacedRoom[] {
  const rooms = ROOMS.filter((room) => plan.places.includes(room)).map((place): PlacedRoom => {
    const main = ROOM_BOXES[place];
    return { place, isHallway: false, main, boxes: [main], cut: CUTS[place] ?? CUT };
  });
  const hallways = HALLWAYS.filter((hallway) => plan.places.includes(hallway)).map(
    (place): PlacedRoom => {
      const { main, arms } = HALLWAY_BOXES[place];
      const led = ROOMS.filter((room) => plan.openings[place]?.includes(room));
      const boxes = [main, ...led.flatMap((room) => arms[room] ?? [])];
      return { place, isHallway: true, main, boxes, cut: 0 };
    },
  );
  return [...rooms, ...hallways];
}

export function findOpenings(plan: MapPlan, drawn: readonly PlacedRoom[]) {
  return drawn.flatMap((one, index) =>
    drawn.slice(index + 1).flatMap((other) => {
      if (plan.openings[one.place]?.includes(other.place) !== true) return [];
      const edges = one.boxes.flatMap((a) => other.boxes.map((b) => findSharedEdge(a, b)));
      const hasDoor = plan.doors.some((room) => room === one.place || room === other.place);
      const edge = edges.find((found) => found !== null) ?? null;
      return [{ room: one.place, hallway: other.place, edge, hasDoor }];
    }),
  );
}

function box(x: number, y: number, width: number, height: number): DrawnBox {
  return { x, y, width, height };
}

export function findCentre({ x, y, width, height }: DrawnBox): DrawnPoint {
  return { x: x + width / 2, y: y + height / 2 };
}

export function findSharedEdge(one: DrawnBox, other: DrawnBox) {
  const left = Math.max(one.x, other.x);
  const right = Math.min(one.x + one.width, other.x + other.width);
  const top = Math.max(one.y, other.y);
  const bottom = Math.min(one.y + one.height, other.y + other.height);
  const isSide = left === right && top < bottom;
  const isLevel = top === bottom && left < right;
  if (!isSide && !isLevel) return null;
  return { from: { x: left, y: top }, to: { x: right, y: bottom } };
}

export function drawChamfered({ x, y, width, height }: DrawnBox, cut: number): string {
  const [right, bottom] = [x + width, y + height];
  return [
    `M${x + cut} ${y}H${right - cut}L${right} ${y + cut}`,
    `V${bottom - cut}L${right - cut} ${bottom}`,
    `H${x + cut}L${x} ${bottom - cut}V${y + cut}Z`,
  ].join('');
}

export function drawRectangle({ x, y, width, height }: DrawnBox): string {
  return `M${x} ${y}H${x + width}V${y + height}H${x}Z`;
}
