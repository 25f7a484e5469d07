/** Names: every player is a colour, two letters and a word, so that colour never stands alone. */
import type { Ballot, Colour } from '../../../machines/types.ts';

/** Two letters, because one clashes; the same as in the terminal. */
export const CODES: Readonly<Record<Colour, string>> = {
  red: 'RD',
  blue: 'BL',
  green: 'GN',
  pink: 'PK',
  orange: 'OR',
  yellow: 'YL',
  black: 'BK',
  white: 'WH',
  purple: 'PR',
  brown: 'BN',
  cyan: 'CY',
  lime: 'LM',
  maroon: 'MA',
  rose: 'RO',
  banana: 'BA',
  gray: 'GR',
  tan: 'TA',
  coral: 'CO',
};

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** "Red", or what a ballot for nobody is called. */
export function candidateName(ballot: Ballot): string {
  return ballot === 'skip' ? 'Skip' : capital(ballot);
}
