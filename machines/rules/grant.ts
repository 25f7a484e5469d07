/**
 * The player who gets the floor. Of equal totals, the longest silent wins, then a player who has not voted, then a draw,
 * but never the seat (ruling 5).
 */
import { type Colour, TIE_BREAKS, type TieBreak } from '../types.ts';
import type { Score } from './scoreTerms.ts';

/** The winner and the tie-break that decided. Null if no bid is eligible. */
export function grantFloor(
  scores: readonly Score[],
  draws: (seat: Colour) => number,
): { readonly floor: Colour | null; readonly tieBreak: TieBreak | null } {
  const most = scores.reduce(
    (high, bid) => (bid.eligible ? Math.max(high, bid.total) : high),
    -Infinity,
  );
  const equals = scores.filter((bid) => bid.eligible && bid.total === most);
  const winner = equals.reduce<Score | null>(
    (best, rival) => (best === null || compareEquals(rival, best, draws).order > 0 ? rival : best),
    null,
  );
  if (winner === null) return { floor: null, tieBreak: null };
  const decided = equals
    .filter((rival) => rival !== winner)
    .map((rival) => TIE_BREAKS.indexOf(compareEquals(winner, rival, draws).by));
  return { floor: winner.seat, tieBreak: TIE_BREAKS[Math.max(...decided)] ?? null };
}

/** `order` is positive if the first of two equal totals wins. */
function compareEquals(
  one: Score,
  other: Score,
  draws: (seat: Colour) => number,
): { order: number; by: TieBreak } {
  if (one.silentTicks !== other.silentTicks) {
    return { order: one.silentTicks - other.silentTicks, by: 'silence' };
  }
  const unvoted = Number(!one.hasVoted) - Number(!other.hasVoted);
  if (unvoted !== 0) return { order: unvoted, by: 'unvoted' };
  return { order: draws(one.seat) - draws(other.seat), by: 'draw' };
}
