/** What is asked beside the meeting's own search: under which budget, and what came of it. */
import type { Interference, SearchBudget } from 'glass-box-checker';
import type { Verdict } from './run.ts';
import type { Aside } from './shown.ts';

export type Searching = { readonly budget: SearchBudget; readonly now: () => number };

/** What a search of its own found. */
export type Asked = { readonly aside: Aside; readonly verdict: Verdict };

/** Broken, by a counterexample that is told elsewhere. */
export const BROKEN = {
  type: 'violated',
  trace: { events: [], loop: null, excludedBy: [] },
} as const satisfies Verdict['verdict'];

/** The verdict of a search for interference. */
export function verdictOf<I>({ verdict, why }: Interference<I>): Verdict['verdict'] {
  if (verdict === 'proved') return { type: 'proved', antecedents: null };
  if (verdict === 'violated') return BROKEN;
  return { type: verdict, why: verdict === 'vacuous' ? `${why}` : `${why} ended the search` };
}
