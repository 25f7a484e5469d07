/**
 * The past: what the player's main notebook says of earlier meetings, in the words of `afterwards.ts`.
 *
 * Only the newest notes count; what is not understood is skipped.
 */
import { namings } from '../../../machines/rules/mentions.ts';
import type { Colour } from '../../../machines/types.ts';

/** How the last meeting ended, as the notebook has it. */
export type LastResult = {
  readonly type: 'right' | 'wrong' | 'unknown' | 'nobody';
  readonly ejected: Colour | null;
};
export type Past = {
  readonly watched: ReadonlySet<Colour>;
  readonly cleared: ReadonlySet<Colour>;
  readonly last: LastResult | null;
};

const NOTHING: Past = { watched: new Set(), cleared: new Set(), last: null };
const WATCHED = /\bWatch (\w+)|\b(\w+) is the easiest to blame/g;
const CLEARED = /\b(\w+) is (?:clear to me|trusted by the table)/g;
const EJECTED = /\b(\w+) was ejected(?:: an? (impostor|crewmate))?/i;
const NOBODY = /\bnobody (?:left|was ejected)/i;
/** Notes that still matter, from the end of the page. */
const NEWEST = 2;

export function pastOf(page: string): Past {
  if (page === '') return NOTHING;
  const notes = page
    .split('\n')
    .filter((line) => EJECTED.test(line) || NOBODY.test(line))
    .slice(-NEWEST);
  const newest = notes.at(-1);
  if (newest === undefined) return NOTHING;
  const text = notes.join('\n');
  return { watched: named(text, WATCHED), cleared: named(text, CLEARED), last: resultIn(newest) };
}

function named(text: string, pattern: RegExp): ReadonlySet<Colour> {
  const found = [...text.matchAll(pattern)].flatMap(
    (match) => namings(match[1] ?? match[2] ?? '')[0]?.seat ?? [],
  );
  return new Set(found);
}

function resultIn(note: string): LastResult | null {
  const match = EJECTED.exec(note);
  const ejected = namings(match?.[1] ?? '')[0]?.seat;
  if (ejected === undefined) return NOBODY.test(note) ? { type: 'nobody', ejected: null } : null;
  const role = match?.[2];
  if (role === undefined) return { type: 'unknown', ejected };
  return { type: role === 'impostor' ? 'right' : 'wrong', ejected };
}
