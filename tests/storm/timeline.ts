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
  readonly #held = new Set<Promise<unknown>>();

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
    this.#held.add(work);
    try {
      return await work;
    } finally {
      this.#held.delete(work);
    }
  }

  async run({ isOver, mostMs, mostSteps }: TimelineLimits): Promise<TimelineEnd> {
    const late = AbortSignal.timeout(LONGEST_STORM_MS);
    const isLate = new Promise((resolve) => late.addEventListener('abort', resolve));
    for (;;) {
      await nextTurn();
      while (this.#held.size > 0 && !late.aborted) {
        await Promise.race([Promise.allSettled(this.#held), isLate]);
        await nextTurn();
      }
      if (late.aborted) return 'endless';
      if (isOver()) return 'over';
      if (this.steps >= mostSteps || this.now > mostMs) return 'endless';
      if (!this.#clock.next()) return 'silent';
      this.steps += 1;
    }
  }
}

/** Real milliseconds for a whole storm, which takes less than a second. */
const LONGEST_STORM_MS = 600_000;
