/** The card of a match as an SVG picture for sharing, set in Space Grotesk and drawn without a browser. */
import type { KnownPlayer } from '../../machines/journal/projection.ts';
import { capitalize } from '../../machines/text.ts';
import { drawGroup, escapeXml } from '../charts/svg.ts';
import { findVendor, joinParts, nameMind } from '../identity.ts';
import type { CardFact } from '../page/game/story/cards.ts';
import { clean } from '../terminal/layout.ts';
import { badgeOf } from '../text.ts';
import type { CardContents } from './contents.ts';

export const CARD_SHAPES = {
  wide: { width: 1200, height: 630 },
  tall: { width: 1080, height: 1920 },
} as const;

export const CARD_NAMES = ['wide', 'tall'] as const;
export type CardShape = (typeof CARD_NAMES)[number];

type ShapeLayout = {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  /** Letter sizes are multiples of a unit. The first unit that fits everything is used. */
  readonly units: readonly [number, ...number[]];
  /** The gap between the cast and the facts beside it, or 0 if the facts are below the cast. */
  readonly gap: number;
  readonly lines: readonly [title: number, headline: number, rules: number, fact: number];
};

type CardLayout = Omit<ShapeLayout, 'units'> & { readonly unit: number };

const LAYOUTS: Readonly<Record<CardShape, ShapeLayout>> = {
  wide: { ...CARD_SHAPES.wide, margin: 48, units: [1.15, 1], gap: 44, lines: [1, 2, 1, 4] },
  tall: { ...CARD_SHAPES.tall, margin: 68, units: [2.2, 1.9, 1.6], gap: 0, lines: [2, 3, 2, 5] },
};

const INK = '#e8f0fa';
const SOFT = '#9db0c6';
const GROUND = '#0a121d';
const HEAD = '#122338';
const BEAM = '#5fe3f5';
const ALARM = '#ff8a7d';
const AMBER = '#ffc46b';

export function drawCard(contents: CardContents, shape: CardShape): string {
  const { units, ...rest } = LAYOUTS[shape];
  let drawn: DrawnPart | null = null;
  for (const unit of units) {
    drawn = drawWith(contents, { ...rest, unit });
    if (drawn.isWhole) break;
  }
  return drawn?.parts.join('\n') ?? '';
}

function drawWith(contents: CardContents, layout: CardLayout): DrawnPart {
  const { width, height, unit } = layout;
  const head = drawHead(contents, layout);
  const top = head.bottom + 30 * unit;
  const body =
    layout.gap > 0 ? drawBeside(contents, layout, top) : drawBelow(contents, layout, top);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Space Grotesk">`,
    `<rect width="${width}" height="${height}" fill="${GROUND}"/>`,
    `<rect width="${width}" height="${round(top - 16 * unit)}" fill="${HEAD}"/>`,
    `<rect width="${width}" height="${6 * unit}" fill="${BEAM}"/>`,
    ...head.parts,
    ...body.parts,
    '</svg>',
  ];
  return { parts, bottom: height, isWhole: head.isWhole && body.isWhole };
}

type CardTextStyle = {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly isBold?: boolean;
  readonly anchor?: 'middle' | 'end';
  readonly spacing?: number;
};

function drawText(
  text: string,
  { x, y, size, fill, isBold = false, anchor, spacing = 0 }: CardTextStyle,
): string {
  const attributes = [
    `x="${round(x)}" y="${round(y)}" font-size="${round(size)}" fill="${fill}"`,
    ...(isBold ? ['font-weight="700"'] : []),
    ...(anchor === undefined ? [] : [`text-anchor="${anchor}"`]),
    ...(spacing === 0 ? [] : [`letter-spacing="${round(spacing)}"`]),
  ];
  return `<text ${attributes.join(' ')}>${escapeXml(text)}</text>`;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

type DrawnPart = Readonly<{ parts: readonly string[]; bottom: number; isWhole: boolean }>;

function drawHead({ title, headline, rules }: CardContents, layout: CardLayout): DrawnPart {
  const { margin: x, unit, lines } = layout;
  const width = layout.width - 2 * x;
  const parts = [
    drawText('THE GLASS BOX LEAGUE', {
      ...{ x, y: 54 * unit, size: 17 * unit, fill: BEAM, isBold: true },
      spacing: 3.2 * unit,
    }),
  ];
  let y = 62 * unit;
  let isWhole = true;
  type LineStyle = Pick<CardTextStyle, 'size' | 'fill' | 'isBold'>;
  const add = (text: string, style: LineStyle, most: number) => {
    const wrapped = wrapText(cleanText(text), { size: style.size, width, lines: most });
    isWhole &&= wrapped.at(-1)?.endsWith('…') !== true;
    for (const line of wrapped) {
      y += style.size * 1.24;
      parts.push(drawText(line, { x, y, ...style }));
    }
  };
  const name = cleanText(title);
  const size =
    [44, 38, 32].find((each) => measureText(name, each * unit) <= width * lines[0]) ?? 32;
  add(name === '' ? 'A match' : name, { size: size * unit, fill: INK, isBold: true }, lines[0]);
  y += 8 * unit;
  add(headline, { size: 23 * unit, fill: AMBER }, lines[1]);
  y += 7 * unit;
  add(rules, { size: 16 * unit, fill: SOFT }, lines[2]);
  return { parts, bottom: y, isWhole };
}

function drawBeside({ players, facts }: CardContents, layout: CardLayout, top: number): DrawnPart {
  const { margin, width, height, gap } = layout;
  const whole = width - 2 * margin;
  const bottom = height - margin * 0.6;
  const left = facts.length === 0 ? whole : Math.round(whole * 0.56);
  const cast = drawCast(players, layout, { x: margin, top, width: left, bottom }, 2);
  const x = margin + left + gap;
  return join(cast, drawFacts(facts, layout, { x, top, width: width - margin - x, bottom }));
}

function drawBelow({ players, facts }: CardContents, layout: CardLayout, top: number): DrawnPart {
  const { margin: x, height } = layout;
  const width = layout.width - 2 * x;
  const end = height - x;
  const gap = facts.length === 0 ? 0 : 20 * layout.unit;
  const needed = gap + drawFacts(facts, layout, { x, top: 0, width, bottom: Infinity }).bottom;
  const bottom = facts.length === 0 ? end : Math.max(end - needed, top + (end - top) * 0.62);
  const castIn = (columns: number) => drawCast(players, layout, { x, top, width, bottom }, columns);
  const single = castIn(1);
  const box = { x, top: bottom + gap, width, bottom: end };
  return join(single.isWhole ? single : castIn(2), drawFacts(facts, layout, box));
}

function join(one: DrawnPart, other: DrawnPart): DrawnPart {
  return {
    parts: [...one.parts, ...other.parts],
    bottom: Math.max(one.bottom, other.bottom),
    isWhole: one.isWhole && other.isWhole,
  };
}

type CardBox = Readonly<{ x: number; top: number; width: number; bottom: number }>;

/** A seat may fill a high row when it has the whole width; times the unit. */
const LARGEST_SEAT = 1.6;
/** A row that is lower has letters that touch; times the unit. */
const LEAST_ROW = 44;

function drawCast(
  players: CardContents['players'],
  { unit, gap }: CardLayout,
  { x, top, width, bottom }: CardBox,
  columns: number,
): DrawnPart {
  const rows = Math.max(1, Math.ceil(players.length / columns));
  // Beside facts the rows stay close together, above them they fill the picture.
  const high = Math.min(gap > 0 ? 60 * unit : Infinity, (bottom - top) / rows);
  const seatUnit = columns > 1 ? unit : Math.max(unit, Math.min(high / 60, LARGEST_SEAT * unit));
  const wide = (width - 18 * unit) / columns;
  const seats = players.map((player, index) => {
    const left = x + Math.floor(index / rows) * (wide + 18 * unit);
    const place = { x: left, top: top + (index % rows) * high, width: wide };
    return drawSeat(player, { ...place, bottom: place.top + high }, seatUnit);
  });
  return {
    parts: seats.flatMap(({ parts }) => parts),
    bottom: top + rows * high,
    isWhole: high >= LEAST_ROW * unit && seats.every(({ isWhole }) => isWhole),
  };
}

function drawSeat(
  player: KnownPlayer,
  { x, top, width, bottom }: CardBox,
  unit: number,
): DrawnPart {
  const { seat, role, fate, persona, model } = player;
  const middle = (top + bottom) / 2;
  const { code, suit, letters } = badgeOf(seat);
  const size = 34 * unit;
  const isImpostor = role === 'impostor';
  const left = x + size + 12 * unit;
  const vendor = findVendor(model);
  const side = role === 'crewmate' ? 'crew' : (role ?? '');
  const end = joinParts(side, role === null || fate === 'living' ? '' : fate);
  const name = capitalize(seat);
  const endX = left + measureText(name, 18 * unit) + 10 * unit;
  const mark = vendor === null ? [] : drawMark(vendor.mark, left, middle + 14 * unit, unit);
  const inset = vendor === null ? 0 : 28 * unit;
  const plays = joinParts(nameMind(player), persona);
  const room = width - size - 12 * unit - inset;
  const shown = cutText(end, 15 * unit, x + width - endX);
  const group = drawGroup('', [
    `<rect x="${round(x)}" y="${round(middle - size / 2)}" width="${round(size)}" height="${round(size)}" rx="${round(11 * unit)}" fill="${suit}" stroke="#ffffff" stroke-opacity="0.2"/>`,
    drawText(code, {
      ...{ x: x + size / 2, y: middle + 5.6 * unit, size: 15 * unit, fill: letters },
      ...{ isBold: true, anchor: 'middle' },
    }),
    drawText(name, { x: left, y: middle - 3 * unit, size: 18 * unit, fill: INK, isBold: true }),
    drawText(shown, {
      ...{ x: endX, y: middle - 3 * unit, size: 15 * unit },
      ...{ fill: isImpostor ? ALARM : SOFT, isBold: isImpostor },
    }),
    ...mark,
    drawText(cutText(cleanText(plays), 15 * unit, room), {
      ...{ x: left + inset, y: middle + 17 * unit, size: 15 * unit, fill: SOFT },
    }),
  ]);
  return { parts: [group], bottom, isWhole: shown === end };
}

function drawMark(mark: string, x: number, middle: number, unit: number): readonly string[] {
  const size = 22 * unit;
  return [
    `<rect x="${round(x)}" y="${round(middle - size / 2 - 1 * unit)}" width="${round(size)}" height="${round(size * 0.86)}" rx="${round(4 * unit)}" fill="none" stroke="${BEAM}" stroke-opacity="0.6"/>`,
    drawText(mark, {
      ...{ x: x + size / 2, y: middle + 2.6 * unit, size: 12 * unit, fill: BEAM },
      ...{ isBold: true, anchor: 'middle' },
    }),
  ];
}

function drawFacts(
  facts: readonly CardFact[],
  { unit, lines }: CardLayout,
  { x, top, width, bottom }: CardBox,
): DrawnPart {
  const [nameSize, size] = [14 * unit, 18 * unit];
  const step = size * 1.26;
  const parts: string[] = [];
  let isWhole = true;
  let y = top + 6 * unit;
  for (const [index, { name, text }] of facts.entries()) {
    const kept = (facts.length - index - 1) * (nameSize + step + 14 * unit);
    const most = Math.min(lines[3], Math.floor((bottom - y - kept - nameSize) / step));
    if (most < 1) {
      isWhole = false;
      continue;
    }
    y += nameSize;
    parts.push(
      drawText(name.toUpperCase(), {
        ...{ x, y, size: nameSize, fill: BEAM, isBold: true, spacing: 1.2 * unit },
      }),
    );
    const wrapped = wrapText(cleanText(text), { size, width, lines: most });
    isWhole &&= wrapped.at(-1)?.endsWith('…') !== true;
    for (const line of wrapped) {
      y += step;
      parts.push(drawText(line, { x, y, size, fill: INK }));
    }
    y += 14 * unit;
  }
  return { parts, bottom: y, isWhole };
}

/** Advance widths of the bold letters from space to tilde, in thousandths of the size. */
const ADVANCES =
  '254 298 514 636 606 758 591 294 398 390 540 620 294 432 298 388 648 452 594 608 636 600 618 554 600 618 298 298 620 620 620 578 1014 634 664 644 666 554 534 662 656 264 610 626 542 882 670 676 604 676 632 606 588 672 618 898 644 624 576 358 388 358 620 620 296 578 638 586 638 577 436 638 616 266 268 564 266 854 616 612 638 638 396 524 456 616 548 784 592 616 518 466 258 466 620'
    .split(' ')
    .map(Number);
/** Fallback widths for letters of other fonts: Latin, Greek and similar scripts first, then the wide ones. */
const OTHER = 700;
const WIDE = 1080;
const FIRST = 0x20;
const LAST_NARROW = 0x10ff;

export function measureText(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += measureLetter(letter, size);
  return width;
}

function measureLetter(letter: string, size: number): number {
  if (/\p{M}/u.test(letter)) return 0;
  const code = letter.normalize('NFD').codePointAt(0) ?? FIRST;
  const thousandths = ADVANCES[code - FIRST] ?? (code <= LAST_NARROW ? OTHER : WIDE);
  return (thousandths * size) / 1000;
}

const MOST_LETTERS = 1200;

function cleanText(text: string): string {
  return clean(text.slice(0, MOST_LETTERS))
    .replace(/[\uFFFE\uFFFF]/g, '')
    .trim();
}

export function cutText(text: string, size: number, width: number): string {
  if (measureText(text, size) <= width) return text;
  return `${takeLetters(text, size, width - measureLetter('…', size)).trimEnd()}…`;
}

function takeLetters(text: string, size: number, width: number): string {
  let [taken, room] = ['', width];
  for (const letter of text) {
    room -= measureLetter(letter, size);
    if (room < 0) break;
    taken += letter;
  }
  return taken;
}

type TextBox = { readonly size: number; readonly width: number; readonly lines: number };

/** The lines of a text, broken between words, or within one that is longer than a line; the last line is cut. */
export function wrapText(text: string, { size, width, lines }: TextBox): readonly string[] {
  const done: string[] = [];
  let rest = text;
  while (rest !== '' && done.length < lines - 1) {
    const line = takeLine(rest, size, width);
    done.push(line.trim());
    rest = rest.slice(line.length).trimStart();
  }
  return rest === '' ? done : [...done, cutText(rest, size, width)];
}

function takeLine(text: string, size: number, width: number): string {
  const line = takeLetters(text, size, width);
  if (line.length === text.length) return text;
  const space = line.lastIndexOf(' ');
  if (space > 0) return line.slice(0, space + 1);
  return line === '' ? ([...text][0] ?? '') : line;
}
