/** Whereabouts: where everybody truly was in each round since the last meeting, and whether a claim fits. */
import type { LineOf } from '../../machines/journal.ts';
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

  constructor({ lobby }: LineOf<'game.opened'>) {
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
  pass({ paths, events }: LineOf<'round.closed'>): void {
    for (const seat of this.#seats) {
      const vented = events.flatMap((event) =>
        event.type === 'vent.used' && event.seat === seat ? [event.place] : [],
      );
      const places = [this.#now.get(seat) ?? this.#start, ...(paths[seat] ?? []), ...vented];
      this.#past.get(seat)?.push(places);
      this.#now.set(seat, places.at(-1) ?? this.#start);
    }
  }

  /** Whether a claim that is made now fits. What lies before the last meeting can't be told. */
  judge({ about, place, ago }: Claim): Truth {
    const past = this.#past.get(about);
    if (past === undefined || past.length === 0) return 'unverifiable';
    if (ago === null) return fits(past, place);
    const last = past.length - 1;
    const middle = last - ago / SECONDS_PER_ROUND;
    // A round more on either side: a time falls into a round, not onto its border.
    const slack = slackOf(ago) / SECONDS_PER_ROUND + 1;
    if (middle + slack < 0) return 'unverifiable';
    return fits(past.slice(Math.max(0, Math.ceil(middle - slack)), middle + slack + 1), place);
  }
}

function fits(rounds: readonly (readonly Place[])[], place: Place): Truth {
  return rounds.some((places) => places.includes(place)) ? 'true' : 'false';
}
