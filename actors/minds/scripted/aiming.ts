/**
 * Aiming: whom a clause is about, out of the names in it and what was said before.
 *
 * A clause may name a witness beside the one whom it accuses: who saw, said or is believed is never the culprit of it.
 */
import { accusingWord, namings } from '../../../machines/rules/mentions.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';

export const DENIAL =
  /\bI (?:did not|never|am not|was not|didn['’]t|wasn['’]t)\b|\bI['’]m not\b|\bwasn['’]t me\b|\bnot me\b|\b(?:never|not) happen|\bI did nothing\b|\bnothing to hide\b|\bwrong about me\b/i;
export const NO_TRUST = /n['’]t (?:trust|believe|buy)\b/i;
export const VOTE = /\b(?:vot(?:e|es|ed|ing)|eject)\b/i;
const COMPANY = /\b(\w+) (?:was|were) (?:with|beside|next to) me\b/i;
const SEEN = /\b(?:saw|seen|watched|caught|spotted|passed|met|noticed) (\w+)/i;
/** The name comes after these words, not before. */
const AIMING = /\bI (?:\w+ )?(?:suspect|accuse)\b/i;
const THEY = /\b(?:they|them|their)\b/i;
const YOU = /\byou(?:r|['’]re)?\b/i;
const NAME = COLOURS.join('|');
/** What a witness does, before the name and after it. */
const WITNESS = new RegExp(
  `\\b(?:believe|trust|agree with|with what|thank you,|because of|according to) (${NAME})\\b` +
    `|\\b(${NAME}) (?:says?|said|saw|told|heard|found|met|puts?|sounded|sounds|convinced|swears|has a point|is right|is convincing)\\b`,
  'gi',
);

/** Whom a clause is about, and whom it accuses if it does. */
export type Aim = { readonly who: Colour | null; readonly culprit: Colour | null };

/** `subject` is who was named last before this clause. */
export function aimOf(
  text: string,
  by: Colour,
  target: Colour | null,
  subject: Colour | null,
): Aim & { readonly subject: Colour | null } {
  const named = namings(text).map(({ seat }) => seat);
  const others = named.filter((seat) => seat !== by);
  const who = seenIn(text, by) ?? others[0] ?? meant(text, target, subject);
  return {
    who: who === by ? null : who,
    culprit: others.length < 2 ? who : culpritIn(text, others, by),
    subject: others.at(-1) ?? subject,
  };
}

/** Whom a call for a vote is about: the first name after the word, or else whoever the clause is about. */
export function votedIn(text: string, by: Colour, who: Colour | null): Colour | null {
  const after = text.slice(text.search(VOTE));
  return namings(after).find(({ seat }) => seat !== by)?.seat ?? who;
}

/** Whom the speaker saw or was with, by name; it need not be the first one named. */
function seenIn(text: string, by: Colour): Colour | null {
  const company = COMPANY.exec(text)?.[1];
  const seen = company ?? SEEN.exec(text)?.[1];
  const name = seen === undefined ? undefined : namings(seen)[0]?.seat;
  return name === undefined || name === by ? null : name;
}

/** Whom a clause without names is about: "you" is who is addressed, "they" is who was named last. */
function meant(text: string, target: Colour | null, subject: Colour | null): Colour | null {
  if (YOU.test(text)) return target ?? subject;
  if (THEY.test(text)) return subject;
  return NO_TRUST.test(text) || (accusingWord(text) !== null && !DENIAL.test(text))
    ? (target ?? subject)
    : null;
}

/** Of several who are named: the one after "I suspect", or else the last before the accusing word; no witness. */
function culpritIn(text: string, named: readonly Colour[], by: Colour): Colour | null {
  const witnesses = new Set(witnessesIn(text));
  const suits = ({ seat }: { readonly seat: Colour }) => seat !== by && !witnesses.has(seat);
  const aimed = AIMING.exec(text);
  const aim = aimed === null ? [] : namings(text.slice(aimed.index + aimed[0].length));
  const first = aim.find(suits);
  if (first !== undefined) return first.seat;
  const word = accusingWord(text);
  const before = word === null ? '' : text.slice(0, text.search(new RegExp(`\\b${word}\\b`, 'i')));
  return (
    namings(before).findLast(suits)?.seat ??
    named.find((seat) => !witnesses.has(seat)) ??
    named[0] ??
    null
  );
}

function witnessesIn(text: string): readonly Colour[] {
  const found: Colour[] = [];
  for (const match of text.matchAll(WITNESS)) {
    const name = (match[1] ?? match[2] ?? '').toLowerCase();
    const seat = COLOURS.find((colour) => colour === name);
    if (seat !== undefined) found.push(seat);
  }
  return found;
}
