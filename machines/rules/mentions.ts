/**
 * Mentions and accusations: who is named in a message, who is accused by it, and where that was read.
 *
 * Names are matched as whole words in any case, with a possessive or plural ending allowed (rulings 28 and 29). The
 * speaker never boosts himself (ruling 30). An accusation is the `target` field, or a name and an accusing word in one
 * sentence (ruling 31).
 */
import { COLOURS, type Colour, type Hit } from '../types.ts';

/**
 * The accusing words, published so that a boost can be disputed.
 *
 * A whole word of this list in the same sentence as a player's name makes the message an accusation of that player. It
 * is a simple string match and knows no negation: "Red isn't sus" counts, and the journal shows why.
 */
export const ACCUSING_WORDS = [
  'accuse',
  'accused',
  'accusing',
  'bluffing',
  'caught',
  'cover-up',
  'deflecting',
  'dodging',
  'eject',
  'ejecting',
  'evil',
  'fake',
  'faked',
  'faking',
  'framed',
  'framing',
  'guilty',
  'hiding',
  'imposter',
  'impostor',
  'kill',
  'killed',
  'killer',
  'killing',
  'liar',
  'lied',
  'lies',
  'lie',
  'lying',
  'murder',
  'murdered',
  'murderer',
  'shady',
  'sketchy',
  'slipped',
  'stabbed',
  'sus',
  'suspect',
  'suspicious',
  'vent',
  'vented',
  'venting',
] as const;

/** What makes a word go on: letters with their marks, digits, the underscore, and the joiner between them. */
const LETTER = '[\\p{L}\\p{M}\\p{N}_\\u200d]';
const NAME = new RegExp(`(?<!${LETTER})(${COLOURS.join('|')})(?:['’]?s|['’])?(?!${LETTER})`, 'giu');
/** For a text in plain ASCII, in which it finds the same several times as fast. */
const ASCII_NAME = new RegExp(`\\b(${COLOURS.join('|')})(?:'?s|')?(?!\\w)`, 'gi');
const NOT_ASCII = /[^ -~]/;
const ACCUSING = new RegExp(`(?<!${LETTER}|-)(?:${ACCUSING_WORDS.join('|')})(?!${LETTER}|-)`, 'iu');
const SEATS: ReadonlyMap<string, Colour> = new Map(COLOURS.map((colour) => [colour, colour]));
/** The same words anywhere: quicker to look for, and where there is none there is no accusing word. */
const MAY_ACCUSE = new RegExp(ACCUSING_WORDS.join('|'), 'iu');
const SENTENCE_END = /(?<=[.!?;\n])/u;

/** Somebody named in a text: whom, and by which word. */
type NameFound = { readonly seat: Colour; readonly word: string };

/** Everybody whom a text names as a whole word, in order of appearance, each as often as named. */
export function findNames(text: string): readonly NameFound[] {
  const found: NameFound[] = [];
  const name = NOT_ASCII.test(text) ? NAME : ASCII_NAME;
  // An expression that is global goes on behind its last match, and is at its beginning again when there is none.
  for (let match = name.exec(text); match !== null; match = name.exec(text)) {
    const seat = SEATS.get(match[1]?.toLowerCase() ?? '');
    if (seat !== undefined) found.push({ seat, word: match[0] });
  }
  return found;
}

/** The first accusing word of a text; null when it has none. */
export function findAccusingWord(text: string): string | null {
  return MAY_ACCUSE.test(text) ? (ACCUSING.exec(text)?.[0] ?? null) : null;
}

export function splitSentences(text: string): readonly string[] {
  return text.split(SENTENCE_END);
}

/**
 * Every hit of one message on the players at the table, at most one mention and one accusation for each, with the
 * reason for it.
 */
export function findHits(
  message: string,
  speaker: Colour,
  target: Colour | null,
  seated: readonly Colour[],
): readonly Hit[] {
  const hits: Hit[] = [];
  const add = (hit: Hit) => {
    const counts = hit.seat !== speaker && seated.includes(hit.seat);
    const known = hits.some((other) => other.seat === hit.seat && other.kind === hit.kind);
    if (counts && !known) hits.push(hit);
  };
  if (target !== null) {
    add({
      seat: target,
      kind: 'accusation',
      word: 'target',
      reason: 'the message is directed at them',
    });
  }
  if (findNames(message).length === 0) return hits;
  for (const sentence of splitSentences(message)) {
    const named = findNames(sentence);
    const accusing = named.length === 0 ? null : findAccusingWord(sentence);
    for (const { seat, word } of named) {
      add({ seat, kind: 'mention', word, reason: 'named as a whole word' });
      if (accusing === null) continue;
      add({
        seat,
        kind: 'accusation',
        word: accusing,
        reason: `in the same sentence as "${word}"`,
      });
    }
  }
  return hits;
}
