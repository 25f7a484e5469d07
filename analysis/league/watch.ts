/** Watches a league in progress and makes a new report when more games are over. */

import { realTime } from '../../actors/ports/time.ts';
import { StoreLost } from '../../actors/stores/errors.ts';
import { reportLeague } from './report.ts';
import type { StoredLeague } from './storedLeague.ts';

const LOOK_MS = 1000;

/** A fit of many games is slow, so the next one waits this many times as long. */
const PATIENCE = 4;

export type LeagueWatch = ReturnType<typeof watchLeague>;

export function watchLeague({ store, plan, folder }: StoredLeague) {
  const pace = trackPace(plan.league.games);
  let league: Awaited<ReturnType<typeof reportLeague>> | null = null;
  let restUntil = 0;
  const look = async () => {
    const done = (await store.slots(plan.league.name)).length;
    const before = realTime.now();
    pace.addSample(done, before);
    const isDue = league === null || done !== league.standings.games;
    if (!isDue || before < restUntil) return;
    league = await reportLeague(store, plan, folder);
    const after = realTime.now();
    restUntil = after + PATIENCE * (after - before);
  };
  /** Retries while the store is unavailable. */
  const keepLooking = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await realTime.sleep(LOOK_MS, signal);
      if (signal.aborted) return;
      try {
        await look();
      } catch (error) {
        // A replaced file stays lost.
        if (!(error instanceof StoreLost) || error.code === 'store/emptied') throw error;
      }
    }
  };
  /** The latest report and the current progress; null before the first look. */
  const report = () => league && { league, progress: pace.progress(league.standings.games) };
  return { look, keepLooking, report };
}

const WINDOW_MS = 60_000;

export function trackPace(of: number) {
  let looks: readonly { readonly atMs: number; readonly done: number }[] = [];
  const addSample = (done: number, atMs: number) => {
    looks = [...looks.filter((look) => look.atMs > atMs - WINDOW_MS), { atMs, done }];
  };
  /** `counted`: games in the standings. `rate` is of games per second; it and `secondsLeft` are null at first. */
  const progress = (counted: number) => {
    const [first, last] = [looks.at(0), looks.at(-1)];
    const done = last?.done ?? 0;
    const left = of - done;
    const gained = done - (first?.done ?? done);
    const seconds = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1000;
    const rate = gained <= 0 || seconds <= 0 || left <= 0 ? null : gained / seconds;
    const secondsLeft = rate === null ? null : left / rate;
    return { done, of, rate, secondsLeft, counted };
  };
  return { addSample, progress };
}
