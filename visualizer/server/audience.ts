/**
 * The audience of a lens: everybody who looks through it, and all that they have been sent or will be.
 *
 * What is hidden is cut here, before anything is sent; lines are numbered as this lens shows them, so that the numbers
 * do not tell how many are hidden. Whoever was cut off asks for what comes after the last number that they have seen.
 * Whoever reads slowly is sent nothing until they have read: the lines are kept once for all, and news only the latest.
 */

import { type Lens, lensFor, type SeenLine } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { gistOf, type News } from './news.ts';

/** Where events go to. `write` says whether more may be written at once; if not, `pump` is called once it may. */
export type Viewer = {
  write(text: string): boolean;
  end(): void;
};

/** What comes after the last line: nothing any more, or another journal under the same address. */
export type Ending = 'over' | 'next';

/** How far a viewer has got. */
type Place = { next: number; isFree: boolean; heard: string };

/** Lines that go out in one event when there is much to catch up with. */
const BATCH = 400;

export class Audience {
  readonly #see: (line: Line) => SeenLine | null;
  readonly #rows: string[] = [];
  readonly #viewers = new Map<Viewer, Place>();
  /** What holds now and is no line, made when it is sent; null before there is any. */
  #news: (() => News) | null = null;
  #ending: Ending | null = null;

  constructor(lens: Lens) {
    this.#see = lensFor(lens);
  }

  add(line: Line): void {
    const seen = this.#see(line);
    if (seen === null) return;
    this.#rows.push(JSON.stringify(seen));
    this.#pumpAll();
  }

  /** What holds now and is kept nowhere: it has no number, and only the latest is sent. */
  tell(news: () => News): void {
    this.#news = news;
    this.#pumpAll();
  }

  /** Nothing comes any more. */
  end(ending: Ending = 'over'): void {
    this.#ending = ending;
    this.#pumpAll();
  }

  /** Begins to send what comes after a number; -1 is everything. */
  join(viewer: Viewer, after: number): void {
    const next = Math.min(after, this.#rows.length - 1) + 1;
    this.#viewers.set(viewer, { next, isFree: true, heard: '' });
    this.pump(viewer);
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
  }

  get size(): number {
    return this.#viewers.size;
  }

  /** Sends what a viewer has not got, as far as they take it; called when they take more. */
  pump(viewer: Viewer): void {
    const place = this.#viewers.get(viewer);
    if (place === undefined) return;
    place.isFree = true;
    this.#send(viewer, place);
  }

  #pumpAll(): void {
    for (const [viewer, place] of [...this.#viewers]) this.#send(viewer, place);
  }

  #send(viewer: Viewer, place: Place): void {
    while (place.isFree && place.next < this.#rows.length) {
      const rows = this.#rows.slice(place.next, place.next + BATCH);
      place.next += rows.length;
      place.isFree = viewer.write(event(place.next - 1, rows));
    }
    if (!place.isFree) return;
    if (this.#ending !== null) {
      this.#viewers.delete(viewer);
      viewer.write(`event: over\ndata: ${this.#ending}\n\n`);
      viewer.end();
    } else this.#inform(viewer, place);
  }

  /** What is no news to a lens is not sent: even that something has changed would tell of others. */
  #inform(viewer: Viewer, place: Place): void {
    if (this.#news === null) return;
    const news = this.#news();
    const gist = gistOf(news);
    if (place.heard === gist) return;
    place.heard = gist;
    place.isFree = viewer.write(`event: news\ndata: ${JSON.stringify(news)}\n\n`);
  }
}

/** JSON has no line breaks of its own. */
function event(id: number, rows: readonly string[]): string {
  return `id: ${id}\n${rows.map((row) => `data: ${row}\n`).join('')}\n`;
}
