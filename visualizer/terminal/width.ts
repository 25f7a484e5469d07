/** Width: how many columns of a terminal a text takes. Approximate where terminals themselves disagree. */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** East Asian wide and fullwidth blocks, and pictures that are drawn two columns wide. */
const WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u;
const PLAIN = /^[ -~]*$/u;

/** The columns of a cleaned text. */
export function columns(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return letters(text).reduce((sum, letter) => sum + (WIDE.test(letter) ? 2 : 1), 0);
}

/** What a reader takes for one character each. */
export function letters(text: string): readonly string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
