/** How long text is in Space Grotesk, and how it is broken and cut so that it stays in its place. */
import { clean } from '../terminal/clean.ts';

/** Advance widths from the space to the tilde, in thousandths of the size: those of the bold letters, which are wider. */
const ADVANCES =
  '254 298 514 636 606 758 591 294 398 390 540 620 294 432 298 388 648 452 594 608 636 600 618 554 600 618 298 298 620 620 620 578 1014 634 664 644 666 554 534 662 656 264 610 626 542 882 670 676 604 676 632 606 588 672 618 898 644 624 576 358 388 358 620 620 296 578 638 586 638 577 436 638 616 266 268 564 266 854 616 612 638 638 396 524 456 616 548 784 592 616 518 466 258 466 620'
    .split(' ')
    .map(Number);
/** Of letters from another font nothing is known: those of Latin, Greek and the like are rarely wider than this, others than that. */
const OTHER = 700;
const WIDE = 1080;
const FIRST = 0x20;
const LAST_NARROW = 0x10ff;

/** The width of a text that is set in a size. */
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

/** More letters than a card has room for. */
const MOST_LETTERS = 1200;

/** The visible letters of a text, without those that XML can't hold. */
export function cleanText(text: string): string {
  return clean(text.slice(0, MOST_LETTERS))
    .replace(/[\uFFFE\uFFFF]/g, '')
    .trim();
}

/** The beginning of a text that is not longer than a width, with an ellipsis where something is missing. */
export function cutText(text: string, size: number, width: number): string {
  if (measureText(text, size) <= width) return text;
  return `${takeLetters(text, size, width - measureLetter('…', size)).trimEnd()}…`;
}

/** As many letters of a text as are not longer than a width. */
function takeLetters(text: string, size: number, width: number): string {
  let [taken, room] = ['', width];
  for (const letter of text) {
    room -= measureLetter(letter, size);
    if (room < 0) break;
    taken += letter;
  }
  return taken;
}

export type TextBox = { readonly size: number; readonly width: number; readonly lines: number };

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

/** As much of a text as fits, up to a space where there is one. */
function takeLine(text: string, size: number, width: number): string {
  const line = takeLetters(text, size, width);
  if (line.length === text.length) return text;
  const space = line.lastIndexOf(' ');
  if (space > 0) return line.slice(0, space + 1);
  // A letter that is wider than the line has one of its own.
  return line === '' ? ([...text][0] ?? '') : line;
}
