/** The timeline of a storm. Everything happens by an event on it, so the events alone decide the order. */
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { nextTurn } from '../../actors/ports/time.ts';

/** `silent`: nothing is due, and it is not over. `endless`: a limit came first. */
export type TimelineEnd = 'over' | 'silent' | 'endless';

export type TimelineLimits = {
  readonly isOver: () => boolean;
  readonly mostMs: number;
  readonly mostSteps: number;
};

export class Timeline {
  readonly #clock = new SimulatedClock();
  readonly #notes: string[] = [];
  steps = 0;
  /** Work outside of simulated time, such as playing a game, that ends before the next event. */
  #under = 0;

  /** Milliseconds since the storm began. */
  get now(): number {
    return this.#clock.elapsed;
  }

  /** Everything that was noted, a line each. */
  get trace(): string {
    return this.#notes.map((line) => `${line}\n`).join('');
  }

  note(who: string, what: string): void {
    this.#notes.push(`${(this.now / 1000).toFixed(3).padStart(9)}  ${who}  ${what}`);
  }

  /** The returned function cancels `act`. */
  after(ms: number, act: () => void): () => void {
    const timer = this.#clock.setTimeout(act, ms);
    return () => this.#clock.clearTimeout(timer);
  }

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

/** Limit for work outside of simulated time: a game takes a few thousand turns. */
const MOST_TURNS = 1_000_000;
