/**
 * Cleaning: what a player wrote is data, and becomes one line of visible characters before anybody counts, searches or
 * reads it.
 *
 * Nothing is censored: words stay as they are. What goes is what nobody sees and some machine obeys: controls, marks of
 * direction, characters without width, tokens of chat templates. The text as it came stays in the journal. Cleaning
 * what is clean changes nothing.
 */

/** Longest message, in characters as a reader counts them. */
export const LONGEST_MESSAGE = 600;

/** Units of a text that are looked at: twenty for each character are more than any writing needs. */
const MOST_UNITS = 20 * LONGEST_MESSAGE;

/** One line: what others hear. Spaces at its ends go, and so does what is longer than a message. */
export function cleanLine(text: string): string {
  if (isPlain(text)) return text.trim();
  return cutMessage(
    settle(text.slice(0, MOST_UNITS), (once) => stripInvisible(once.replace(SPACES, ' ')).trim()),
  );
}

/** Lines of a notebook or a thought, which stay lines; nobody but their player and the spectators sees them. */
export function cleanPage(text: string): string {
  if (isPlain(text) || text.split('\n').every(isPlain)) return text;
  return settle(text, (once) => once.split(BREAK).map(stripInvisible).join('\n'));
}

/** Most texts: short, ASCII but for the apostrophe of print, and with nothing that any step below would touch. */
function isPlain(text: string): boolean {
  if (text.length > LONGEST_MESSAGE) return false;
  let previous = 0;
  let repeats = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (!isPlainUnit(code)) return false;
    repeats = code === previous ? repeats + 1 : 0;
    // Two spaces, or four of anything that is no figure.
    if (repeats > 0 && (code === SPACE || (repeats === FLOODED && !isFigure(code)))) return false;
    previous = code;
  }
  return true;
}

/** Repetitions of one character from which it is a flood. */
const FLOODED = 3;
const SPACE = 0x20;
const APOSTROPHE = 0x2019;

/** Visible ASCII without the two brackets that may open a tag. */
function isPlainUnit(code: number): boolean {
  return (code >= SPACE && code <= 0x7e && code !== 0x3c && code !== 0x5b) || code === APOSTROPHE;
}

/** Only asked of plain texts, so figures are these ten. */
function isFigure(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** What one step takes away can bring two characters together that another step joins. */
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

/** White space of any kind, breaks of lines among them. U+FEFF is white space by name only: it has no width. */
const SPACES = /(?:[^\S\uFEFF]|\u0085)+/gu;
const BREAK = /\r\n|[\n\r\u2028\u2029\u0085]/u;

/**
 * Controls, formats (marks of direction, tags, joiners), halves of a character, private use, and all that Unicode
 * itself wants drawn as nothing; and the empty Braille cell.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** What a terminal obeys: a control and what belongs to it, a colour as well as the title of a window. */
const SEQUENCE = /\p{Cc}\[[0-?]*[ -/]*[@-~]|\u009B[0-?]*[ -/]*[@-~]|\p{Cc}\][^\p{Cc}]*\p{Cc}?/gu;
/** Two marks on a letter are writing; more of them reach into other lines. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;
/** Three in a row are emphasis; figures are left alone, because one more of them is another number. */
const FLOOD = /([^\p{N}])\1{3,}/gu;

/**
 * What a chat template could take for its own: a bracket that opens a tag or a token, as in <|im_end|>, </think>,
 * <end_of_turn>, <<SYS>> or [/INST]. A space behind the bracket is enough to make it text.
 */
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

/** Full-width, circled and other guises of the same letter become that letter; an ellipsis stays one character. */
function normaliseForms(text: string): string {
  return text
    .split('…')
    .map((part) => part.normalize('NFKC'))
    .join('…');
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At most a message, never ending within a character. */
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
