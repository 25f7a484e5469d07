/** The pace of a league that is played elsewhere: what its store says now and then, as a rate and the time that is left. */
import type { Progress } from '../../visualizer/page/league/league.ts';

/** Milliseconds over which the rate is taken. */
const WINDOW_MS = 60_000;

type Look = { readonly atMs: number; readonly done: number };

export class Pace {
  readonly #of: number;
  #looks: readonly Look[] = [];

  constructor(of: number) {
    this.#of = of;
  }

  /** Somebody has looked: so many games are over. */
  looked(done: number, atMs: number): void {
    this.#looks = [...this.#looks.filter((look) => look.atMs > atMs - WINDOW_MS), { atMs, done }];
  }

  /** `counted` games are in the standings. */
  progress(counted: number): Progress {
    const [first, last] = [this.#looks.at(0), this.#looks.at(-1)];
    const done = last?.done ?? 0;
    const left = this.#of - done;
    const gained = done - (first?.done ?? done);
    const seconds = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1000;
    const rate = gained <= 0 || seconds <= 0 || left <= 0 ? null : gained / seconds;
    const secondsLeft = rate === null ? null : left / rate;
    return { done, of: this.#of, rate, secondsLeft, counted };
  }
}
