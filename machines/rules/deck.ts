/**
 * The deck: draws before a game begins, as a value of (seed, owner, draw).
 *
 * Every owner has a deck of their own, so what one is dealt depends neither on who else is seated nor on the order in
 * which the seats are named.
 */
import { COLOURS, type Colour } from '../types.ts';
import { words } from './dice.ts';

/** Draws a whole number from 0 to below `choices`, and another one the next time. */
export type Draw = (choices: number) => number;

const TWO_32 = 2 ** 32;

/** The deck of one seat; that of everybody together; and that of whoever deals the roles. */
export function deckOf(seed: number, owner: Colour | 'everybody' | 'roles'): Draw {
  const lane = laneOf(owner);
  let tick = 0;
  return (choices) => {
    const [word] = words({ seed, meeting: 0, stream: 'deal', tick: tick++ }, lane);
    // Off the exact share by less than one in 10^7, for a deck of some dozens of cards.
    return Math.floor((word / TWO_32) * choices);
  };
}

function laneOf(owner: Colour | 'everybody' | 'roles'): number {
  if (owner === 'everybody') return COLOURS.length;
  return owner === 'roles' ? COLOURS.length + 1 : COLOURS.indexOf(owner);
}
