/**
 * Thoughtless: lines without what went on in minds, for a page that is given away.
 *
 * What a mind sent may be anything, so of a reply only the fields that are no secret of the mind are kept, and a reply
 * that is none is left out.
 */
import type { SeenLine, SeenOf } from '../../machines/journal/lens.ts';

type Bid = NonNullable<SeenOf<'tick.closed'>['bids']>[number];
type Order = NonNullable<SeenOf<'round.closed'>['orders']>[number];

/** The line without thoughts and scratchpads; null where nothing else was in it. */
export function thoughtless(line: SeenLine): SeenLine | null {
  switch (line.type) {
    case 'pads.noted':
    case 'pads.consolidated':
      return null;
    case 'tick.closed':
      return line.bids === undefined ? bare(line) : { ...bare(line), bids: line.bids.map(spoken) };
    case 'turn.closed':
      return line.bids === undefined ? bare(line) : { ...bare(line), bids: line.bids.map(spoken) };
    case 'round.closed':
      return line.orders === undefined
        ? bare(line)
        : { ...bare(line), orders: line.orders.map(done) };
    default:
      return bare(line);
  }
}

/** The clock holds requests to models, and a hash can test a guess. */
function bare<L extends SeenLine>(line: L): L {
  const copy = { ...line };
  delete copy.clock;
  delete copy.hash;
  return copy;
}

/** What a bid says in public. */
const SPOKEN = ['desire_to_speak', 'message', 'target', 'vote_action'];

function spoken({ seat, received, reading, fault }: Bid): Bid {
  if (fault !== undefined) return { seat, fault };
  return { seat, received: only(reading ?? received, SPOKEN) };
}

function done({ seat, received, reading, fault }: Order): Order {
  if (fault !== undefined) return { seat, fault };
  return { seat, received: only(reading ?? received, ['action']) };
}

function only(from: unknown, names: readonly string[]): object {
  if (typeof from !== 'object' || from === null) return {};
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
