/** Lays out styled text in lines. Every text is cleaned here before it reaches the terminal. */
import { stripVTControlCharacters, styleText } from 'node:util';

export type TextStyle = Extract<Parameters<typeof styleText>[0], string>;
export type StyledText = { readonly text: string; readonly styles: readonly TextStyle[] };

export type Phrase = readonly StyledText[];

export function styled(text: string, ...styles: readonly TextStyle[]): StyledText {
  return { text, styles };
}

export const GLUE: StyledText = styled(' ');

export function glue(text: string, ...styles: readonly TextStyle[]): Phrase {
  return text
    .split(' ')
    .flatMap((word, index) =>
      index === 0 ? [styled(word, ...styles)] : [GLUE, styled(word, ...styles)],
    );
}

export function joinPhrases(phrases: readonly Phrase[], between: StyledText): Phrase {
  return phrases.flatMap((phrase, index) => (index === 0 ? phrase : [between, ...phrase]));
}

export const WIDE_DOT: StyledText = styled('  ·  ', 'dim');

function looksLike(one: StyledText, other: StyledText): boolean {
  return one.styles.join() === other.styles.join();
}

/** The text as a terminal takes it. The caller has decided about colours; the environment isn't asked again. */
function paint(inks: Phrase, colour: boolean): string {
  if (!colour) return inks.map(({ text }) => text).join('');
  return inks
    .map(({ text, styles }) =>
      styles.length === 0 ? text : styleText([...styles], text, { validateStream: false }),
    )
    .join('');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** East Asian wide and fullwidth blocks, and pictures that are drawn two columns wide. */
const WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u;
const ASCII = /^[ -~]*$/u;

/** The columns of a cleaned text; approximate where terminals themselves disagree. */
export function countColumns(text: string): number {
  if (ASCII.test(text)) return text.length;
  return splitGraphemes(text).reduce((sum, letter) => sum + (WIDE.test(letter) ? 2 : 1), 0);
}

/** The end of a cleaned text within a number of columns, with a leading ellipsis if cut. */
export function clipStart(text: string, columns: number): string {
  if (countColumns(text) <= columns) return text;
  const letters = splitGraphemes(text);
  let start = letters.length;
  for (let room = columns - 1; start > 0; start -= 1) {
    room -= countColumns(letters[start - 1] ?? '');
    if (room < 0) break;
  }
  return `…${letters.slice(start).join('')}`;
}

/** The beginning of a cleaned text within a number of columns, with a trailing ellipsis if cut. */
export function clipEnd(text: string, columns: number): string {
  if (countColumns(text) <= columns) return text;
  let kept = '';
  let room = columns - 1;
  for (const letter of splitGraphemes(text)) {
    room -= countColumns(letter);
    if (room < 0) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

function splitGraphemes(text: string): readonly string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Wraps the text. Pieces without a space between them, or with glue, stay on one line if they fit. */
function wrapText(inks: Phrase, room: number): readonly Phrase[] {
  const lines: StyledText[][] = [[]];
  let used = 0;
  for (const word of splitWords(inks).flatMap((each) => breakWord(each, room))) {
    const size = widthOf(word);
    if (used > 0 && used + 1 + size > room) {
      lines.push([]);
      used = 0;
    }
    const line = lines[lines.length - 1] ?? [];
    if (used > 0) joinWord(line, word);
    else line.push(...word);
    used += size + Number(used > 0);
  }
  return lines.map(mergeAlike);
}

export function widthOf(word: Phrase): number {
  return word.reduce((sum, { text }) => sum + countColumns(text), 0);
}

/** Adds a word after a space, which is painted where both sides are painted alike. */
function joinWord(line: StyledText[], word: Phrase): void {
  const before = line[line.length - 1];
  const after = word[0];
  const isOne = before !== undefined && after !== undefined && looksLike(before, after);
  line.push(isOne ? styled(' ', ...before.styles) : styled(' '), ...word);
}

function splitWords(inks: Phrase): readonly Phrase[] {
  const found: StyledText[][] = [[]];
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

function breakWord(word: Phrase, room: number): readonly Phrase[] {
  if (widthOf(word) <= room) return [word];
  const parts: StyledText[][] = [[]];
  let used = 0;
  for (const { text, styles } of word) {
    for (const letter of splitGraphemes(text)) {
      const size = countColumns(letter);
      if (used + size > room) {
        parts.push([]);
        used = 0;
      }
      parts[parts.length - 1]?.push({ text: letter, styles });
      used += size;
    }
  }
  return parts.map(mergeAlike);
}

function mergeAlike(inks: Phrase): StyledText[] {
  const line: StyledText[] = [];
  for (const next of inks) {
    const last = line[line.length - 1];
    if (last === undefined || !looksLike(last, next)) line.push(next);
    else line[line.length - 1] = { text: last.text + next.text, styles: last.styles };
  }
  return line;
}

export type ScreenBlock =
  | { readonly type: 'blank' }
  | { readonly type: 'banner'; readonly title: string }
  /** `lead` precedes the first line and is never wrapped. Later lines are indented by its width. */
  | { readonly type: 'paragraph'; readonly lead: Phrase; readonly text: Phrase };

export type Blocks = readonly ScreenBlock[];

type ScreenOptions = { readonly width: number; readonly colour: boolean };

export const NUMBER_WIDTH = 4;
export const INDENT = ' '.repeat(NUMBER_WIDTH + 2);

/** Longer lines are hard to read, however wide the window is. */
const WIDEST = 110;
/** Below this nothing can be laid out; the terminal may wrap. */
const NARROWEST = 24;

export function blank(): ScreenBlock {
  return { type: 'blank' };
}

export function banner(title: string): ScreenBlock {
  return { type: 'banner', title };
}

export function paragraph(lead: Phrase, text: Phrase): ScreenBlock {
  return { type: 'paragraph', lead, text };
}

export function indented(...text: Phrase): ScreenBlock {
  return paragraph([styled(INDENT)], text);
}

export function layOut(block: ScreenBlock, { width, colour }: ScreenOptions): readonly string[] {
  const most = Math.min(WIDEST, Math.max(NARROWEST, width));
  switch (block.type) {
    case 'blank':
      return [''];
    case 'banner': {
      const title = `── ${clean(block.title)} `;
      const rule = '─'.repeat(Math.max(0, most - countColumns(title)));
      return [paint([styled(title, 'bold'), styled(rule, 'dim')], colour)];
    }
    case 'paragraph':
      return layOutHanging(cleanAll(block.lead), cleanAll(block.text), { width: most, colour });
    default:
      return block satisfies never;
  }
}

function layOutHanging(lead: Phrase, text: Phrase, page: ScreenOptions): readonly string[] {
  const indent = widthOf(lead);
  const room = page.width - indent;
  if (room < LEAST_ROOM) return layOutHanging([NARROW_LEAD], [...lead, styled(' '), ...text], page);
  return wrapText(text, room).map((line, index) =>
    paint([...(index === 0 ? lead : [styled(' '.repeat(indent))]), ...line], page.colour),
  );
}

const LEAST_ROOM = 14;
const NARROW_LEAD = styled(INDENT);

/** Each piece is cleaned between its outer spaces: leads are aligned with those, and they are our own. */
function cleanAll(inks: Phrase): Phrase {
  return inks.map((each) => {
    if (each === GLUE) return each;
    const { text, styles } = each;
    const inner = text.replace(/^ +| +$/gu, '');
    const start = text.indexOf(inner);
    const end = ' '.repeat(text.length - start - inner.length);
    return { text: `${' '.repeat(start)}${clean(inner)}${end}`, styles };
  });
}

/** Breaks and tabs become one space. U+FEFF is white space by name only: it has no width. */
const SPACES = /(?:[^\S\uFEFF]|\u0085)+/gu;
/** Control and format characters, whatever Unicode draws as nothing, and the empty Braille cell. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Two marks on a letter are writing; more of them reach into other lines. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

/** The visible characters of a text on a single line. Spaces at its ends stay, so that pieces can be joined. */
export function clean(text: string): string {
  return stripVTControlCharacters(text.toWellFormed())
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(PILED_MARKS, '$1')
    .replace(SPACES, ' ');
}
