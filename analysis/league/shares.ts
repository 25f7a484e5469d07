/** Shares of games that were won, with intervals that know of games that mirror each other. */
import { wilsonInterval } from '../counts/numeric.ts';
import type { WinShare } from './types.ts';

/** Below this a share may be anything: its interval is wider than seventeen points on either side. */
export const FEW_GAMES = 30;

/** A game that was won or lost, and the pair of mirrored games that it belongs to. */
export type DecidedCase = { readonly pair: number; readonly won: boolean };

/**
 * A share with its interval. Games that mirror each other have the same dice: where they go together, they count as fewer
 * games than there are, and as more where one is won when the other one is lost.
 */
export function countShare(cases: readonly DecidedCase[], effect: number): WinShare {
  const wins = cases.filter(({ won }) => won).length;
  const games = cases.length;
  const mirrors = games - new Set(cases.map(({ pair }) => pair)).size;
  const weight = games === 0 ? 1 : 1 + (2 * mirrors * effect) / games;
  return { games, wins, interval: wilsonInterval(wins, games, weight), few: games < FEW_GAMES };
}

/** Pairs of mirrored games in all shares of a table, below which nothing is known of how far they go together. */
const FEWEST_MIRRORS = 20;

/** Mirrored games may go together, but never as if they were one game. */
const CLOSEST = 0.9;

/** How far mirrored games that are in the same share go together, from −1 to 1, over all shares of a table. */
export function measureMirrors(shares: readonly (readonly DecidedCase[])[]): number {
  let [sum, size, mirrors] = [0, 0, 0];
  for (const cases of shares) {
    const games = cases.length;
    const share = cases.filter(({ won }) => won).length / games;
    const spread = (share * (1 - share) * games) / (games - 1);
    for (const [first, second] of Map.groupBy(cases, ({ pair }) => pair).values()) {
      if (first === undefined || second === undefined) continue;
      // The share is that of these very games, so it lies nearer to them than the truth does.
      sum += (Number(first.won) - share) * (Number(second.won) - share) + spread / games;
      size += spread;
      mirrors += 1;
    }
  }
  if (mirrors < FEWEST_MIRRORS || size === 0) return 0;
  return Math.min(CLOSEST, Math.max(-CLOSEST, sum / size));
}
