/** The feed: a journal as it grows, for an audience at each lens; and one journal after another. */

import type { Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { Audience } from './audience.ts';
import type { News } from './news.ts';

/** What holds now, for a lens. */
export type Newsroom = (lens: Lens) => News;

export class Feed {
  /** The widest lens that anybody gets. */
  readonly widest: Lens;
  #lines: Line[] = [];
  #audiences = new Map<string, { readonly lens: Lens; readonly audience: Audience }>();
  /** Audiences of journals before, for as long as somebody still reads. */
  #former: Audience[] = [];
  #news: Newsroom | null = null;
  #isOver = false;

  constructor(widest: Lens) {
    this.widest = widest;
  }

  add(line: Line): void {
    this.#lines.push(line);
    for (const { audience } of this.#audiences.values()) audience.add(line);
  }

  /** Something that is no line has changed: tells everybody what holds now. */
  tell(news: Newsroom): void {
    this.#news = news;
    for (const { lens, audience } of this.#audiences.values()) audience.tell(() => news(lens));
  }

  end(): void {
    this.#isOver = true;
    for (const { audience } of this.#audiences.values()) audience.end();
  }

  /** Whether nothing comes any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Another journal begins: whoever reads the one before reads it to its end, and is told that there is a next. */
  turn(): void {
    for (const { audience } of this.#audiences.values()) {
      audience.end('next');
      this.#former.push(audience);
    }
    this.#former = this.#former.filter(({ size }) => size > 0);
    this.#lines = [];
    this.#news = null;
    this.#audiences = new Map();
  }

  /** Viewers who have not got everything yet. */
  get size(): number {
    const all = [...this.#former, ...[...this.#audiences.values()].map(({ audience }) => audience)];
    return all.reduce((sum, { size }) => sum + size, 0);
  }

  /** The audience of a lens; null for one that shows more than anybody gets. */
  through(lens: Lens): Audience | null {
    if (this.widest.type !== 'glass' && keyOf(lens) !== keyOf(this.widest)) return null;
    const known = this.#audiences.get(keyOf(lens));
    if (known !== undefined) return known.audience;
    const audience = new Audience(lens);
    for (const line of this.#lines) audience.add(line);
    const news = this.#news;
    if (news !== null) audience.tell(() => news(lens));
    if (this.#isOver) audience.end();
    this.#audiences.set(keyOf(lens), { lens, audience });
    return audience;
  }
}

export function keyOf(lens: Lens): string {
  return lens.type === 'player' ? `player:${lens.seat}` : lens.type;
}
