/** The post of a seat: tells those who hold it how it stands, whenever that changes and they have read what came before. */
import type { Seating } from '../../machines/turnPrompt.ts';
import type { Viewer } from './audience.ts';

/** A seat as its holder has it. */
export type Seat = {
  readonly seating: Seating;
  watch(look: () => void): () => void;
  /** Somebody who holds it is there, until the function that is returned is called. */
  come(): () => void;
  /** Says why an answer is not taken; null where it is. */
  answer(id: number, received: unknown): string | null;
  leave(): void;
};

/** Who tells the seat that a viewer has gone; whether more may be written; whether there is something to tell. */
type Place = { go: () => void; isFree: boolean; isStale: boolean };

export class Post {
  readonly #seat: Seat;
  readonly #viewers = new Map<Viewer, Place>();

  constructor(seat: Seat) {
    this.#seat = seat;
    seat.watch(() => {
      for (const [viewer, place] of [...this.#viewers]) {
        place.isStale = true;
        this.#tell(viewer, place);
      }
    });
  }

  join(viewer: Viewer): void {
    // Arriving changes how the seat stands, and whoever arrives is told by that; where nothing has changed, here.
    const place: Place = { go: () => {}, isFree: true, isStale: true };
    this.#viewers.set(viewer, place);
    place.go = this.#seat.come();
    this.#tell(viewer, place);
  }

  leave(viewer: Viewer): void {
    const place = this.#viewers.get(viewer);
    this.#viewers.delete(viewer);
    place?.go();
  }

  /** Called when a viewer has read what was written. */
  pump(viewer: Viewer): void {
    const place = this.#viewers.get(viewer);
    if (place === undefined) return;
    place.isFree = true;
    this.#tell(viewer, place);
  }

  #tell(viewer: Viewer, place: Place): void {
    if (!place.isFree || !place.isStale) return;
    place.isStale = false;
    place.isFree = viewer.write(`data: ${JSON.stringify(this.#seat.seating)}\n\n`);
  }
}
