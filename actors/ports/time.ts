/** The time of this machine. */
import { setTimeout as wait } from 'node:timers/promises';
import type { TimePort } from './ports.ts';

export const realTime: TimePort = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (id) => {
    if (id instanceof Object) clearTimeout(id as NodeJS.Timeout); // the handle that setTimeout above returned
  },
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
  idle: (ms) => wait(ms, undefined, { ref: false }),
};

/** Resolves when everything that was due has run: promises that are ready, and what came from outside. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A moment such as "2026-11-22T17:00:00Z" in milliseconds since 1970; null for what is none. */
export function readMoment(text: string): number | null {
  const moment = Date.parse(text);
  return /^\d{4}-\d\d-\d\d/.test(text) && moment >= 0 ? moment : null;
}

/** When a day such as "2026-07-24" began, in milliseconds since 1970. */
export function readDay(day: string): number {
  return Date.parse(day);
}

/** The last millisecond of the year 9999: a moment after it has no usual text. */
const LATEST_MOMENT = Date.UTC(10_000, 0) - 1;

/** A moment in milliseconds since 1970 as such a text, in UTC; what lies outside of the years 1970 to 9999 as their first or last. */
export function formatMoment(ms: number): string {
  return new Date(Math.min(LATEST_MOMENT, Math.max(0, ms))).toISOString();
}
