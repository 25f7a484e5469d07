/**
 * Bidding: the priority of a bid, kept term by term, and who gets the floor.
 *
 * A score is never a bare sum; every term stays visible. Equal totals go to the longest silent, then to who has not
 * voted, then to a draw: never to the seat (ruling 5).
 */
import {
  type Bid,
  type Colour,
  type Die,
  type Score,
  TIE_BREAKS,
  type TieBreak,
} from '../types.ts';
import { isCalledOn, silenceBoost } from './silence.ts';
import type { Weights } from './weights.ts';
import { worstSpread } from './weights.ts';

/** Where a player stands when a tick is opened, before any bid is known. */
export type Claim = {
  readonly mentioned: boolean;
  readonly accused: boolean;
  /** Spoke in the previous tick (ruling 13). */
  readonly justSpoke: boolean;
  /** Had locked a ballot before this tick was opened (ruling 6). */
  readonly voted: boolean;
  readonly silentTicks: number;
};

/** The priority of one bid. A fault is silence: it has a score to look at but can't win (ruling 2). */
export function score(bid: Bid, claim: Claim, die: Die, weights: Weights): Score {
  const desire = bid.type === 'reply' ? bid.reply.desire : 0;
  const mention = claim.mentioned ? weights.mention : 0;
  const accusation = claim.accused ? weights.accusation : 0;
  const silence = silenceBoost(weights.silence, claim.silentTicks);
  const recentSpeaker = claim.justSpoke ? 0 - weights.recentSpeaker : 0;
  const voted = claim.voted ? 0 - weights.voted : 0;
  const calledOn = isCalledOn(weights.silence, claim.silentTicks, worstSpread(weights));
  return {
    seat: bid.seat,
    desire,
    mention,
    accusation,
    silence,
    die: die.face,
    recentSpeaker,
    voted,
    total: desire + mention + accusation + silence + die.face + recentSpeaker + voted,
    silentTicks: claim.silentTicks,
    hasVoted: claim.voted,
    calledOn,
    eligible: bid.type === 'reply' && (calledOn || !isBlank(bid.reply.message)),
  };
}

/** White space alone is not a bid (ruling 9). */
export function isBlank(message: string): boolean {
  return message.trim() === '';
}

/** Who has the floor, and what settled it when totals were equal; nobody when no bid was eligible. */
export function grant(
  scores: readonly Score[],
  draws: (seat: Colour) => number,
): { readonly floor: Colour | null; readonly tieBreak: TieBreak | null } {
  const most = scores.reduce(
    (high, bid) => (bid.eligible ? Math.max(high, bid.total) : high),
    -Infinity,
  );
  const equals = scores.filter((bid) => bid.eligible && bid.total === most);
  const winner = equals.reduce<Score | null>(
    (best, rival) => (best === null || precedence(rival, best, draws).order > 0 ? rival : best),
    null,
  );
  if (winner === null) return { floor: null, tieBreak: null };
  const decided = equals
    .filter((rival) => rival !== winner)
    .map((rival) => TIE_BREAKS.indexOf(precedence(winner, rival, draws).by));
  return { floor: winner.seat, tieBreak: TIE_BREAKS[Math.max(...decided)] ?? null };
}

/** Which of two equal totals goes first (order above 0: the first one), and by what. */
function precedence(
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
