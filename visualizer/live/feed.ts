/** The feed: a journal as it grows, for an audience at each lens. */
import type { Line } from '../../machines/journal.ts';
import type { Lens } from '../../machines/lens.ts';
import { Audience } from './audience.ts';

export class Feed {
  /** The widest lens that anybody gets. */
  readonly widest: Lens;
  readonly #lines: Line[] = [];
  readonly #audiences = new Map<string, Audience>();
  #isOver = false;

  constructor(widest: Lens) {
    this.widest = widest;
  }

  add(line: Line): void {
    this.#lines.push(line);
    for (const audience of this.#audiences.values()) audience.add(line);
  }

  end(): void {
    this.#isOver = true;
    for (const audience of this.#audiences.values()) audience.end();
  }

  /** The audience of a lens; null for one that shows more than anybody gets. */
  through(lens: Lens): Audience | null {
    if (this.widest.type !== 'glass' && keyOf(lens) !== keyOf(this.widest)) return null;
    const known = this.#audiences.get(keyOf(lens));
    if (known !== undefined) return known;
    const audience = new Audience(lens);
    for (const line of this.#lines) audience.add(line);
    if (this.#isOver) audience.end();
    this.#audiences.set(keyOf(lens), audience);
    return audience;
  }
}

export function keyOf(lens: Lens): string {
  return lens.type === 'player' ? `player:${lens.seat}` : lens.type;
}
