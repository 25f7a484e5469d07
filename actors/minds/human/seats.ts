/** The seats of people: a mind for each, and the tokens that let players in. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Line } from '../../../machines/journal/lines.ts';
import { isPerson } from '../../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import type { BySeat, Colour } from '../../../machines/types.ts';
import { realTime } from '../../ports/time.ts';
import type { ModelMinds } from '../kinds.ts';
import { HumanMind, type HumanMindOptions } from './humanMind.ts';

/** 128 bits: nobody guesses a seat. */
const TOKEN_BYTES = 16;
/** Milliseconds that a closed page keeps its seat: time to restart a browser. */
const GRACE_MS = 300_000;
/** Milliseconds that a program whose connection is lost is silent without faults (ruling 63). */
const LOST_MS = 60_000;

/** The seat of a person who plays outside the page, such as in this terminal. */
export type OwnSeat = { open(): void; above<T>(show: () => T): T; close(): void };

export class HumanSeats {
  readonly #tokens: readonly { readonly player: HumanMind; readonly token: string }[];
  readonly #seatHere: ((player: HumanMind) => OwnSeat) | null;
  readonly #outside: readonly Colour[];
  #ownSeat: OwnSeat | null = null;
  readonly isInPage: boolean;

  /** `seatHere` makes the only player's seat when that player is not in the page. */
  constructor(
    seats: readonly Colour[],
    waits: HumanMindOptions['waits'],
    seatHere: ((player: HumanMind) => OwnSeat) | null = null,
    outside: readonly Colour[] = [],
  ) {
    this.#outside = outside;
    this.isInPage = seats.length > 0 && seatHere === null;
    this.#seatHere = seatHere;
    this.#tokens = seats.map((seat) => ({
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      player: new HumanMind({
        seat,
        waits,
        graceMs: outside.includes(seat) ? LOST_MS : GRACE_MS,
        isOutside: outside.includes(seat),
        now: () => realTime.now(),
        clock: realTime,
      }),
    }));
  }

  get seats(): readonly Colour[] {
    return this.players.map(({ seat }) => seat);
  }

  get players(): readonly HumanMind[] {
    return this.#tokens.map(({ player }) => player);
  }

  listFree(areOutside: boolean) {
    return this.#tokens.filter(({ player: { seat, seating } }) => {
      return seating.attendance === 'awaited' && this.#outside.includes(seat) === areOutside;
    });
  }

  get doors(): BySeat<string> | null {
    const home = this.isInPage ? 'page' : 'terminal';
    const doors = this.seats.map((seat) => [seat, this.#outside.includes(seat) ? 'mcp' : home]);
    return doors.length === 0 ? null : Object.fromEntries(doors);
  }

  begin(): void {
    const [player] = this.players;
    if (player === undefined || this.#seatHere === null) return;
    this.#ownSeat = this.#seatHere(player);
    this.#ownSeat.open();
  }

  above<T>(show: () => T): T {
    return this.#ownSeat === null ? show() : this.#ownSeat.above(show);
  }

  get links(): readonly { readonly seat: Colour; readonly hash: string }[] {
    return this.#tokens.map(({ player: { seat }, token }) => ({ seat, hash: `#seat=${token}` }));
  }

  minds(others: ModelMinds): ModelMinds {
    return (seat, index, times) => {
      const player = this.players.find((one) => one.seat === seat.colour);
      return isPerson(seat) && player !== undefined ? player.mind : others(seat, index, times);
    };
  }

  /** The player of a token, compared in constant time. */
  findPlayer(token: string): HumanMind | null {
    const digest = (text: string) => hash('sha256', text, 'buffer');
    const found = this.#tokens.filter((one) => timingSafeEqual(digest(one.token), digest(token)));
    return found[0]?.player ?? null;
  }

  waitForAll(): Promise<void> {
    return this.#waitUntil((player) => player.seating.attendance !== 'awaited');
  }

  waitUntilEmpty(): Promise<void> {
    return this.#waitUntil((player) => player.seating.attendance !== 'here');
  }

  close(): void {
    for (const player of this.players) player.close();
    this.#ownSeat?.close();
  }

  #waitUntil(test: (player: HumanMind) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stops = this.players.map((player) => player.watch(() => look()));
      const look = () => {
        if (!this.players.every(test)) return;
        for (const stop of stops) stop();
        resolve();
      };
      look();
    });
  }
}

/** The people among these seats who have not left by the end of these lines. */
export function listPeopleIn(
  seats: readonly MatchSeat[],
  lines: readonly Line[],
): readonly Colour[] {
  const left = lines.flatMap((line) => {
    if (line.type === 'seat.departed') return [line.seat];
    if (line.type !== 'round.closed') return [];
    return line.events.flatMap((event) => (event.type === 'seat.departed' ? [event.seat] : []));
  });
  return listPeople(seats).filter((seat) => !left.includes(seat));
}

export function listPeople(seats: readonly MatchSeat[]): readonly Colour[] {
  return seats.filter(isPerson).map(({ colour }) => colour);
}

export const NOBODY = new HumanSeats([], { table: 0, ship: 0 });
