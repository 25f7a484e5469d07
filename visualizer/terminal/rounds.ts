/** Rounds in seconds: what a round of a game stands for. */

/** Seconds that a round stands for (docs/decisions/0013). */
export const ROUND_SECONDS = 2.5;

/** The time at which a round begins, as m:ss. */
export function clock(round: number): string {
  const seconds = Math.floor(round * ROUND_SECONDS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
