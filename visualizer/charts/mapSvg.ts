/** The picture of a ship as SVG. `data-active` lights a place. */
import type { Place } from '../../machines/types.ts';
import {
  drawChamfered,
  drawRectangle,
  findCentre,
  findOpenings,
  type MapOpening,
  type MapPlan,
  type PlacedRoom,
  placeRooms,
  placeVent,
  SHIP_HEIGHT,
  WIDTH,
} from './mapLayout.ts';
import { type DrawnPoint, drawGroup, drawTitle, escapeXml, listColours, SANS } from './svg.ts';

const LEGEND_HEIGHT = 60;
const HEIGHT = SHIP_HEIGHT + LEGEND_HEIGHT;
/** How far a door stops from the wall, in pixels. */
const JAMB = 3;

export function drawMap(plan: MapPlan): string {
  const drawn = placeRooms(plan);
  const openings = findOpenings(plan, drawn);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="ship" role="img" aria-label="${escapeXml(describeMap(plan))}" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="12"/>`,
    ...openings.flatMap((opening) => drawPassage(opening, drawn)),
    `<path class="walls" d="${drawn.map(drawOutline).join('')}"/>`,
    ...drawn.map(drawFloor),
    ...drawVentLinks(plan, drawn),
    ...openings.flatMap(drawDoor),
    ...drawn.map((one) => drawFurniture(one, plan)),
    ...drawLegend(plan),
    '</svg>\n',
  ].join('\n');
}

function describeMap({ name, places, vents }: MapPlan): string {
  const hallways = places.filter((place) => place.endsWith('hallway')).length;
  return `Map of ${name}: ${places.length - hallways} rooms, ${hallways} hallways, ${vents.length} vents.`;
}

/** Walls are drawn around it first; where two floors touch they cover the wall, and there is the opening. */
function drawOutline({ boxes, cut }: PlacedRoom): string {
  return boxes.map((box) => (cut === 0 ? drawRectangle(box) : drawChamfered(box, cut))).join('');
}

function drawFloor(drawn: PlacedRoom): string {
  const kind = drawn.isHallway ? 'hallway' : 'room';
  return drawGroup(`class="${kind}" data-place="${escapeXml(drawn.place)}"`, [
    drawTitle(drawn.place),
    `<path class="floor" d="${drawOutline(drawn)}"/>`,
  ]);
}

function drawPassage(
  { edge, room, hallway }: MapOpening,
  drawn: readonly PlacedRoom[],
): readonly string[] {
  const ends = drawn.filter(({ place }) => place === room || place === hallway);
  const [from, to] = ends.map(({ main }) => findCentre(main));
  if (edge !== null || from === undefined || to === undefined) return [];
  return [`<path class="passage" d="M${from.x} ${from.y}L${to.x} ${to.y}"/>`];
}

function drawDoor({ edge, hasDoor, room }: MapOpening): readonly string[] {
  if (edge === null || !hasDoor) return [];
  const { from, to } = edge;
  const way =
    from.x === to.x
      ? `M${from.x} ${from.y + JAMB}V${to.y - JAMB}`
      : `M${from.x + JAMB} ${from.y}H${to.x - JAMB}`;
  return [`<path class="door" data-door="${escapeXml(room)}" d="${way}"/>`];
}

/** Between two entries of the legend, beside the width of their words; and about the width of a letter. */
const LEGEND_GAP = 44;
const LEGEND_LETTER = 7;
const LEGEND_LEFT = 155;

function drawLegend({ name }: MapPlan): readonly string[] {
  const y = SHIP_HEIGHT + 22;
  const row: string[] = [`<text class="title" x="30" y="${y + 6}">${escapeXml(name)}</text>`];
  let x = LEGEND_LEFT;
  const add = (drawing: string, words: string) => {
    row.push(drawing, `<text class="word" x="${x + 18}" y="${y + 4}">${words}</text>`);
    // An m is as wide as two other letters.
    x += Math.round(words.replaceAll('m', 'mm').length * LEGEND_LETTER) + LEGEND_GAP;
  };
  add(drawTask({ name: 'task', visual: false }, { x: x + 6, y }), 'task');
  add(drawTask({ name: 'visual task', visual: true }, { x: x + 6, y }), 'visual task');
  add(`<path class="door" d="M${x - 8} ${y}h16"/>`, 'door');
  for (const [sign, words] of listLegend()) add(drawSign(sign, { x, y }), words);
  return row;
}

/** From the middle line of the letters of a name down to their foot, in pixels. */
const NAME_FOOT = 5;
const HALLWAY_FOOT = 4;
const TASK_STEP = 14;
/** From the name of a room down to its task marks, and from there to its signs. */
const TASK_ROW = 20;
const SIGN_ROW = 26;
/** About the width of a letter of a hallway's name, and the gap between the name and the first sign. */
const LETTER = 6;
const SIGN_GAP = 20;

function drawFurniture(drawn: PlacedRoom, plan: MapPlan): string {
  const { place, isHallway } = drawn;
  const signs = listSigns(plan, place);
  const tasks = plan.tasks.filter((task) => task.place === place);
  const vents = plan.vents.filter((vent) => vent.place === place);
  const at = isHallway ? placeAlongHallway(drawn, signs, 0) : placeName(drawn, signs, tasks.length);
  const turn = isUpright(drawn) ? ` transform="rotate(-90 ${at.x} ${at.y})"` : '';
  const down = at.y + (isHallway ? HALLWAY_FOOT : NAME_FOOT);
  const left = at.x - ((tasks.length - 1) * TASK_STEP) / 2;
  return drawGroup(
    `class="${isHallway ? 'hallway' : 'room'}" data-furniture="${escapeXml(place)}"`,
    [
      `<text class="name" x="${at.x}" y="${down}"${turn}>${escapeXml(place)}</text>`,
      ...tasks.map((task, index) =>
        drawTask(task, { x: left + index * TASK_STEP, y: at.y + TASK_ROW }),
      ),
      ...signs.map((sign, index) => drawSign(sign, placeSign(drawn, signs, { index, name: at }))),
      ...vents.map(({ id }, index) => drawSign(createVentSign(id), placeVent(drawn, index))),
    ],
  );
}

function drawTask({ name, visual }: { name: string; visual: boolean }, { x, y }: DrawnPoint) {
  const face = visual ? 'task visual' : 'task';
  return drawGroup('', [
    drawTitle(name),
    `<path class="${face}" d="M${x} ${y - 4.5}l4.5 4.5-4.5 4.5-4.5-4.5Z"/>`,
  ]);
}

function drawSign({ kind, title: words, drawing }: MapSign, { x, y }: DrawnPoint): string {
  return drawGroup(`class="sign ${kind}" transform="translate(${x} ${y})"`, [
    drawTitle(words),
    drawing,
  ]);
}

function isUpright({ isHallway, main }: PlacedRoom): boolean {
  return isHallway && main.height > main.width;
}

function placeName({ main }: PlacedRoom, signs: readonly MapSign[], tasks: number): DrawnPoint {
  const { x, y } = findCentre(main);
  const below = (tasks > 0 ? TASK_ROW : 0) + (signs.length > 0 ? SIGN_ROW : 0);
  return { x, y: Math.round(y - below / 2) };
}

function placeSign(
  drawn: PlacedRoom,
  signs: readonly MapSign[],
  { index, name }: { index: number; name: DrawnPoint },
): DrawnPoint {
  if (drawn.isHallway) return placeAlongHallway(drawn, signs, index + 1);
  const left = name.x - ((signs.length - 1) * SIGN_STEP) / 2;
  return { x: left + index * SIGN_STEP, y: name.y + TASK_ROW + SIGN_ROW };
}

function placeAlongHallway(room: PlacedRoom, signs: readonly MapSign[], index: number): DrawnPoint {
  const { x, y } = findCentre(room.main);
  const words = room.place.length * LETTER;
  const tail = signs.length === 0 ? 0 : SIGN_GAP + signs.length * SIGN_STEP - SIGN_STEP / 2;
  const step = words / 2 + SIGN_GAP + (index - 1) * SIGN_STEP;
  const along = Math.round(-tail / 2 + (index === 0 ? 0 : step));
  return isUpright(room) ? { x, y: y + along } : { x: x + along, y };
}

interface MapSign {
  readonly kind: 'vent' | 'console' | 'watch' | 'button';
  readonly title: string;
  readonly drawing: string;
}

const SIGN_STEP = 30;

const PLATE = '<circle class="plate" r="11"/>';
const CONSOLES: Readonly<Record<string, string>> = {
  reactor: `${PLATE}<circle class="solid" r="1.8"/><ellipse rx="7.5" ry="3" transform="rotate(35)"/><ellipse rx="7.5" ry="3" transform="rotate(-35)"/>`,
  o2: `${PLATE}<text y="3.8">O₂</text>`,
  lights: `${PLATE}<path class="solid" d="M2-7.5-5 1H-.5L-2 7.5 5-1H.5Z"/>`,
  comms: `${PLATE}<path d="M0 7V0M-4 7H4M-3-3A4 4 0 0 1 3-3M-6-5.5A8 8 0 0 1 6-5.5"/><circle class="solid" r="1.6"/>`,
};
const MONITOR =
  '<rect class="plate" x="-11" y="-9" width="22" height="15" rx="2"/><path d="M0 6V9M-5 9H5"/><circle class="solid" cx="6" cy="-4" r="1.5"/><path d="M-7 2-3-3 0 0 3-2.5"/>';
const TABLE =
  '<rect class="plate" x="-11" y="-8" width="22" height="16" rx="2"/><path d="M-11 0H11M-3.7-8V8M3.7-8V8"/>';
const CAMERA =
  '<rect class="plate" x="-10" y="-6" width="13" height="11" rx="2"/><path class="solid" d="M4-.5 9-4.5V3.5Z"/><circle class="solid" cx="-3.5" cy="-.5" r="2"/>';
const BUTTON = '<circle class="plate" r="11"/><circle class="solid" r="7"/>';

function listSigns(plan: MapPlan, place: Place): readonly MapSign[] {
  const { cameras } = plan;
  return [
    ...(plan.button === place ? [createSign('button', 'emergency button', BUTTON)] : []),
    ...Object.entries(plan.consoles).flatMap(([system, rooms]) =>
      rooms.filter((room) => room === place).map(() => createConsoleSign(system)),
    ),
    ...(cameras?.at === place ? [createSign('watch', 'screens of the cameras', MONITOR)] : []),
    ...(plan.adminTable === place ? [createSign('watch', 'Admin table', TABLE)] : []),
    ...(cameras?.show.includes(place) ? [createSign('watch', 'seen by a camera', CAMERA)] : []),
  ];
}

function listLegend(): readonly (readonly [MapSign, string])[] {
  return [
    [createVentSign('n'), 'vent'],
    [createConsoleSign('reactor'), 'reactor'],
    [createConsoleSign('o2'), 'oxygen'],
    [createConsoleSign('lights'), 'lights'],
    [createConsoleSign('comms'), 'comms'],
    [createSign('watch', 'seen by a camera', CAMERA), 'camera'],
    [createSign('watch', 'screens of the cameras', MONITOR), 'screens'],
    [createSign('watch', 'Admin table', TABLE), 'Admin table'],
    [createSign('button', 'emergency button', BUTTON), 'button'],
  ];
}

function createSign(kind: MapSign['kind'], title: string, drawing: string): MapSign {
  return { kind, title, drawing };
}

function createConsoleSign(system: string): MapSign {
  return createSign('console', `fix ${system}`, CONSOLES[system] ?? PLATE);
}

function createVentSign(id: number | 'n'): MapSign {
  const slats =
    '<rect class="plate" x="-13" y="-9" width="26" height="18" rx="3"/><path d="M-9.5-5V5M9.5-5V5"/>';
  return createSign('vent', `vent ${id}`, `${slats}<text y="3.8">${id}</text>`);
}

const BEND = 0.07;

function drawVentLinks(plan: MapPlan, drawn: readonly PlacedRoom[]): readonly string[] {
  const spots = new Map(
    drawn.flatMap((one) =>
      plan.vents
        .filter(({ place }) => place === one.place)
        .map(({ id }, index) => [id, placeVent(one, index)] as const),
    ),
  );
  return plan.vents.flatMap(({ id, links }) =>
    links.flatMap((link) => {
      const [from, to] = [spots.get(id), spots.get(link)];
      return link <= id || from === undefined || to === undefined ? [] : [drawVentLink(from, to)];
    }),
  );
}

function drawVentLink(one: DrawnPoint, other: DrawnPoint): string {
  const [from, to] = one.x <= other.x ? [one, other] : [other, one];
  const x = Math.round((from.x + to.x) / 2 - (to.y - from.y) * BEND);
  const y = Math.round((from.y + to.y) / 2 + (to.x - from.x) * BEND);
  return `<path class="crawl" d="M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}"/>`;
}

const SHADES = {
  ground: ['#f6f7f9', '#0d1117'],
  wall: ['#8a94a6', '#4d596b'],
  room: ['#ffffff', '#1d2532'],
  hallway: ['#e6ebf2', '#161d28'],
  ink: ['#1b2330', '#e9eef5'],
  muted: ['#566072', '#a3adbb'],
  door: ['#b3541e', '#f0a35e'],
  vent: ['#2f6f4f', '#7fd1a5'],
  task: ['#8a6d00', '#f2cf4a'],
  console: ['#1d4f9f', '#9cc3ff'],
  watch: ['#6b3fa0', '#cdaeff'],
  button: ['#b3261e', '#ff8a80'],
  active: ['#c2185b', '#ff6fa5'],
} as const;

const STYLE = [
  ...listColours('ship', 'ship', SHADES),
  `.ship text{font-family:${SANS};fill:var(--ship-ink)}`,
  '.ship .ground{fill:var(--ship-ground)}',
  '.ship .walls{fill:var(--ship-wall);stroke:var(--ship-wall);stroke-width:5;stroke-linejoin:round}',
  '.ship .floor{fill:var(--ship-room)}',
  '.ship .hallway>.floor{fill:var(--ship-hallway)}',
  '.ship .passage{stroke:var(--ship-hallway);stroke-width:16;stroke-linecap:round}',
  '.ship .name{font-size:14.5px;font-weight:650;text-anchor:middle}',
  '.ship .hallway .name{font-size:10.5px;font-weight:500;fill:var(--ship-muted)}',
  '.ship .title{font-size:19px;font-weight:700}',
  '.ship .word{font-size:12px;fill:var(--ship-muted)}',
  '.ship .door{stroke:var(--ship-door);stroke-width:5;stroke-linecap:round}',
  '.ship .task{fill:none;stroke:var(--ship-task);stroke-width:1.5}',
  '.ship .visual{fill:var(--ship-task)}',
  '.ship .crawl{fill:none;stroke:var(--ship-vent);stroke-width:1.4;stroke-dasharray:2 5;stroke-linecap:round;opacity:.75}',
  '.ship .sign{fill:none;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}',
  '.ship .sign .plate{fill:var(--ship-room)}',
  '.ship .sign .solid{fill:currentColor;stroke:none}',
  '.ship .sign text{font-size:10.5px;font-weight:700;text-anchor:middle;fill:currentColor;stroke:none}',
  ...['vent', 'console', 'watch', 'button'].map(
    (kind) => `.ship .sign.${kind}{color:var(--ship-${kind});stroke:currentColor}`,
  ),
  '.ship [data-active]>.floor{stroke:var(--ship-active);stroke-width:3}',
].join('\n');
