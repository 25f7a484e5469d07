/** Why a player has the floor, in words, from the scores of a tick. */
import type { SeenTick } from '../machines/journal/projection.ts';
import { grantFloor } from '../machines/rules/grant.ts';
import { SCORE_TERMS, type ScoreRow } from '../machines/rules/scoreTerms.ts';
import { mapTerms } from '../machines/rules/weights.ts';
import { capitalize } from '../machines/text.ts';
import type { Colour } from '../machines/types.ts';
import { TIE_REASONS } from './text.ts';

type ScoredTick = Pick<SeenTick, 'floor' | 'scores'>;
type DecidingTerm = { readonly term: ScoreRow; readonly rival: Colour };

/** The terms that decided: with one of them at 0 for every bid, this rival would have won. */
export function listDecidingTerms({ floor, scores = [] }: ScoredTick): readonly DecidingTerm[] {
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

/** "Pink: addressed +3, and the die"; '' where the lens shows no scores. */
export function explainFloor({ floor, tie, scores = [] }: SeenTick): string {
  const won = scores.find(({ seat }) => seat === floor);
  if (floor == null || won === undefined) return '';
  const why = () => {
    if (tie != null) return `a tie, and ${TIE_REASONS[tie]}`;
    if (won.calledOn === true) return `called on after ${won.silentTicks ?? 0} silent ticks`;
    const rivals = scores.filter(({ seat, eligible }) => eligible === true && seat !== floor);
    if (rivals.length === 0) return 'no other bid could win';
    const terms = listDecidingTerms({ floor, scores }).map(({ term, rival }) => {
      if (term.key === 'die') return 'the die';
      const own = won[term.key] ?? 0;
      if (own > 0) return `${term.label} +${own}`;
      const theirs = rivals.find(({ seat }) => seat === rival)?.[term.key] ?? 0;
      return `${capitalize(rival)} ${term.label} −${Math.abs(theirs)}`;
    });
    const last = terms.pop();
    if (last === undefined) return 'no single term decided';
    return terms.length === 0 ? last : `${terms.join(', ')}, and ${last}`;
  };
  return `${capitalize(floor)}: ${why()}`;
}
