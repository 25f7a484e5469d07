/** Whereabouts: where everybody truly was in each round since the last meeting, and whether a claim fits. */
import type { SeenOf } from '../../machines/journal/lens.ts';
import type { Colour, Place } from '../../machines/types.ts';
import type { Claim } from './claims.ts';
import { slackOf } from './times.ts';

/** Seconds that a round stands for, as in docs/decisions/0013. */
const SECONDS_PER_ROUND = 2.5;
/** Where a game on The Skeld begins, and where everybody is again after a meeting. */
const TABLE: Place = 'Cafeteria';

export type Truth = 'true' | 'false' | 'unverifiable';

export class Whereabouts {
  readonly #seats: readonly Colour[];
  readonly #start: Place;
  readonly #now = new Map<Colour, Place>();
  /** The places of each player in each round since the last meeting. */
  readonly #past = new Map<Colour, (readonly Place[])[]>();

  constructor({ lobby }: Pick<SeenOf<'game.opened'>, 'lobby'>) {
    this.#seats = lobby.seats.map(({ colour }) => colour);
    this.#start = lobby.map === 'skeld' ? TABLE : lobby.map.button;
    this.gather();
  }

  /** Everybody is at the table: the past does not count any more. */
  gather(): void {
    for (const seat of this.#seats) {
      this.#now.set(seat, this.#start);
      this.#past.set(seat, []);
    }
  }

  /** A round is over. */
  pass({ paths = {}, events = [] }: Pick<SeenOf<'round.closed'>, 'paths' | 'events'>): void {
    for (const seat of this.#seats) {
      const vented = events.flatMap((event) =>
        event.type === 'vent.used' && event.seat === seat ? (event.place ?? []) : [],
      );
      const places = [this.#now.get(seat) ?? this.#start, ...(paths[seat] ?? []), ...vented];
      this.#past.get(seat)?.push(places);
      this.#now.set(seat, places.at(-1) ?? this.#start);
    }
  }

  /** Whether a claim that is made now fits. What lies before the last meeting can't be told. */
  judge(claim: Claim): Truth {
    const rounds = this.#rounds(claim);
    if (rounds === null) return 'unverifiable';
    return rounds.some((places) => places.includes(claim.place)) ? 'true' : 'false';
  }

  /** Where they truly were in the time that a claim is about, in order, each place once. */
  placesIn(claim: Claim): readonly Place[] {
    return [...new Set((this.#rounds(claim) ?? []).flat())];
  }

  /** The rounds that a claim is about; null where nobody knows of them. */
  #rounds({ about, ago }: Claim): readonly (readonly Place[])[] | null {
    const past = this.#past.get(about);
    if (past === undefined || past.length === 0) return null;
    if (ago === null) return past;
    const last = past.length - 1;
    const middle = last - ago / SECONDS_PER_ROUND;
    // A round more on either side: a time falls into a round, not onto its border.
    const slack = slackOf(ago) / SECONDS_PER_ROUND + 1;
    if (middle + slack < 0) return null;
    return past.slice(Math.max(0, Math.ceil(middle - slack)), middle + slack + 1);
  }
}
