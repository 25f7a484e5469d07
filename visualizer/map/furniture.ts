/** Furniture: the name of a place, and everything that stands in it. */
import { type Drawn, ventSpot } from './layout.ts';
import { escaped, group, title } from './markup.ts';
import type { Plan } from './plan.ts';
import { centre, type Point } from './shape.ts';
import { SIGN_STEP, type Sign, signsIn, ventOf } from './signs.ts';

/** From the middle line of the letters of a name down to their foot, in pixels. */
const NAME_FOOT = 5;
const HALLWAY_FOOT = 4;
/** Between the middles of two task marks. */
const TASK_STEP = 14;
/** From the name of a room down to its task marks, and from there to its signs. */
const TASK_ROW = 20;
const SIGN_ROW = 26;
/** About the width of a letter of a hallway's name, and the gap between the name and the first sign. */
const LETTER = 6;
const SIGN_GAP = 20;

export function furniture(drawn: Drawn, plan: Plan): string {
  const { place, isHallway } = drawn;
  const signs = signsIn(plan, place);
  const tasks = plan.tasks.filter((task) => task.place === place);
  const vents = plan.vents.filter((vent) => vent.place === place);
  const at = isHallway ? alongHallway(drawn, signs, 0) : nameSpot(drawn, signs, tasks.length);
  const turn = isUpright(drawn) ? ` transform="rotate(-90 ${at.x} ${at.y})"` : '';
  const down = at.y + (isHallway ? HALLWAY_FOOT : NAME_FOOT);
  const left = at.x - ((tasks.length - 1) * TASK_STEP) / 2;
  return group(`class="${isHallway ? 'hallway' : 'room'}" data-furniture="${escaped(place)}"`, [
    `<text class="name" x="${at.x}" y="${down}"${turn}>${escaped(place)}</text>`,
    ...tasks.map((task, index) => mark(task, { x: left + index * TASK_STEP, y: at.y + TASK_ROW })),
    ...signs.map((sign, index) => stood(sign, signSpot(drawn, signs, { index, name: at }))),
    ...vents.map(({ id }, index) => stood(ventOf(id), ventSpot(drawn, index))),
  ]);
}

/** A task: a diamond, filled where others can see it being done. */
export function mark({ name, visual }: { name: string; visual: boolean }, { x, y }: Point): string {
  const face = visual ? 'task visual' : 'task';
  return group('', [
    title(name),
    `<path class="${face}" d="M${x} ${y - 4.5}l4.5 4.5-4.5 4.5-4.5-4.5Z"/>`,
  ]);
}

export function stood({ kind, title: words, drawing }: Sign, { x, y }: Point): string {
  return group(`class="sign ${kind}" transform="translate(${x} ${y})"`, [title(words), drawing]);
}

/** A hallway that runs up and down has its words turned. */
function isUpright({ isHallway, main }: Drawn): boolean {
  return isHallway && main.height > main.width;
}

/** Name, marks and signs of a room stand around its middle. */
function nameSpot({ main }: Drawn, signs: readonly Sign[], tasks: number): Point {
  const { x, y } = centre(main);
  const below = (tasks > 0 ? TASK_ROW : 0) + (signs.length > 0 ? SIGN_ROW : 0);
  return { x, y: Math.round(y - below / 2) };
}

function signSpot(
  drawn: Drawn,
  signs: readonly Sign[],
  { index, name }: { index: number; name: Point },
): Point {
  if (drawn.isHallway) return alongHallway(drawn, signs, index + 1);
  const left = name.x - ((signs.length - 1) * SIGN_STEP) / 2;
  return { x: left + index * SIGN_STEP, y: name.y + TASK_ROW + SIGN_ROW };
}

/** Name and signs of a hallway stand in a line around its middle: 0 is the name, then the signs. */
function alongHallway(drawn: Drawn, signs: readonly Sign[], index: number): Point {
  const { x, y } = centre(drawn.main);
  const words = drawn.place.length * LETTER;
  const tail = signs.length === 0 ? 0 : SIGN_GAP + signs.length * SIGN_STEP - SIGN_STEP / 2;
  const step = words / 2 + SIGN_GAP + (index - 1) * SIGN_STEP;
  const along = Math.round(-tail / 2 + (index === 0 ? 0 : step));
  return isUpright(drawn) ? { x, y: y + along } : { x: x + along, y };
}
