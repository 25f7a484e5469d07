/** Draws of a schedule: chance as a value of the league's seed, the slot and a lane. */
import { drawWords } from '../../machines/rules/dice.ts';

/** Lanes that one slot has. */
const LANES = 4096;

/** A number below 2^32; the same lane of the same slot always gives the same. */
export function draw(seed: number, slot: number, lane: number): number {
  // The dice of seeds of games are in meeting 0 of the same stream.
  return drawWords(
    { seed, meeting: 1 + Math.floor(lane / LANES), stream: 'run', tick: slot },
    lane,
  )[0];
}
