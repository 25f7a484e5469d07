/** Codes: every player is a colour, two letters and a word, so that colour never stands alone. */
import type { Colour } from '../machines/types.ts';

/** Two letters, because one clashes. */
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
