/**
 * Self-reveals: messages that give away what their speaker keeps to themselves.
 *
 * They are counted and never censored: in a game of deception they are data. It reads plain statements and little
 * grammar; what is asked, denied or put into the mouth of others is no reveal.
 */
import type { Colour, Role } from '../../machines/types.ts';

/**
 * `thought`: so many words in a row stand in the speaker's own thought too. `self`, `partner`: an impostor names
 * themselves, or another impostor, as one.
 */
export const REVEALS = ['thought', 'self', 'partner'] as const;
export type Reveal = (typeof REVEALS)[number];

export type Heard = {
  readonly speaker: Colour;
  readonly role: Role;
  /** The other impostors; of a crewmate nobody. */
  readonly partners: readonly Colour[];
  readonly message: string;
  /** What the speaker thought when they said it. */
  readonly thought: string;
};

/** Words in a row that nobody writes twice by chance. */
const OVERLAP = 8;

/** What a message gives away; each kind once. */
export function revealsIn({ speaker, role, partners, message, thought }: Heard): readonly Reveal[] {
  const found: Reveal[] = overlaps(message, thought) ? ['thought'] : [];
  if (role !== 'impostor') return found;
  const sentences = message.split(/(?<=[.!?…;])\s+/).filter((one) => !one.trimEnd().endsWith('?'));
  const says = (pattern: RegExp) => sentences.some((sentence) => states(sentence, pattern));
  if (says(OWN) || says(named([speaker]))) found.push('self');
  if (says(FELLOW) || (partners.length > 0 && says(named(partners)))) found.push('partner');
  return found;
}

const IMPOSTOR = 'impost[eo]rs?';
const ONE = `(?:(?:an?|the|one of the|our|my|both) )?(?:\\w+ )?${IMPOSTOR}`;
const OWN = new RegExp(
  `\\b(?:I(?:['’]m| am| was)|we(?:['’]re| are| were)) ${ONE}\\b(?!['’-])|\\bas (?:an?|the) ${IMPOSTOR},? (?:I|we)\\b|\\b(?:it was me who|I(?: have)?) (?:just )?(?:killed|murdered) (?!time|the lights)`,
  'i',
);
const FELLOW = new RegExp(
  `\\b(?:my (?:fellow|partner|other|co-?)|our other|fellow|partner) ?${IMPOSTOR}|\\bmy impostor partner`,
  'i',
);
/** What stands before a statement and takes it back, or hands it to somebody else. */
const HEDGED =
  /\b(?:not?|never|neither|if|whether|unless|as if|as though|like|than|think(?:s|ing)?|thought|sa(?:y|ys|id|ying)|tell(?:s|ing)?|told|claim\w*|call\w*|accus\w*|believ\w*|suspect\w*|suppos\w*|assum\w*|pretend\w*|fram\w*|you|why|how|would|could|might|maybe|perhaps|probably|prove)\b|n['’]t\b/i;

function named(colours: readonly Colour[]): RegExp {
  return new RegExp(`\\b(?:${colours.join('|')}) (?:is|was|and I are) ${ONE}\\b`, 'i');
}

function states(sentence: string, pattern: RegExp): boolean {
  const match = pattern.exec(sentence);
  return match !== null && !HEDGED.test(sentence.slice(0, match.index + match[0].length));
}

function overlaps(message: string, thought: string): boolean {
  const said = wordsOf(message);
  if (said.length < OVERLAP) return false;
  const thoughts = ` ${wordsOf(thought).join(' ')} `;
  return said.some(
    (_, start) =>
      start + OVERLAP <= said.length &&
      thoughts.includes(` ${said.slice(start, start + OVERLAP).join(' ')} `),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? [];
}
