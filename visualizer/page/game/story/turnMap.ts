/** Lays out the map of a turn in pixels. Only the data that is sent to the seat is used. */
import { capitalize } from '../../../../machines/text.ts';
import type { MapTarget, OfferedAction, TurnScene } from '../../../../machines/turnPrompt.ts';
import type { Colour, Place } from '../../../../machines/types.ts';
import {
  findCentre,
  type MapPlan,
  type PlacedRoom,
  placeRooms,
  placeVent,
} from '../../../charts/mapLayout.ts';
import type { DrawnBox, DrawnPoint } from '../../../charts/svg.ts';
import type { Token } from './ship.ts';

const [LEFT, TOP, LONG, SHORT] = [12, 18, 1226, 712];

export type MapFrame = Readonly<ReturnType<typeof fitMap>>;

/** A screen that is higher than wide by this factor has the ship upright. */
const UPRIGHT_FROM = 1.15;

/** `unit` is units of the picture to a pixel of the screen. */
export function fitMap(width: number, height: number) {
  const isUpright = height > width * UPRIGHT_FROM;
  const [across, down] = isUpright ? [SHORT, LONG] : [LONG, SHORT];
  const unit = Math.max(across / width, down / height);
  return { isUpright, unit, width: across / unit, height: down / unit };
}

export function frameMap({ isUpright }: Pick<MapFrame, 'isUpright'>) {
  return isUpright
    ? { matrix: `matrix(0 -1 1 0 ${-TOP} ${LEFT + LONG})`, viewBox: `0 0 ${SHORT} ${LONG}` }
    : { matrix: `translate(${-LEFT} ${-TOP})`, viewBox: `0 0 ${LONG} ${SHORT}` };
}

function turnBox({ x, y, width, height }: DrawnBox, { isUpright }: MapFrame): DrawnBox {
  return isUpright
    ? { x: y - TOP, y: LEFT + LONG - x - width, width: height, height: width }
    : { x: x - LEFT, y: y - TOP, width, height };
}

export type TurnOrder = Pick<OfferedAction, 'label' | 'hint'> & {
  readonly action: OfferedAction['action'] | null;
};

export type SeenToken = Token & { readonly words: string };

export type TouchedTarget = {
  readonly key: string;
  readonly kind: MapTarget['kind'];
  readonly box: DrawnBox;
  readonly name: string;
  readonly orders: readonly TurnOrder[];
};

export type LaidTurnMap = {
  readonly tokens: readonly SeenToken[];
  readonly targets: readonly TouchedTarget[];
  readonly heads: readonly (DrawnPoint & { readonly text: string })[];
};

type TurnMapOptions = {
  readonly you: Colour;
  readonly scene: TurnScene;
  readonly actions: readonly OfferedAction[];
  readonly goesOn: string | null;
  readonly plan: MapPlan;
  readonly frame: MapFrame;
  readonly least: number;
};

type Item = {
  readonly kind: MapTarget['kind'];
  readonly of: string;
  readonly token: Omit<SeenToken, 'x' | 'y'> | null;
  readonly orders: readonly TurnOrder[];
};

/** Units of the picture: how thick a hallway is to the touch, and the most that a target is apart from the next. */
const HALLWAY_REACH = 96;
const WIDEST_CELL = 46;
const LEAST_CELL = 12;
/** By which cells shrink where they are too many, and the share of a cell that a vent takes. */
const CLOSER = 0.85;
const CLEAR_OF_VENT = 0.9;
/** Units per pixel above which a touch selects the whole place. */
const MOST_APART = 1.75;
const GAP = 4;
const HEADS_IN = 24;
/** Half the height of a name, and the lift of a name above the button, in units. */
const HALF_NAME = 11;
const NAME_RISE = 18;

export function layOutTurnMap(options: TurnMapOptions): LaidTurnMap {
  const { actions, plan, frame } = options;
  const tokens: SeenToken[] = [];
  const places: TouchedTarget[] = [];
  const others: TouchedTarget[] = [];
  const heads: LaidTurnMap['heads'][number][] = [];
  const size = Math.max(options.least * frame.unit, HALF_NAME * 2);
  const cell = size + GAP * frame.unit;
  for (const drawn of placeRooms(plan)) {
    const { place } = drawn;
    const items = listItems(place, options);
    const count = options.scene.heads?.[place];
    const corner = turnBox(drawn.main, frame);
    if (count !== undefined)
      heads.push({ x: corner.x + HEADS_IN, y: corner.y + HEADS_IN, text: `×${count}` });
    const room = turnRoom(drawn, options);
    const apart = frame.unit > MOST_APART ? null : layOutItems(room, items, cell);
    const spots = apart ?? crowd(room, items);
    for (const [index, { kind, of, token, orders }] of items.entries()) {
      const { x, y } = spots[index] ?? room.name;
      const box = { x: x - size / 2, y: y - size / 2, width: size, height: size };
      if (token !== null) tokens.push({ ...token, ...findCentre(box) });
      if (apart === null || orders.length === 0) continue;
      others.push({ key: `${kind} ${of} ${place}`, kind, box, name: nameItem(kind, of), orders });
    }
    const walks = actions.filter(({ target }) => target.kind === 'place' && target.place === place);
    walks.sort((one, other) => Number(isShutting(one)) - Number(isShutting(other)));
    const all = apart === null ? [...items.flatMap((item) => item.orders), ...walks] : walks;
    if (all.length === 0) continue;
    const box = turnBox(widen(drawn), frame);
    places.push({ key: `place ${place}`, kind: 'place', box, name: place, orders: all });
  }
  return { tokens, targets: [...places, ...others], heads };
}

function isShutting({ action }: OfferedAction): boolean {
  return action['type'] === 'shut';
}

function nameItem(kind: MapTarget['kind'], of: string): string {
  return kind === 'self' ? 'You' : kind === 'body' ? `Body of ${capitalize(of)}` : capitalize(of);
}

function listItems(place: Place, { you, scene, actions, goesOn }: TurnMapOptions): readonly Item[] {
  const own = actions.filter(({ target }) => target.place === place && target.kind !== 'place');
  const groups = Map.groupBy(own, ({ target: { kind, of } }) => `${kind} ${of}`);
  const take = (key: string) => {
    const found = groups.get(key) ?? [];
    groups.delete(key);
    return found;
  };
  const tokens = scene.seen.filter((each) => each.place === place);
  return [
    ...(scene.place === place
      ? [describeSelf(you, scene, [...goOn(goesOn), ...take('self ')])]
      : []),
    ...tokens.map(({ seat, isDead, ago }): Item => {
      const kind = isDead ? 'body' : 'player';
      const words = describeSeen(isDead ? 'lies dead' : 'is', ago);
      const token = {
        seat,
        place,
        kind: isDead ? ('body' as const) : ago === 0 ? ('living' as const) : ('glimpse' as const),
        words: `${capitalize(seat)} ${words} in ${place}.`,
      };
      return { kind, of: seat, token, orders: take(`${kind} ${seat}`) };
    }),
    ...[...groups.values()].flatMap((group): readonly Item[] => {
      const [first] = group;
      if (first === undefined) return [];
      const { kind, of } = first.target;
      return [{ kind, of, token: null, orders: group }];
    }),
  ];
}

export function goOn(goesOn: string | null): readonly TurnOrder[] {
  return goesOn === null ? [] : [{ label: `Go on ${goesOn}`, hint: '', action: null }];
}

function describeSelf(seat: Colour, scene: TurnScene, orders: readonly TurnOrder[]): Item {
  const { place, vent } = scene;
  const isOut = vent === null;
  const words = `You are in ${isOut ? '' : 'a vent in '}${place}.`;
  const token = { seat, place, kind: isOut ? ('living' as const) : ('vent' as const), words };
  return { kind: 'self', of: isOut ? seat : String(vent), token, orders };
}

function describeSeen(is: string, ago: number): string {
  return ago === 0 ? is : `was seen ${ago} s ago${is === 'is' ? '' : ', dead,'}`;
}

type TurnedRoom = Readonly<ReturnType<typeof turnRoom>>;

function turnRoom(drawn: PlacedRoom, { plan, frame }: TurnMapOptions) {
  const { place, isHallway } = drawn;
  const main = turnBox(drawn.main, frame);
  const { x, y } = findCentre(main);
  const rise = place === plan.button && !frame.isUpright ? NAME_RISE : 0;
  const vents = plan.vents
    .filter((vent) => vent.place === place)
    .map(({ id }, index) => {
      const spot = turnBox({ ...placeVent(drawn, index), width: 0, height: 0 }, frame);
      return { id: String(id), ...spot };
    });
  return { main, isHallway, name: { x, y: y - rise }, vents };
}

/** A centre for each item that covers no other item, name or vent, or null if they don't fit. */
function layOutItems(
  room: TurnedRoom,
  items: readonly Item[],
  cell: number,
): readonly DrawnPoint[] | null {
  const { vents } = room;
  const free = listCells(room, cell).filter(({ x, y }) =>
    vents.every(
      (vent) => Math.max(Math.abs(vent.x - x), Math.abs(vent.y - y)) >= cell * CLEAR_OF_VENT,
    ),
  );
  const spots: DrawnPoint[] = [];
  for (const { kind, of } of items) {
    const isInVent = kind === 'vent' || kind === 'self';
    const vent = isInVent ? vents.find(({ id }) => id === of) : undefined;
    const spot = vent ?? free.shift();
    if (spot === undefined) return null;
    spots.push(spot);
  }
  return spots;
}

/** Closer together, until all have room; they are not touched one by one then. */
function crowd(room: TurnedRoom, items: readonly Item[]): readonly DrawnPoint[] {
  for (let cell = WIDEST_CELL; cell > LEAST_CELL; cell *= CLOSER) {
    const spots = layOutItems(room, items, cell);
    if (spots !== null) return spots;
  }
  return [];
}

/** The middles of the cells of a place: rows below and above its name, or a row along a hallway; from the middle outwards. */
function listCells({ main, isHallway, name }: TurnedRoom, cell: number): readonly DrawnPoint[] {
  const isTall = isHallway && main.height > main.width;
  const inRow = Math.max(1, Math.floor((isTall ? main.height : main.width) / cell));
  const along = Array.from({ length: inRow }, (_, index) => {
    const by = index % 2 === 0 ? index / 2 : -(index + 1) / 2;
    return (by + (inRow % 2 === 0 ? 0.5 : 0)) * cell;
  });
  if (isHallway)
    return along.map((by) => (isTall ? { ...name, y: name.y + by } : { ...name, x: name.x + by }));
  const rows: number[] = [];
  for (let off = HALF_NAME + cell / 2; off < main.height; off += cell) {
    if (name.y + off + cell / 2 <= main.y + main.height) rows.push(name.y + off);
    if (name.y - off - cell / 2 >= main.y) rows.push(name.y - off);
  }
  return rows.flatMap((y) => along.map((by) => ({ x: name.x + by, y })));
}

function widen({ main, isHallway }: PlacedRoom): DrawnBox {
  if (!isHallway) return main;
  const isTall = main.height > main.width;
  const more = Math.max(0, HALLWAY_REACH - Math.min(main.width, main.height)) / 2;
  return isTall
    ? { ...main, x: main.x - more, width: main.width + 2 * more }
    : { ...main, y: main.y - more, height: main.height + 2 * more };
}

export const ARROWS: Readonly<Record<string, DrawnPoint>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The origin of a target for arrow keys. A place uses its corner, so that it differs from its contents. */
function anchorOf({ kind, box }: TouchedTarget): DrawnPoint {
  return kind === 'place' ? { x: box.x + CORNER, y: box.y + CORNER } : findCentre(box);
}

const CORNER = 8;

/** The nearest target in a direction: in the quarter of the map that lies there, else anywhere ahead; null where none is. */
export function findNext(
  targets: readonly TouchedTarget[],
  from: TouchedTarget,
  way: DrawnPoint,
): TouchedTarget | null {
  const start = anchorOf(from);
  const found = targets.flatMap((target) => {
    const { x, y } = anchorOf(target);
    const ahead = (x - start.x) * way.x + (y - start.y) * way.y;
    const aside = Math.abs((x - start.x) * way.y + (y - start.y) * way.x);
    const far = Math.hypot(ahead, aside) + (aside > ahead ? BESIDE : 0);
    return ahead < 1 ? [] : [{ target, far }];
  });
  return found.toSorted((one, other) => one.far - other.far)[0]?.target ?? null;
}

const BESIDE = 1e6;
