/**
 * Chance as a value of (seed, meeting, tick, seat), so the order in which bids arrive cannot change the winner.
 *
 * The generator is Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1,
 * 2, 3", SC 2011): a keyed bijection of a counter with published test vectors. It has no shared state, so one stream
 * cannot disturb another.
 */
import { type BySeat, COLOURS, type Colour, type Die } from '../types.ts';

/** Ghosts never move the dice of the living (ruling 36). New streams go to the end, so that others keep their dice. */
export const STREAMS = ['table', 'gallery', 'mind', 'fault', 'deal', 'round', 'run'] as const;
export type Stream = (typeof STREAMS)[number];

/** `meeting` counts the meetings of one game from 0 and stays below 65,536. */
export type DrawMoment = {
  readonly seed: number;
  readonly meeting: number;
  readonly stream: Stream;
  readonly tick: number;
};

export const FACES = 6;
const TWO_32 = 2 ** 32;
const PARITY = 0x1bd11bda;
/** Twenty rounds are five steps of four. The key is added after each step. */
const STEPS = 5;

/** Key and counter are two 32-bit words each. */
export function threefry(
  key: readonly [number, number],
  counter: readonly [number, number],
): readonly [number, number] {
  // Without lists or tables, because a game draws thousands of times.
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

/** The lane is a seat or a running number of a mind. Each word is below 2^32. */
export function drawWords(moment: DrawMoment, lane: number): readonly [number, number] {
  const stream = STREAMS.indexOf(moment.stream);
  return threefry(
    [moment.seed >>> 0, Math.floor(moment.seed / TWO_32)],
    [moment.tick, ((moment.meeting & 0xffff) << 16) | (stream << 12) | (lane & 0xfff)],
  );
}

/** Draws of a round on the ship, one for each seat: who else is seated does not move them. */
export function drawForRound(
  seed: number,
  round: number,
  seats: readonly Colour[] = COLOURS,
): BySeat<number> {
  const moment = { seed, meeting: 0, stream: 'round', tick: round } as const;
  const draws: Partial<Record<Colour, number>> = {};
  for (const seat of seats) draws[seat] = drawWords(moment, COLOURS.indexOf(seat))[0];
  return draws;
}

/** 2^32 is not a multiple of 6, so a face is off by less than one in 10^9. */
export function rollDie(moment: DrawMoment, seat: Colour): Die {
  const [face, draw] = drawWords(moment, COLOURS.indexOf(seat));
  return { face: 1 + Math.floor((face / TWO_32) * FACES), draw };
}

export function rollDice(moment: DrawMoment, seats: readonly Colour[]): BySeat<Die> {
  const dice: Partial<Record<Colour, Die>> = {};
  for (const seat of seats) dice[seat] = rollDie(moment, seat);
  return dice;
}

/** Draws a whole number from 0 to below `choices`, a new one at each call. */
export type Draw = (choices: number) => number;

const DECK_OWNERS = [...COLOURS, 'everybody', 'roles'] as const;

/** Draws before a game. Each owner has their own deck, so a deal does not depend on other seats or on their order. */
export function createDeck(seed: number, owner: (typeof DECK_OWNERS)[number]): Draw {
  const lane = DECK_OWNERS.indexOf(owner);
  let tick = 0;
  return (choices) => {
    const [word] = drawWords({ seed, meeting: 0, stream: 'deal', tick: tick++ }, lane);
    // Off by less than one in 10^7 for a deck of some dozens of cards.
    return Math.floor((word / 2 ** 32) * choices);
  };
}
