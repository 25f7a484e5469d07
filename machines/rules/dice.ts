/**
 * The die: chance as a value of (seed, meeting, tick, seat), so that bids that race cannot change who wins.
 *
 * The generator is Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011): a keyed bijection of a counter, with published test vectors. There is no state to share, so
 * nobody can draw from anybody else's stream.
 */
import { type BySeat, COLOURS, type Colour, type Die } from '../types.ts';

/**
 * Who draws. Each stream is independent of the others: ghosts never move the dice of the living (ruling 36). A new one
 * comes last, so that the others keep their dice.
 */
export const STREAMS = ['table', 'gallery', 'mind', 'fault', 'deal', 'round', 'run'] as const;
export type Stream = (typeof STREAMS)[number];

/** The moment of a draw. `meeting` counts the meetings of one game from 0 and stays below 65,536. */
export type DrawMoment = {
  readonly seed: number;
  readonly meeting: number;
  readonly stream: Stream;
  readonly tick: number;
};

export const FACES = 6;
const TWO_32 = 2 ** 32;
const PARITY = 0x1bd11bda;
/** Twenty rounds: five times four, after each of which the key is added. */
const STEPS = 5;

/** Two words of 32 bits for a key and a counter of two words each. */
export function threefry(
  key: readonly [number, number],
  counter: readonly [number, number],
): readonly [number, number] {
  // Without a list or a table: a game draws some thousands of times.
  let first = key[0] | 0;
  let second = key[1] | 0;
  let third = PARITY ^ first ^ second;
  let left = (counter[0] + first) | 0;
  let right = (counter[1] + second) | 0;
  for (let step = 1; step <= STEPS; step++) {
    const isOdd = step % 2 === 1;
    left = (left + right) | 0;
    right = rotate(right, isOdd ? 13 : 17) ^ left;
    left = (left + right) | 0;
    right = rotate(right, isOdd ? 15 : 29) ^ left;
    left = (left + right) | 0;
    right = rotate(right, isOdd ? 26 : 16) ^ left;
    left = (left + right) | 0;
    right = rotate(right, isOdd ? 6 : 24) ^ left;
    left = (left + second) | 0;
    right = (right + third + step) | 0;
    const used = first;
    first = second;
    second = third;
    third = used;
  }
  return [left >>> 0, right >>> 0];
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** The two words that belong to a moment and a lane (a seat, or a running number of a mind), each below 2^32. */
export function drawWords(moment: DrawMoment, lane: number): readonly [number, number] {
  const stream = STREAMS.indexOf(moment.stream);
  return threefry(
    [moment.seed >>> 0, Math.floor(moment.seed / TWO_32)],
    [moment.tick, ((moment.meeting & 0xffff) << 16) | (stream << 12) | (lane & 0xfff)],
  );
}

/** The die of one seat. A face is off the exact sixth by less than one in 10^9 (2^32 is not a multiple of 6). */
export function rollDie(moment: DrawMoment, seat: Colour): Die {
  const [face, draw] = drawWords(moment, COLOURS.indexOf(seat));
  return { face: 1 + Math.floor((face / TWO_32) * FACES), draw };
}

/** The dice of a tick, one for each seat asked. */
export function rollDice(moment: DrawMoment, seats: readonly Colour[]): BySeat<Die> {
  const dice: Partial<Record<Colour, Die>> = {};
  for (const seat of seats) dice[seat] = rollDie(moment, seat);
  return dice;
}

/** Draws a whole number from 0 to below `choices`, and another one the next time. */
export type Draw = (choices: number) => number;

/**
 * The deck of one seat, of all seats together, or of the roles: draws before a game begins, as a value of (seed, owner,
 * draw). Every owner has a deck of their own, so what a player is dealt depends neither on who else is seated nor on
 * the order in which the seats are named.
 */
export function createDeck(seed: number, owner: Colour | 'everybody' | 'roles'): Draw {
  const lane = laneOf(owner);
  let tick = 0;
  return (choices) => {
    const [word] = drawWords({ seed, meeting: 0, stream: 'deal', tick: tick++ }, lane);
    // Off the exact share by less than one in 10^7, for a deck of some dozens of cards.
    return Math.floor((word / 2 ** 32) * choices);
  };
}

function laneOf(owner: Colour | 'everybody' | 'roles'): number {
  if (owner === 'everybody') return COLOURS.length;
  return owner === 'roles' ? COLOURS.length + 1 : COLOURS.indexOf(owner);
}
