/**
 * What models are writing, for those who look on through the glass: the words of answers that are not yet lines.
 *
 * It is no part of a journal and nothing is decided by it. What a model has written is here from its first word until its
 * answer stands in a line, or is void. Each word is a secret of its seat until then.
 */
import type { Line } from '../../machines/journal/lines.ts';
import type { SeatWords, WaitKind } from '../../machines/turnPrompt.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import type { TimePort } from '../ports/ports.ts';

/** Milliseconds between two looks at words that grow: nobody reads faster. */
const LOOK_MS = 100;

type Look = (words: readonly SeatWords[]) => void;

export class WritingBoard {
  readonly #time: Pick<TimePort, 'setTimeout'>;
  readonly #words = new Map<Colour, SeatWords>();
  readonly #looks: Look[] = [];
  #isDue = false;

  constructor(time: Pick<TimePort, 'setTimeout'>) {
    this.#time = time;
  }

  /** Calls `look` with what is being written: soon after it has grown, and at once when some of it is gone. */
  watch(look: Look): void {
    this.#looks.push(look);
  }

  /** A model has written so much for a seat; null where that is void. */
  note(
    { seat, kind }: { readonly seat: Colour; readonly kind: WaitKind },
    words: { readonly thought: string; readonly message: string } | null,
  ): void {
    if (words === null) {
      if (this.#words.delete(seat)) this.#show();
      return;
    }
    this.#words.set(seat, { seat, requestKind: kind, ...words });
    if (this.#isDue) return;
    this.#isDue = true;
    this.#time.setTimeout(() => {
      if (this.#isDue) this.#show();
    }, LOOK_MS);
  }

  /** A line is written: answers that stand in it are no longer being written. */
  noteLine(line: Line): void {
    const gone = [...this.#words.values()].filter((words) => isOver(line, words));
    for (const { seat } of gone) this.#words.delete(seat);
    if (gone.length > 0) this.#show();
  }

  #show(): void {
    this.#isDue = false;
    const words = COLOURS.flatMap((seat) => this.#words.get(seat) ?? []);
    for (const look of this.#looks) look(words);
  }
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
