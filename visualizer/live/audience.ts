/**
 * The audience of a lens: everybody who looks through it, and all that they have been sent or will be.
 *
 * What is hidden is cut here, before anything is sent; lines are numbered as this lens shows them, so that the numbers
 * do not tell how many are hidden. Whoever was cut off asks for what comes after the last number that they have seen.
 */
import type { Line } from '../../machines/journal.ts';
import { type Lens, lensFor, type SeenLine } from '../../machines/lens.ts';

/** Where events go to. `write` says whether more may be written at once; if not, `onDrain` is called later. */
export type Viewer = {
  write(text: string): boolean;
  end(): void;
};

/** Lines that go out in one event when there is much to catch up with. */
const BATCH = 400;

export class Audience {
  readonly #see: (line: Line) => SeenLine | null;
  readonly #rows: string[] = [];
  readonly #viewers = new Map<Viewer, number>();
  #isOver = false;

  constructor(lens: Lens) {
    this.#see = lensFor(lens);
  }

  add(line: Line): void {
    const seen = this.#see(line);
    if (seen === null) return;
    this.#rows.push(JSON.stringify(seen));
    for (const viewer of this.#viewers.keys()) this.pump(viewer);
  }

  /** Nothing comes any more. */
  end(): void {
    this.#isOver = true;
    for (const viewer of [...this.#viewers.keys()]) this.pump(viewer);
  }

  /** Begins to send what comes after a number; -1 is everything. */
  join(viewer: Viewer, after: number): void {
    this.#viewers.set(viewer, Math.min(after, this.#rows.length - 1) + 1);
    this.pump(viewer);
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
  }

  get size(): number {
    return this.#viewers.size;
  }

  /** Sends what a viewer has not got, as far as they take it. */
  pump(viewer: Viewer): void {
    let next = this.#viewers.get(viewer);
    if (next === undefined) return;
    let isFree = true;
    while (isFree && next < this.#rows.length) {
      const rows = this.#rows.slice(next, next + BATCH);
      next += rows.length;
      isFree = viewer.write(event(next - 1, rows));
      this.#viewers.set(viewer, next);
    }
    if (!this.#isOver || next < this.#rows.length) return;
    this.#viewers.delete(viewer);
    viewer.write('event: over\ndata: over\n\n');
    viewer.end();
  }
}

/** JSON has no line breaks of its own. */
function event(id: number, rows: readonly string[]): string {
  return `id: ${id}\n${rows.map((row) => `data: ${row}\n`).join('')}\n`;
}
