/**
 * The id of a persona: `{model}_{name}`, as in "gpt4o_aggressive_leader". Careers and memories are kept under it. Both
 * parts may hold the underscore, so two pairs can spell one id: a store keeps the first one beside it, and refuses the
 * other.
 */

import { z } from 'zod';
import { parseJson } from '../../machines/text.ts';
import type { Note } from '../../machines/types.ts';
import { seal, unseal } from './seal.ts';

export type PersonaName = { readonly model: string; readonly name: string };

const LONGEST_ID = 300;

/** An id, or the name of a league: the same text however its accents are typed. */
export function normaliseId(text: string): string {
  return text.normalize('NFC');
}

export function personaId({ model, name }: PersonaName): string {
  return normaliseId(`${model}_${name}`);
}

export function isSamePersona(one: PersonaName, other: PersonaName): boolean {
  return one.model === other.model && one.name === other.name;
}

/** Controls, marks without width, halves of a character: invisible in a list, they would make another persona. */
const UNSEEN = /\u2800|\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}/u;

const ODD_SPACE = / {2}|[^\S ]/u;

/** Why a name can't be used; null when it can. */
export function checkName(kind: 'persona' | 'league', text: string): Note | null {
  const shown = JSON.stringify(text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
  const refused = (words: string): Note => ({
    code: `${kind}/bad-id`,
    text: `${kind} ${shown}: ${words}`,
  });
  if (text.trim() === '') return refused('expected a name, found nothing that can be seen');
  if (text !== text.trim()) return refused('expected no spaces at the ends of a name');
  const { length } = normaliseId(text);
  if (length > LONGEST_ID)
    return refused(`expected at most ${LONGEST_ID} characters, found ${length}`);
  // Objects keyed by name would lose this one.
  if (normaliseId(text) === '__proto__') return refused('expected another name');
  if (UNSEEN.test(text))
    return refused('expected characters that can be seen, found one that cannot');
  if (ODD_SPACE.test(text)) return refused('expected plain spaces, one at a time');
  return null;
}

const SHOWN = 60;

/* The memory of a persona: its lessons, version by version. No version changes; a rollback adds one. */

export const lessonSchema = z.strictObject({
  text: z.string(),
  /** Where it came from, in words: a game of a league, or the hand that wrote it. */
  from: z.string(),
});
export type Lesson = z.infer<typeof lessonSchema>;

const changeSchema = z.strictObject({
  lessons: z.array(lessonSchema).readonly(),
  why: z.enum(['new', 'reflection', 'taught', 'forgotten', 'rollback']),
  /** The barrier where it was learned, so that none is passed twice. '' if there was none. */
  barrier: z.string(),
});
export type MemoryChange = z.infer<typeof changeSchema>;
export type PersonaMemory = MemoryChange & { readonly version: number };

export const BLANK_MEMORY: PersonaMemory = { version: 0, lessons: [], why: 'new', barrier: '' };

export const KEPT_VERSIONS = 500;

export function sealMemory(id: string, version: number, change: MemoryChange): string {
  const { lessons, why, barrier } = change;
  return seal(['memory', id, version], JSON.stringify({ lessons, why, barrier }));
}

/** Null where the seal does not fit, or where no memory can be like that. */
export function unsealMemory(id: string, version: number, sealed: string): PersonaMemory | null {
  const text = unseal(['memory', id, version], sealed);
  const change = changeSchema.safeParse(text === null ? null : parseJson(text));
  return change.success ? { version, ...change.data } : null;
}
