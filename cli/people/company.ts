/** The company: the people who play, each at a desk of their own, and what lets them in. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { realClock } from '../../actors/engine/clock.ts';
import type { ModelMinds } from '../../actors/engine/match.ts';
import { Desk } from '../../actors/minds/human/desk.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Colour } from '../../machines/types.ts';
import { Console } from './console.ts';
import { type PlayFlags, peopleIn } from './flags.ts';

/** 128 bits: nobody guesses a seat. */
const TOKEN_BYTES = 16;
/** Milliseconds for which a closed page keeps its seat: time to load it again, or to pick up the phone once more. */
const GRACE_MS = 45_000;

type Waits = { readonly table: number; readonly ship: number };
/** The people of a table, and how long it waits for them. */
export function companyOf(
  seats: readonly MatchSeat[],
  { table = 0, ship = 0 }: Partial<{ readonly [K in keyof Waits]: number | undefined }>,
  { terminal = false }: PlayFlags,
): Company {
  return new Company(peopleIn(seats), { table, ship }, terminal);
}

type Chair = { readonly desk: Desk; readonly token: string };

export class Company {
  readonly #chairs: readonly Chair[];
  #console: Console | null = null;

  /** Somebody plays in the page. */
  readonly isInPage: boolean;

  constructor(seats: readonly Colour[], waits: Waits, isInTerminal = false) {
    this.isInPage = seats.length > 0 && !isInTerminal;
    this.#chairs = seats.map((seat) => ({
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      desk: new Desk({
        seat,
        waits,
        graceMs: GRACE_MS,
        now: () => performance.now(),
        clock: realClock,
      }),
    }));
  }

  get seats(): readonly Colour[] {
    return this.desks.map(({ seat }) => seat);
  }

  get desks(): readonly Desk[] {
    return this.#chairs.map(({ desk }) => desk);
  }

  /** Seats the one who plays in this terminal, if somebody does. */
  begin(): void {
    const [desk] = this.desks;
    if (desk === undefined || this.isInPage) return;
    this.#console = new Console(desk);
    this.#console.open();
  }

  /** Shows something where somebody may be typing. */
  above<T>(show: () => T): T {
    return this.#console === null ? show() : this.#console.above(show);
  }

  /** What each seat is entered with, behind the address of the page. */
  get keys(): readonly { readonly seat: Colour; readonly hash: string }[] {
    return this.#chairs.map(({ desk: { seat }, token }) => ({ seat, hash: `#seat=${token}` }));
  }

  /** The minds of people, and those of the others. */
  minds(others: ModelMinds): ModelMinds {
    return (seat, index) => {
      const desk = this.desks.find((one) => one.seat === seat.colour);
      return seat.mind === 'human' && desk !== undefined ? desk.mind : others(seat, index);
    };
  }

  /** The seat of a token. How long that takes says nothing about how much of it was right. */
  holder(token: string): Desk | null {
    let found: Desk | null = null;
    for (const chair of this.#chairs) {
      if (timingSafeEqual(digest(chair.token), digest(token))) found = chair.desk;
    }
    return found;
  }

  /** Kept when everybody has come. */
  arrived(): Promise<void> {
    return this.#until((desk) => desk.seating.attendance !== 'awaited');
  }

  /** Kept when nobody is there any more. */
  dispersed(): Promise<void> {
    return this.#until((desk) => desk.seating.attendance !== 'here');
  }

  /** What is played, such that nobody is waited for once it is to end. */
  with(game: { stop(): void }): { stop(): void } {
    return {
      stop: () => {
        for (const desk of this.desks) desk.leave();
        game.stop();
      },
    };
  }

  /** It is over: whoever still looks may go on looking. */
  close(): void {
    for (const desk of this.desks) desk.close();
    this.#console?.close();
  }

  #until(test: (desk: Desk) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stops = this.desks.map((desk) => desk.watch(() => look()));
      const look = () => {
        if (!this.desks.every(test)) return;
        for (const stop of stops) stop();
        resolve();
      };
      look();
    });
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** No person plays. */
export const NOBODY = new Company([], { table: 0, ship: 0 });
