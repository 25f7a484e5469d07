/** A copy of the score terms with one more. */
import * as terms from '../../../machines/rules/scoreTerms.ts';

export const SCORE_TERMS: readonly terms.TermRow[] = [
  ...terms.SCORE_TERMS,
  {
    key: 'lateGuest',
    yaml: 'late_guest',
    sign: '+',
    weight: 0,
    isInSpread: true,
    label: 'late guest',
    help: 'For a player who came late',
    told: 'a boost if you came late',
  },
];
