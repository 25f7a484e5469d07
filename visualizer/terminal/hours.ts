/** Hours in print: the time of a game, as a clock that runs while people are on the ship. */
import { type Ink, ink } from './ink.ts';
import { NUMBER_WIDTH } from './page.ts';
import { clock, ROUND_SECONDS } from './rounds.ts';

/** The time in front of a line; what follows stands where everything of a meeting does. */
export function hour(round: number): Ink {
  return ink(`${clock(round).padStart(NUMBER_WIDTH + 1)} `, 'dim');
}

/** "12 s", without half seconds. */
export function seconds(rounds: number): string {
  return `${Math.floor(rounds * ROUND_SECONDS)} s`;
}
