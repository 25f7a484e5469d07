/**
 * The one timeline of a storm. Nothing happens but by an event on it; between two events everything is kept that is ready,
 * so the order of all that happens follows from the events alone.
 */
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { nextTurn } from '../../actors/ports/time.ts';

/** Why a run of the timeline has ended. `silent`: nothing is due, and it is not over; `endless`: a limit came first. */
export type TimelineEnd = 'over' | 'silent' | 'endless';

export type TimelineLimits = {
  readonly isOver: () => boolean;
  readonly mostMs: number;
  readonly mostSteps: number;
};

export class Timeline {
  readonly #clock = new SimulatedClock();
  /** Events that have happened, those that are due, and the most that were due at once. */
  steps = 0;
  pending = 0;
  mostPending = 0;
  /** Work outside of simulated time, such as a game that is played, which must be over before the next event. */
  #under = 0;

  /** Milliseconds since the storm began. */
  get now(): number {
    return this.#clock.elapsed;
  }

  /** Has `act` happen in so many milliseconds; the function that is returned calls it off. */
  after(ms: number, act: () => void): () => void {
    this.pending += 1;
    this.mostPending = Math.max(this.mostPending, this.pending);
    let isOpen = true;
    const close = () => {
      if (isOpen) this.pending -= 1;
      isOpen = false;
    };
    const timer = this.#clock.setTimeout(() => {
      close();
      act();
    }, ms);
    return () => {
      close();
      this.#clock.clearTimeout(timer);
    };
  }

  /** Does work that takes no simulated time: no other event happens before it is over. */
  async hold<T>(work: Promise<T>): Promise<T> {
    this.#under += 1;
    try {
      return await work;
    } finally {
      this.#under -= 1;
    }
  }

  async run({ isOver, mostMs, mostSteps }: TimelineLimits): Promise<TimelineEnd> {
    for (;;) {
      let turns = 0;
      do await nextTurn();
      while (this.#under > 0 && ++turns < MOST_TURNS);
      if (this.#under > 0) return 'endless';
      if (isOver()) return 'over';
      if (this.steps >= mostSteps || this.now > mostMs) return 'endless';
      if (!this.#clock.next()) return 'silent';
      this.steps += 1;
    }
  }
}

/** Turns that work outside of simulated time may take: a game takes a few thousand. */
const MOST_TURNS = 1_000_000;
