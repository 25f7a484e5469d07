/** Hours in print: the time of a game, as a clock that runs while people are on the ship. */
import { type Ink, ink } from './ink.ts';
import { NUMBER_WIDTH } from './page.ts';

/** Seconds that a round stands for (docs/decisions/0013). */
export const ROUND_SECONDS = 2.5;

/** The time at which a round begins, as m:ss. */
export function clock(round: number): string {
  const seconds = Math.floor(round * ROUND_SECONDS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The time in front of a line; what follows stands where everything of a meeting does. */
export function hour(round: number): Ink {
  return ink(`${clock(round).padStart(NUMBER_WIDTH + 1)} `, 'dim');
}

/** Rounds that so many seconds take. */
export function roundsIn(seconds: number): number {
  return Math.ceil(seconds / ROUND_SECONDS);
}

/** "12 s", without half seconds. */
export function seconds(rounds: number): string {
  return `${Math.floor(rounds * ROUND_SECONDS)} s`;
}
