/**
 * Tokens: how much of a model's context a line of the transcript takes, and how long one message may be.
 *
 * An estimate that needs no model's vocabulary: four ASCII characters, or a little over one other character, make a
 * token. It errs on the high side for English prose, so the target is met early rather than late.
 */

const PER_TOKEN = 4;
/** A character outside ASCII takes about three quarters of a token in the common vocabularies. */
const WIDE = 3;
/** The JSON around a message: {"speaker": "red", "target": "blue", "message": "", "t": 12}. */
export const FRAME_TOKENS = 18;

/** Estimated tokens of a text, without the frame. */
export function textTokens(text: string): number {
  return Math.ceil(quarters(text, Number.POSITIVE_INFINITY).weight / PER_TOKEN);
}

/** The longest beginning of a text that takes at most `limit` tokens, never splitting a character. */
export function capTokens(text: string, limit: number): string {
  if (text.length * WIDE <= limit * PER_TOKEN) return text;
  return text.slice(0, quarters(text, limit * PER_TOKEN).end);
}

/** The weight in quarter tokens up to `most`, and the index in the text at which it was reached. */
function quarters(text: string, most: number): { weight: number; end: number } {
  let weight = 0;
  let end = 0;
  while (end < text.length) {
    const point = text.codePointAt(end) ?? 0;
    const next = weight + (point < 0x80 ? 1 : WIDE);
    if (next > most) break;
    weight = next;
    end += point > 0xffff ? 2 : 1;
  }
  return { weight, end };
}
