/**
 * The gallery's turn: which ghost is heard, out of those who want to talk.
 *
 * Ghosts have dice of their own and a budget of their own; the living never wait for them and never hear them
 * (ruling 36).
 */
import type { Bid, BySeat, Colour, Die, Occasion } from '../types.ts';
import { isBlank } from './bidding.ts';
import { capTokens } from './tokens.ts';

/** A line of the ghosts' chat. */
export type Murmur = { readonly speaker: Colour; readonly message: string };

/** What the ghosts' channel of the journal tells. */
export type GhostFact =
  | { readonly type: 'ghost.joined'; readonly seat: Colour }
  | {
      readonly type: 'turn.closed';
      readonly turn: number;
      readonly occasion: Occasion;
      readonly bids: readonly Bid[];
      readonly dice: BySeat<Die>;
      readonly said: Murmur | null;
    }
  | {
      readonly type: 'pads.consolidated';
      readonly seat: Colour;
      readonly main: string | null;
      readonly line: string | null;
    }
  | { readonly type: 'pads.erased' }
  | { readonly type: 'gallery.closed'; readonly turns: number };

/** Who is heard: the highest desire plus die of those with something to say; a draw settles what is equal. */
export function heard(
  bids: readonly Bid[],
  dice: BySeat<Die>,
  messageTokens: number,
): Murmur | null {
  let best: { readonly rank: number; readonly draw: number; readonly said: Murmur } | null = null;
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
