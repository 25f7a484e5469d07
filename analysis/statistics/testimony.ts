/**
 * Testimony: what is claimed at the table, held against where everybody truly was.
 *
 * It takes the lines of a game one by one. Whoever is not shown where everybody was must not ask: what little they are
 * shown would make liars of the honest.
 */
import type { SeenLine } from '../../machines/journal/lens.ts';
import { type Place, SYSTEM } from '../../machines/types.ts';
import { type Claim, claimsIn } from './claims.ts';
import { type Truth, Whereabouts } from './whereabouts.ts';

export type Judged = Claim & {
  readonly truth: Truth;
  /** Where they truly were in the time that the claim is about, in order. */
  readonly places: readonly Place[];
};

export class Testimony {
  #whereabouts: Whereabouts | null = null;

  /** What the next line claims; a meeting that is no part of a game has no truth to it. */
  hear(line: SeenLine): readonly Judged[] {
    if (line.channel === 'ghosts') return [];
    switch (line.type) {
      case 'game.opened':
        this.#whereabouts = new Whereabouts(line);
        return [];
      case 'round.closed':
        this.#whereabouts?.pass(line);
        return [];
      case 'meeting.closed':
        this.#whereabouts?.gather();
        return [];
      case 'tick.closed':
        return this.#said(line.said ?? null);
      default:
        return [];
    }
  }

  #said(said: Extract<SeenLine, { type: 'tick.closed' }>['said'] | null): readonly Judged[] {
    const whereabouts = this.#whereabouts;
    if (said == null || said.speaker === SYSTEM || whereabouts === null) return [];
    const { speaker, target = null, message } = said;
    return claimsIn({ speaker, target, message }).map((claim) => ({
      ...claim,
      truth: whereabouts.judge(claim),
      places: whereabouts.placesIn(claim),
    }));
  }
}
