/**
 * The id of a persona: `{model}_{name}`, as in "gpt4o_aggressive_leader". Careers and memories are kept under it.
 *
 * Both parts may hold the underscore, so two pairs can spell one id: a store keeps the pair beside the id, and refuses
 * the second of them.
 */
import type { Note } from '../../machines/types.ts';

export type PersonaName = { readonly model: string; readonly name: string };

/** Characters of an id. */
const LONGEST_ID = 300;

/** The same text however its accents are typed. */
function plain(text: string): string {
  return text.normalize('NFC');
}

export function personaId({ model, name }: PersonaName): string {
  return plain(`${model}_${name}`);
}

/** Whether two pairs are one; two that only spell the same id are not. */
export function isSame(one: PersonaName, other: PersonaName): boolean {
  return one.model === other.model && one.name === other.name;
}

/** An id, or the name of a league, as somebody typed it. */
export function typedId(text: string): string {
  return plain(text);
}

/** Controls, marks without width, halves of a character: what nobody sees in a list would be another persona. */
const UNSEEN = /\u2800|\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}/u;

/** In a list all of them look like one space. */
const ODD_SPACE = / {2}|[^\S ]/u;

/** Why nothing can be kept under such a name; null when it can. */
export function nameRefusal(kind: 'persona' | 'league', text: string): Note | null {
  const shown = JSON.stringify(text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
  const refused = (words: string): Note => ({
    code: `${kind}/bad-id`,
    text: `${kind} ${shown}: ${words}`,
  });
  if (text.trim() === '') return refused('expected a name, found nothing that can be seen');
  if (text !== text.trim()) return refused('expected no spaces at the ends of a name');
  const { length } = plain(text);
  if (length > LONGEST_ID)
    return refused(`expected at most ${LONGEST_ID} characters, found ${length}`);
  // What is kept in objects by name would not be kept.
  if (plain(text) === '__proto__') return refused('expected another name');
  if (UNSEEN.test(text))
    return refused('expected characters that can be seen, found one that cannot');
  if (ODD_SPACE.test(text)) return refused('expected plain spaces, one at a time');
  return null;
}

const SHOWN = 60;
