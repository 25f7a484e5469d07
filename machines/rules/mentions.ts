/**
 * Which players a message names and accuses, and by which words. Names match as whole words in any case, with a
 * possessive or plural ending (rulings 28 and 29). Speakers never boost themselves (ruling 30). An accusation is the
 * `target` field, or a name and an accusing word in one sentence (ruling 31).
 */
import { COLOURS, type Colour, type Hit } from '../types.ts';

/**
 * Published so that a boost can be disputed. A whole word of this list accuses every player named in the same sentence.
 * The match knows no negation: "Red isn't sus" counts, and the journal shows why.
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

/** Characters that continue a word: letters with their marks, digits, the underscore and the joiner. */
const LETTER = '[\\p{L}\\p{M}\\p{N}_\\u200d]';
const NAME = new RegExp(`(?<!${LETTER})(${COLOURS.join('|')})(?:['’]?s|['’])?(?!${LETTER})`, 'giu');
/** For ASCII texts. It finds the same names several times as fast. */
const ASCII_NAME = new RegExp(`\\b(${COLOURS.join('|')})(?:'?s|')?(?!\\w)`, 'gi');
const NOT_ASCII = /[^ -~]/;
const ACCUSING = new RegExp(`(?<!${LETTER}|-)(?:${ACCUSING_WORDS.join('|')})(?!${LETTER}|-)`, 'iu');
const SEATS: ReadonlyMap<string, Colour> = new Map(COLOURS.map((colour) => [colour, colour]));
/** A fast test that finds no accusing word in most texts. */
const MAY_ACCUSE = new RegExp(ACCUSING_WORDS.join('|'), 'iu');
const SENTENCE_END = /(?<=[.!?;\n])/u;

type NameFound = { readonly seat: Colour; readonly word: string };

/** All names in order of appearance, repetitions included. */
export function findNames(text: string): readonly NameFound[] {
  const found: NameFound[] = [];
  const name = NOT_ASCII.test(text) ? NAME : ASCII_NAME;
  // A global expression continues after its last match and starts again after a failed one.
  for (let match = name.exec(text); match !== null; match = name.exec(text)) {
    const seat = SEATS.get(match[1]?.toLowerCase() ?? '');
    if (seat !== undefined) found.push({ seat, word: match[0] });
  }
  return found;
}

export function findAccusingWord(text: string): string | null {
  return MAY_ACCUSE.test(text) ? (ACCUSING.exec(text)?.[0] ?? null) : null;
}

export function splitSentences(text: string): readonly string[] {
  return text.split(SENTENCE_END);
}

/** At most one mention and one accusation for each player at the table, each with its reason. */
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
