/** Watches a league in progress and makes a new report when more games are over. */

import { realTime } from '../../actors/ports/time.ts';
import { StoreLost } from '../../actors/stores/errors.ts';
import { reportLeague } from './report.ts';
import type { StoredLeague } from './storedLeague.ts';

/** Between two looks at the store. */
const LOOK_MS = 1000;

/** A fit of many games is slow, so the next one waits this many times as long. */
const PATIENCE = 4;

export class LeagueWatch {
  readonly #stored: StoredLeague;
  readonly #pace: LeaguePace;
  #league: Awaited<ReturnType<typeof reportLeague>> | null = null;
  #restUntil = 0;

  constructor(stored: StoredLeague) {
    this.#stored = stored;
    this.#pace = new LeaguePace(stored.plan.league.games);
  }

  async look(): Promise<void> {
    const { store, plan, folder } = this.#stored;
    const done = (await store.slots(plan.league.name)).length;
    const before = realTime.now();
    this.#pace.addSample(done, before);
    const isDue = this.#league === null || done !== this.#league.standings.games;
    if (!isDue || before < this.#restUntil) return;
    this.#league = await reportLeague(store, plan, folder);
    const after = realTime.now();
    this.#restUntil = after + PATIENCE * (after - before);
  }

  /** Retries while the store is unavailable. */
  async keepLooking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await realTime.sleep(LOOK_MS, signal);
      if (signal.aborted) return;
      try {
        await this.look();
      } catch (error) {
        // A replaced file stays lost.
        if (!(error instanceof StoreLost) || error.code === 'store/emptied') throw error;
      }
    }
  }

  /** The latest report and the current progress; null before the first look. */
  get report() {
    const league = this.#league;
    if (league === null) return null;
    return { league, progress: this.#pace.progress(league.standings.games) };
  }
}

const WINDOW_MS = 60_000;

export class LeaguePace {
  readonly #of: number;
  #looks: readonly { readonly atMs: number; readonly done: number }[] = [];

  constructor(of: number) {
    this.#of = of;
  }

  addSample(done: number, atMs: number): void {
    this.#looks = [...this.#looks.filter((look) => look.atMs > atMs - WINDOW_MS), { atMs, done }];
  }

  /**
   * `counted` is the number of games in the standings. The rate is of games per second; it is null before the first game
   * ends, as the seconds left are.
   */
  progress(counted: number) {
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
