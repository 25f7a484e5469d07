/** Of equal totals the longest silent wins, then a player who has not voted, then a draw: never the seat (ruling 5). */
import { type Colour, TIE_BREAKS, type TieBreak } from '../types.ts';
import { SCORE_TERMS, type Score, type ScoreRow } from './scoreTerms.ts';
import { mapTerms } from './weights.ts';

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

/** A score of a journal, which omits terms that are 0 and flags that are false. */
type RecordedScore = Pick<Score, 'seat' | 'total'> & {
  readonly [K in keyof Score]?: Score[K] | undefined;
};

/** The terms that decided: with one of them at 0 for every bid, this rival would have won. */
export function listDecidingTerms(
  scores: readonly RecordedScore[],
  floor: Colour | null | undefined,
): readonly { readonly term: ScoreRow; readonly rival: Colour }[] {
  return SCORE_TERMS.flatMap((term) => {
    const bids = scores.map(({ seat, total, ...score }) => ({
      ...mapTerms(({ key }) => score[key] ?? 0),
      seat,
      total: total - (score[term.key] ?? 0),
      silentTicks: score.silentTicks ?? 0,
      hasVoted: score.hasVoted === true,
      calledOn: score.calledOn === true,
      eligible: score.eligible === true,
    }));
    // A draw that was never made is left to the winner.
    const rival = grantFloor(bids, (seat) => Number(seat === floor)).floor;
    return rival === null || rival === floor ? [] : [{ term, rival }];
  });
}

/**
 * What won a tick: the terms that decided, and whether the longest silent player and the highest desire won, if one
 * player alone was that. Null unless at least two bids could win.
 */
export function judgeFloor(scores: readonly Score[], floor: Colour | null) {
  if (floor === null || scores.filter(({ eligible }) => eligible).length < 2) return null;
  const judgeFirst = (key: 'silentTicks' | 'desire', name: string) => {
    const most = Math.max(...scores.map((bid) => bid[key]));
    const [first, other] = scores.filter((bid) => bid[key] === most);
    if (other !== undefined) return [];
    return first?.seat === floor ? name : `not_${name}`;
  };
  return [
    ...listDecidingTerms(scores, floor).map(({ term }) => term.yaml),
    judgeFirst('silentTicks', 'longest_silent'),
    judgeFirst('desire', 'highest_desire'),
  ].flat();
}

/** `order` is positive if the first of two equal totals wins. */
function compareEquals(
  one: Score,
  other: Score,
  draws: (seat: Colour) => number,
): { order: number; by: TieBreak } {
  if (one.silentTicks !== other.silentTicks)
    return { order: one.silentTicks - other.silentTicks, by: 'silence' };
  const unvoted = Number(!one.hasVoted) - Number(!other.hasVoted);
  if (unvoted !== 0) return { order: unvoted, by: 'unvoted' };
  return { order: draws(one.seat) - draws(other.seat), by: 'draw' };
}
