/** The talk as it is remembered: who spoke when, who was named lately, how long it has become, when System spoke. */
import type { Colour } from '../../../../machines/types.ts';
import type { LineOf } from './property.ts';

/** "Recent messages" are the last three (ruling 32). */
const RECENT = 3;
/** The estimate: four plain characters make a token, another one counts as three, and the frame of a line is 18. */
const PER_TOKEN = 4;
const FRAME = 18;

type Hits = LineOf<'tick.closed'>['hits'];

export class Talk {
  readonly #spoke = new Map<Colour, number>();
  #recent: readonly { readonly tick: number; readonly hits: Hits }[] = [];
  /** Tokens of everything that was said; System's own lines are not counted (ruling 34). */
  #tokens = 0;
  lastNudge: number | null = null;

  enter({ tick, floor, said, hits, nudge }: LineOf<'tick.closed'>): void {
    if (floor !== null) this.#spoke.set(floor, tick);
    if (said !== null) {
      this.#recent = [...this.#recent, { tick, hits }].slice(-RECENT);
      this.#tokens = this.tokensWith(said);
    }
    if (nudge !== null) this.lastNudge = tick;
  }

  tokensWith(said: { readonly message: string } | null): number {
    return this.#tokens + (said === null ? 0 : FRAME + tokensOf(said.message));
  }

  /** Ticks since a player last spoke, seen from a tick that is open. */
  silence(seat: Colour, tick: number): number {
    const spoke = this.#spoke.get(seat);
    return spoke === undefined ? tick : tick - spoke - 1;
  }

  hasJustSpoken(seat: Colour, tick: number): boolean {
    return this.#spoke.get(seat) === tick - 1;
  }

  /** Whether one of the last three messages has such a hit, and the player has not spoken since. */
  isNamed(seat: Colour, kind: Hits[number]['kind']): boolean {
    const since = this.#spoke.get(seat) ?? -1;
    const fresh = this.#recent.filter(({ tick }) => tick > since);
    return fresh.some(({ hits }) => hits.some((hit) => hit.seat === seat && hit.kind === kind));
  }
}

export function isCut(message: string, meant: string, cap: number): boolean {
  if (message === meant) return true;
  const next = String.fromCodePoint(meant.codePointAt(message.length) ?? 0);
  return meant.startsWith(message) && tokensOf(message + next) > cap;
}

export function tokensOf(text: string): number {
  let quarters = 0;
  for (const character of text) quarters += character < '\u0080' ? 1 : 3;
  return Math.ceil(quarters / PER_TOKEN);
}
