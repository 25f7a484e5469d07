/** Wrapping: pieces of text in lines of so many columns, broken between words and, where it must be, inside one. */
import { alike, GLUE, type Ink, ink } from './ink.ts';
import { columns, letters } from './width.ts';

/** The text in lines; what stands together without a space, or with glue, stays on one line where it fits. */
export function wrapped(inks: readonly Ink[], room: number): readonly (readonly Ink[])[] {
  const lines: Ink[][] = [[]];
  let used = 0;
  for (const word of words(inks).flatMap((each) => fitting(each, room))) {
    const size = sizeOf(word);
    if (used > 0 && used + 1 + size > room) {
      lines.push([]);
      used = 0;
    }
    const line = lines[lines.length - 1] ?? [];
    if (used > 0) join(line, word);
    else line.push(...word);
    used += size + Number(used > 0);
  }
  return lines.map(merged);
}

/** The columns of a run of pieces. */
export function sizeOf(word: readonly Ink[]): number {
  return word.reduce((sum, { text }) => sum + columns(text), 0);
}

/** Pieces that stand together without a space. */
type Word = readonly Ink[];

/** Adds a word after a space, which is painted where both sides are painted alike. */
function join(line: Ink[], word: Word): void {
  const before = line[line.length - 1];
  const after = word[0];
  const isOne = before !== undefined && after !== undefined && alike(before, after);
  line.push(isOne ? ink(' ', ...before.styles) : ink(' '), ...word);
}

function words(inks: readonly Ink[]): readonly Word[] {
  const found: Ink[][] = [[]];
  for (const each of inks) {
    const { text, styles } = each;
    if (each === GLUE) found[found.length - 1]?.push(each);
    else
      for (const [index, part] of text.split(' ').entries()) {
        if (index > 0) found.push([]);
        if (part !== '') found[found.length - 1]?.push({ text: part, styles });
      }
  }
  return found.filter((word) => word.length > 0);
}

/** A word that is wider than the room is broken between letters. */
function fitting(word: Word, room: number): readonly Word[] {
  if (sizeOf(word) <= room) return [word];
  const parts: Ink[][] = [[]];
  let used = 0;
  for (const { text, styles } of word) {
    for (const letter of letters(text)) {
      const size = columns(letter);
      if (used + size > room) {
        parts.push([]);
        used = 0;
      }
      parts[parts.length - 1]?.push({ text: letter, styles });
      used += size;
    }
  }
  return parts.map(merged);
}

/** The same line with neighbours of one look made one piece. */
function merged(inks: readonly Ink[]): Ink[] {
  const line: Ink[] = [];
  for (const next of inks) {
    const last = line[line.length - 1];
    if (last === undefined || !alike(last, next)) line.push(next);
    else line[line.length - 1] = { text: last.text + next.text, styles: last.styles };
  }
  return line;
}
