/** Whom a message accuses, as the reader of claims finds it. A message that only addresses a player accuses nobody. */
import type { SeenLine, SeenOf } from '../machines/journal/lens.ts';
import { type Colour, SYSTEM } from '../machines/types.ts';
import { findClaims } from '../prompts/claims/claims.ts';

export function findAccused({ said }: Pick<SeenOf<'tick.closed'>, 'said'>): readonly Colour[] {
  if (said == null || said.speaker === SYSTEM) return [];
  const { speaker, target = null, message } = said;
  return findClaims({ speaker, target, message }).flatMap(({ type, about }) =>
    type === 'accusation' && about !== speaker ? [about] : [],
  );
}

/** The field of a line for pages, which would have to load the reader. */
export function listAccused(line: SeenLine): { readonly accused?: readonly Colour[] } {
  const accused = line.type === 'tick.closed' ? findAccused(line) : [];
  return accused.length === 0 ? {} : { accused };
}
