/** Reading a bid of the journal: where a reply says all by itself, its reading is left out of the line. */
import type { SeenOf } from '../../machines/journal/lens.ts';

export type SeenBid = NonNullable<SeenOf<'tick.closed'>['bids']>[number];

/** What a spectator is shown of a bid, '' where it says nothing. */
export type Read = { readonly thought: string; readonly message: string };

export function readingOf({ reading, received }: SeenBid): Read {
  return {
    thought: reading?.internal_thought ?? field(received, 'internal_thought'),
    message: reading?.message ?? field(received, 'message'),
  };
}

/** A text of a reply as it arrived; '' when it has none, because a reply may be anything. */
function field(received: unknown, name: string): string {
  if (typeof received !== 'object' || received === null) return '';
  const found = Object.entries(received).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : '';
}
