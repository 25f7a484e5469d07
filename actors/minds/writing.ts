/** Text that models are writing, for viewers through the glass. It is in no journal and decides nothing. */
import type { Line } from '../../machines/journal/lines.ts';
import type { SeatWords, WaitKind } from '../../machines/turnPrompt.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import type { TimePort } from '../ports/ports.ts';

/** Milliseconds between two looks at words that grow: nobody reads faster. */
const LOOK_MS = 100;

type Look = (words: readonly SeatWords[]) => void;

export type WritingBoard = ReturnType<typeof createWritingBoard>;

export function createWritingBoard(time: Pick<TimePort, 'setTimeout'>) {
  const known = new Map<Colour, SeatWords>();
  const looks: Look[] = [];
  let isDue = false;
  const show = () => {
    isDue = false;
    const words = COLOURS.flatMap((seat) => known.get(seat) ?? []);
    for (const look of looks) look(words);
  };
  return {
    /** Calls `look` soon after text grows, and at once when text is removed. */
    watch: (look: Look) => void looks.push(look),
    /** A model's text for a seat; null discards it. */
    note: (
      { seat, kind }: { readonly seat: Colour; readonly kind: WaitKind },
      words: { readonly thought: string; readonly message: string } | null,
    ) => {
      if (words === null) {
        if (known.delete(seat)) show();
        return;
      }
      known.set(seat, { seat, requestKind: kind, ...words });
      if (isDue) return;
      isDue = true;
      time.setTimeout(() => {
        if (isDue) show();
      }, LOOK_MS);
    },
    noteLine: (line: Line) => {
      const gone = [...known.values()].filter((words) => isOver(line, words));
      for (const { seat } of gone) known.delete(seat);
      if (gone.length > 0) show();
    },
  };
}

function isOver(line: Line, { seat, requestKind }: SeatWords): boolean {
  switch (line.type) {
    case 'tick.closed':
    case 'turn.closed':
      return line.bids.some((bid) => bid.seat === seat);
    case 'round.closed':
      return requestKind === 'action';
    // A tick that is abandoned has no line of its own.
    case 'phase.entered':
    case 'meeting.closed':
      return requestKind !== 'action' && requestKind !== 'ghost';
    case 'gallery.closed':
      return requestKind === 'ghost';
    case 'game.closed':
      return true;
    default:
      return false;
  }
}
