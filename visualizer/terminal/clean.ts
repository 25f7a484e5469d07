/**
 * Cleaning: text of players is text, whatever it holds.
 *
 * A message could move the cursor, recolour the screen, turn the direction of writing round or fake another player's
 * line. After cleaning it is one line of visible characters.
 */
import { stripVTControlCharacters } from 'node:util';

/**
 * Line and paragraph breaks and tabs become one space, so that words stay apart. U+FEFF is white space by name only: it
 * has no width.
 */
const SPACES = /(?:[^\S\uFEFF]|\u0085)+/gu;
/**
 * Control characters; formats, such as marks of direction; all that Unicode itself wants drawn as nothing, such as
 * zero-width characters, fillers and tags; and the empty Braille cell.
 */
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
