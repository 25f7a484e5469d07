/** Makes one line of visible characters of a player's text. The journal keeps the raw one. Cleaning is idempotent. */

/** In characters as a reader counts them. */
export const LONGEST_MESSAGE = 600;

/** The longest text that is examined, in code units. Twenty for each character are more than any writing needs. */
const MOST_UNITS = 20 * LONGEST_MESSAGE;

export function cleanLine(text: string): string {
  if (isPlain(text)) return text.trim();
  return cutMessage(
    settle(text.slice(0, MOST_UNITS), (once) => stripInvisible(once.replace(SPACES, ' ')).trim()),
  );
}

/** Scratchpads and thoughts keep their lines. Only their player and the spectators see them. */
export function cleanPage(text: string): string {
  if (isPlain(text) || text.split('\n').every(isPlain)) return text;
  return settle(text, (once) => once.split(BREAK).map(stripInvisible).join('\n'));
}

/** Most texts are short ASCII, apart from the typographic apostrophe, and need none of the steps below. */
function isPlain(text: string): boolean {
  if (text.length > LONGEST_MESSAGE) return false;
  let previous = 0;
  let repeats = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Visible ASCII without the two brackets that may open a tag.
    const isAscii = code >= SPACE && code <= 0x7e && code !== 0x3c && code !== 0x5b;
    if (!isAscii && code !== APOSTROPHE) return false;
    repeats = code === previous ? repeats + 1 : 0;
    // Two spaces, or four of any character but a digit. Plain text has ASCII digits alone.
    const isFigure = code >= 0x30 && code <= 0x39;
    if (repeats > 0 && (code === SPACE || (repeats === FLOODED && !isFigure))) return false;
    previous = code;
  }
  return true;
}

/** A character repeated more often is a flood. */
const FLOODED = 3;
const SPACE = 0x20;
const APOSTROPHE = 0x2019;

/** One step can remove a character and bring two others together for another step. */
const MOST_PASSES = 8;

function settle(text: string, pass: (once: string) => string): string {
  let before = text;
  for (let count = 0; count < MOST_PASSES; count++) {
    const after = pass(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

/** All white space, line breaks included. U+FEFF is white space by name only: it has no width. */
const SPACES = /(?:[^\S\uFEFF]|\u0085)+/gu;
const BREAK = /\r\n|[\n\r\u2028\u2029\u0085]/u;

/** Letters that change their form beside a joiner. */
const JOINED =
  '\\p{scx=Arab}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}';
/**
 * Controls, formats (direction marks, tags), lone surrogates, private use, characters that Unicode draws as nothing, and
 * the empty Braille cell. A joiner is text between two emoji or such letters, and a selector behind an emoji.
 */
const INVISIBLE = new RegExp(
  `(?!(?<=\\p{ExtPict}[\\p{EMod}\uFE0F]*)\u200D\\p{ExtPict}|(?<=\\p{ExtPict})[\uFE0E\uFE0F]|(?<=[\\d#*])\uFE0F\u20E3|(?<=[${JOINED}])[\u200C\u200D][${JOINED}])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Default_Ignorable_Code_Point}\u2800]`,
  'gu',
);
/** Terminal sequences: a control and its parameters, colours and window titles included. */
const SEQUENCE = /\p{Cc}\[[0-?]*[ -/]*[@-~]|\u009B[0-?]*[ -/]*[@-~]|\p{Cc}\][^\p{Cc}]*\p{Cc}?/gu;
/** Writing needs up to three marks on a letter. More of them reach into other lines. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
/** Three in a row are emphasis. Digits stay, because a repeated digit changes the number. */
const FLOOD = /([^\p{N}])\1{3,}/gu;

/** Brackets of tags and tokens that a chat template could obey. A space behind the bracket makes them harmless. */
const TEMPLATE = /<(?=[|/\\!?<[\p{L}_:])|\[(?=\/?[a-z]?[A-Z_]{2,}\])/gu;

function stripInvisible(text: string): string {
  return normaliseForms(text)
    .replace(SPACES, ' ')
    .replace(SEQUENCE, '')
    .replace(INVISIBLE, '')
    .replace(PILED_MARKS, '$1')
    .replace(FLOOD, '$1$1$1')
    .replace(SPACES, ' ')
    .replace(TEMPLATE, '$& ');
}

/** Full-width, circled and similar letters become plain ones. An ellipsis stays one character. */
function normaliseForms(text: string): string {
  return text
    .split('…')
    .map((part) => part.normalize('NFKC'))
    .join('…');
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Never cuts within a character. */
function cutMessage(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  let end = 0;
  let count = 0;
  for (const { index, segment } of CHARACTERS.segment(text)) {
    if (count === LONGEST_MESSAGE) return text.slice(0, end).trimEnd();
    count += 1;
    end = index + segment.length;
  }
  return text;
}
