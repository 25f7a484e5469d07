/**
 * Svg: the picture of a ship, complete in itself and the same to the byte on every run.
 * The floor of every place is a group with `data-place`, so that a page can light it and put people on it.
 */
import { crawls } from './crawls.ts';
import { furniture, mark, stood } from './furniture.ts';
import { type Drawn, drawnPlaces, type Opening, openingsOf, SHIP_HEIGHT, WIDTH } from './layout.ts';
import { LOOK } from './look.ts';
import { escaped, group, title } from './markup.ts';
import type { Plan } from './plan.ts';
import { centre, chamfered, rectangle } from './shape.ts';
import { legend } from './signs.ts';

const LEGEND_HEIGHT = 60;
const HEIGHT = SHIP_HEIGHT + LEGEND_HEIGHT;
/** How far a door stops from the wall, in pixels. */
const JAMB = 3;

export function svg(plan: Plan): string {
  const drawn = drawnPlaces(plan);
  const openings = openingsOf(plan, drawn);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="ship" role="img" aria-label="${escaped(sentence(plan))}" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<style>${LOOK}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="12"/>`,
    ...openings.flatMap((opening) => passage(opening, drawn)),
    `<path class="walls" d="${drawn.map(outline).join('')}"/>`,
    ...drawn.map(floor),
    ...crawls(plan, drawn),
    ...openings.flatMap(door),
    ...drawn.map((one) => furniture(one, plan)),
    ...legendRow(plan),
    '</svg>\n',
  ].join('\n');
}

function sentence({ name, places, vents }: Plan): string {
  const hallways = places.filter((place) => place.endsWith('hallway')).length;
  return `Map of ${name}: ${places.length - hallways} rooms, ${hallways} hallways, ${vents.length} vents.`;
}

/** Walls are drawn around it first; where two floors touch they cover the wall, and there is the opening. */
function outline({ boxes, cut }: Drawn): string {
  return boxes.map((box) => (cut === 0 ? rectangle(box) : chamfered(box, cut))).join('');
}

function floor(drawn: Drawn): string {
  const kind = drawn.isHallway ? 'hallway' : 'room';
  return group(`class="${kind}" data-place="${escaped(drawn.place)}"`, [
    title(drawn.place),
    `<path class="floor" d="${outline(drawn)}"/>`,
  ]);
}

/** An opening that is none in the picture of The Skeld: a line from middle to middle. */
function passage({ edge, room, hallway }: Opening, drawn: readonly Drawn[]): readonly string[] {
  const ends = drawn.filter(({ place }) => place === room || place === hallway);
  const [from, to] = ends.map(({ main }) => centre(main));
  if (edge !== null || from === undefined || to === undefined) return [];
  return [`<path class="passage" d="M${from.x} ${from.y}L${to.x} ${to.y}"/>`];
}

function door({ edge, hasDoor, room }: Opening): readonly string[] {
  if (edge === null || !hasDoor) return [];
  const { from, to } = edge;
  const way =
    from.x === to.x
      ? `M${from.x} ${from.y + JAMB}V${to.y - JAMB}`
      : `M${from.x + JAMB} ${from.y}H${to.x - JAMB}`;
  return [`<path class="door" data-door="${escaped(room)}" d="${way}"/>`];
}

/** Between two entries of the legend, beside the width of their words; and about the width of a letter. */
const LEGEND_GAP = 44;
const LETTER = 7;
const LEGEND_LEFT = 155;

function legendRow({ name }: Plan): readonly string[] {
  const y = SHIP_HEIGHT + 22;
  const row: string[] = [`<text class="title" x="30" y="${y + 6}">${escaped(name)}</text>`];
  let x = LEGEND_LEFT;
  const add = (drawing: string, words: string) => {
    row.push(drawing, `<text class="word" x="${x + 18}" y="${y + 4}">${words}</text>`);
    // An m is as wide as two other letters.
    x += Math.round(words.replaceAll('m', 'mm').length * LETTER) + LEGEND_GAP;
  };
  add(mark({ name: 'task', visual: false }, { x: x + 6, y }), 'task');
  add(mark({ name: 'visual task', visual: true }, { x: x + 6, y }), 'visual task');
  add(`<path class="door" d="M${x - 8} ${y}h16"/>`, 'door');
  for (const [sign, words] of legend()) add(stood(sign, { x, y }), words);
  return row;
}
