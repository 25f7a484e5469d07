/** Seats in print: every player is a code of two letters, a colour and a name, so that colour never stands alone. */
import type { Ballot, BySeat, Colour } from '../../machines/types.ts';
import { CODES } from '../codes.ts';
import { GLUE, type Ink, ink, type Style } from './ink.ts';

/** The nearest of the sixteen colours that every terminal has. */
const HUES: Readonly<Record<Colour, readonly Style[]>> = {
  red: ['redBright'],
  blue: ['blueBright'],
  green: ['green'],
  pink: ['magentaBright'],
  orange: ['yellow'],
  yellow: ['yellowBright'],
  black: ['gray'],
  // In the colour of the terminal's own text: white is unreadable on white.
  white: [],
  purple: ['magenta'],
  brown: ['yellow', 'dim'],
  cyan: ['cyanBright'],
  lime: ['greenBright'],
  maroon: ['red', 'dim'],
  rose: ['magentaBright', 'dim'],
  banana: ['yellowBright', 'dim'],
  gray: ['white', 'dim'],
  tan: ['white'],
  coral: ['red'],
};

/** Names of the players beside their colours, where somebody knows them. */
export type Names = BySeat<string>;

/** "RD", painted. */
export function code(seat: Colour): Ink {
  return ink(CODES[seat], ...HUES[seat], 'inverse');
}

/** "RD Red". */
export function player(seat: Colour): readonly Ink[] {
  return [code(seat), GLUE, ink(capital(seat), ...HUES[seat], 'bold')];
}

/** "RD Red (Ada)" where a name is known. */
export function named(seat: Colour, names: Names): readonly Ink[] {
  const name = names[seat];
  return name === undefined ? player(seat) : [...player(seat), ink(` (${name})`, 'dim')];
}

/** "RD Red", or the candidate that is nobody. */
export function candidate(ballot: Ballot): readonly Ink[] {
  return ballot === 'skip' ? [ink('skip', 'bold')] : player(ballot);
}

/** "RD Red, BL Blue". */
export function players(seats: readonly Colour[]): readonly Ink[] {
  return seats.flatMap((seat, index) =>
    index === 0 ? player(seat) : [ink(', '), ...player(seat)],
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** "Red", where many are named and their places matter more. */
export function name(seat: Colour): Ink {
  return ink(capital(seat), ...HUES[seat], 'bold');
}

/** "Red, Blue and Green". */
export function listed(seats: readonly Colour[]): readonly Ink[] {
  return seats.flatMap((seat, index) => {
    if (index === 0) return [name(seat)];
    return [ink(index === seats.length - 1 ? ' and ' : ', '), name(seat)];
  });
}
