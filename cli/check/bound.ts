/** The bound on silence, with its arithmetic, for the weights of one subject. */
import { longestSilence, worstSpread } from '../../machines/rules/weights.ts';
import type { Subject } from './subject.ts';

export type Bound = {
  readonly players: number;
  readonly ticks: number;
  readonly arithmetic: string;
};

/** The formula of W counts at least three. */
const FEWEST = 3;

/**
 * W: ticks in a row for which somebody who bids in every tick can stay silent. It follows from the weights by
 * arithmetic: the search does not look at scores.
 */
export function boundOf({ setting, players }: Subject): Bound {
  const { weights } = setting.options;
  const { mention, accusation, voted, silence } = weights;
  const spread = worstSpread(weights);
  const ticks = longestSilence(weights, players);
  const counted = Math.max(players, FEWEST);
  const rest = spread - mention - accusation - voted;
  return {
    players,
    ticks,
    arithmetic: `Δ = ${rest} desire and die + ${mention} mention + ${accusation} accusation + ${voted} voted = ${spread}; W = ⌈Δ/c⌉ + N − 2 + n0 = ⌈${spread}/${silence.slope}⌉ + ${counted} − 2 + ${silence.grace} = ${ticks}`,
  };
}
