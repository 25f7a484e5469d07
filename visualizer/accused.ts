/** Whom the message of a tick accuses, as the reader of claims finds it. */
import type { SeenOf } from '../machines/journal/lens.ts';
import type { Line } from '../machines/journal/lines.ts';
import { type Colour, SYSTEM } from '../machines/types.ts';
import { findAccused } from '../prompts/claims/claims.ts';

export function accusedIn({ said }: Pick<SeenOf<'tick.closed'>, 'said'>): readonly Colour[] {
  if (said == null || said.speaker === SYSTEM) return [];
  const { speaker, target = null, message } = said;
  return findAccused({ speaker, target, message });
}

/** The field of a line for pages, which would have to load the reader. */
export function listAccused(line: Line): { readonly accused?: readonly Colour[] } {
  const accused = line.type === 'tick.closed' ? accusedIn(line) : [];
  return accused.length === 0 ? {} : { accused };
}
