/**
 * Seeds of a run: each game has one of its own, a value of the run's seed and the number of the game.
 *
 * The first game of a run is played with the seed of the run itself, so any game of any run can be played alone: its
 * own seed makes it game 1 of a run of one.
 */
import { drawWords } from '../../machines/rules/dice.ts';

/** Own seeds stay below this: thirteen digits can still be read out, and two games in a million may share one. */
const SEEDS = 2 ** 40;
const TWO_32 = 2 ** 32;

/** The seed of a game of a run; games count from 1. */
export function gameSeed(seed: number, game: number): number {
  if (game === 1) return seed;
  const [high, low] = drawWords({ seed, meeting: 0, stream: 'run', tick: game }, 0);
  return (high % (SEEDS / TWO_32)) * TWO_32 + low;
}
