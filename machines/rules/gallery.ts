import type { Bid, BySeat, Die } from '../types.ts';
import type { GhostUtterance } from './facts.ts';
import { capTokens, isBlank } from './floor.ts';

/** Who is heard: the highest desire plus die of those with something to say; a draw settles what is equal. */
export function pickGhostUtterance(
  bids: readonly Bid[],
  dice: BySeat<Die>,
  messageTokens: number,
): GhostUtterance | null {
  let best: { readonly rank: number; readonly draw: number; readonly said: GhostUtterance } | null =
    null;
  for (const bid of bids) {
    if (bid.type !== 'reply' || isBlank(bid.reply.message)) continue;
    const { face, draw } = dice[bid.seat] ?? { face: 1, draw: 0 };
    const rank = bid.reply.desire + face;
    if (best !== null && (rank < best.rank || (rank === best.rank && draw <= best.draw))) continue;
    const message = capTokens(bid.reply.message.trim(), messageTokens);
    best = { rank, draw, said: { speaker: bid.seat, message } };
  }
  return best?.said ?? null;
}
