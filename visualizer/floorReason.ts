/** Why a player has the floor, in words, from the scores of a tick. */
import type { SeenTick } from '../machines/journal/projection.ts';
import { listDecidingTerms } from '../machines/rules/grant.ts';
import { capitalize } from '../machines/text.ts';
import { TIE_REASONS } from './text.ts';

/** "Pink: addressed +3, and the die"; '' where the lens shows no scores. */
export function explainFloor({ floor, tie, scores = [] }: SeenTick): string {
  const won = scores.find(({ seat }) => seat === floor);
  if (floor == null || won === undefined) return '';
  const rivals = scores.filter(({ seat, eligible }) => eligible === true && seat !== floor);
  if (rivals.length === 0) return `${capitalize(floor)}: no other bid could win`;
  const terms = listDecidingTerms(scores, floor).map(({ term, rival }) => {
    if (term.key === 'die') return 'the die';
    const own = won[term.key] ?? 0;
    if (own > 0) return `${term.label} +${own}`;
    const theirs = rivals.find(({ seat }) => seat === rival)?.[term.key] ?? 0;
    return `${capitalize(rival)} ${term.label} −${Math.abs(theirs)}`;
  });
  const last = terms.pop();
  const why = [
    won.calledOn === true ? `called on after ${won.silentTicks ?? 0} silent ticks` : '',
    tie == null ? '' : `a tie, and ${TIE_REASONS[tie]}`,
    terms.length === 0 ? (last ?? '') : `${terms.join(', ')}, and ${last}`,
  ].filter((reason) => reason !== '');
  return `${capitalize(floor)}: ${why.join('; ') || 'no single term decided'}`;
}
