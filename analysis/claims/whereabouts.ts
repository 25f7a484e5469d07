/** True places of players since the last meeting, compared with claims at the table. */
import type { SeenGame, SeenLine, SeenOf } from '../../machines/journal/lens.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import { SECONDS_PER_ROUND } from '../../machines/rules/options.ts';
import { type Colour, type Place, SYSTEM } from '../../machines/types.ts';
import type { PlaceClaim, SpokenMessage } from '../../prompts/claims/reading.ts';

const SECONDS_PER_MINUTE = 60;

/** Half of the rounding of a spoken time: people round to five seconds in the last minute, and more coarsely before. */
function roundingSlack(seconds: number): number {
  if (seconds <= SECONDS_PER_MINUTE) return 3;
  return seconds <= 2 * SECONDS_PER_MINUTE ? 12 : 25;
}

/** The start of a game on The Skeld, and the place of all players after a meeting. */
const TABLE: Place = 'Cafeteria';

export type ClaimTruth = 'true' | 'false' | 'unverifiable';

export class Whereabouts {
  readonly #seats: readonly Colour[];
  readonly #start: Place;
  readonly #now = new Map<Colour, Place>();
  readonly #past = new Map<Colour, (readonly Place[])[]>();

  constructor(game: Pick<SeenGame, 'seats' | 'map'>) {
    this.#seats = game.seats.map(({ colour }) => colour);
    this.#start = game.map === 'skeld' ? TABLE : game.map.button;
    this.gather();
  }

  gather(): void {
    for (const seat of this.#seats) {
      this.#now.set(seat, this.#start);
      this.#past.set(seat, []);
    }
  }

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

  /** Whether a claim made now is true. Times before the last meeting are unverifiable. */
  judge(claim: PlaceClaim): ClaimTruth {
    const rounds = this.#rounds(claim);
    if (rounds === null) return 'unverifiable';
    return rounds.some((places) => places.includes(claim.place)) ? 'true' : 'false';
  }

  placesIn(claim: PlaceClaim): readonly Place[] {
    return [...new Set((this.#rounds(claim) ?? []).flat())];
  }

  #rounds({ about, ago }: PlaceClaim): readonly (readonly Place[])[] | null {
    const past = this.#past.get(about);
    if (past === undefined || past.length === 0) return null;
    const claimed = roundsClaimed(ago, past.length);
    return claimed === null ? null : past.slice(claimed.from, claimed.until + 1);
  }
}

/** Rounds since the last meeting, from 0; null if all of them lie before it. Without a time a claim covers them all. */
export function roundsClaimed(
  ago: number | null,
  rounds: number,
): { readonly from: number; readonly until: number } | null {
  const last = rounds - 1;
  if (ago === null) return { from: 0, until: last };
  const middle = last - ago / SECONDS_PER_ROUND;
  // A round more on either side: a time falls into a round, not onto its border.
  const slack = roundingSlack(ago) / SECONDS_PER_ROUND + 1;
  if (middle + slack < 0) return null;
  return { from: Math.max(0, Math.ceil(middle - slack)), until: Math.floor(middle + slack) };
}

export type JudgedClaim = PlaceClaim & {
  readonly truth: ClaimTruth;
  readonly places: readonly Place[];
};

type ClaimReader<T> = (message: SpokenMessage) => readonly (PlaceClaim | T)[];

/** Give it a game through the glass: a lens that hides places would make honest claims look false. */
export function judgeTestimony<T extends { readonly type: string } = never>(
  read: ClaimReader<T>,
): (line: SeenLine) => readonly (JudgedClaim | T)[] {
  let known: Whereabouts | null = null;
  return (line) => {
    if (line.channel === 'ghosts') return [];
    if (line.type === 'match.opened') {
      const game = gameIn(line);
      known = game === null ? null : new Whereabouts(game);
    }
    if (line.type === 'round.closed') known?.pass(line);
    if (line.type === 'meeting.closed') known?.gather();
    const said = line.type === 'tick.closed' ? line.said : null;
    const whereabouts = known;
    if (said == null || said.speaker === SYSTEM || whereabouts === null) return [];
    const { speaker, target = null, message } = said;
    return read({ speaker, target, message }).map((claim) =>
      isOfPlace(claim)
        ? { ...claim, truth: whereabouts.judge(claim), places: whereabouts.placesIn(claim) }
        : claim,
    );
  };
}

function isOfPlace<T extends { readonly type: string }>(
  claim: PlaceClaim | T,
): claim is PlaceClaim {
  return claim.type === 'place';
}
