import { setTimeout as wait } from 'node:timers/promises';
import type { TimePort } from './ports.ts';

export const realTime: TimePort = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (id) => {
    if (id instanceof Object) clearTimeout(id as NodeJS.Timeout); // the handle that setTimeout above returned
  },
  turn: takeTurn,
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
  idle: (ms, signal) => wait(ms, undefined, { ref: false, signal }).catch(() => {}),
};

/** Resolves when everything due has run: ready promises, and events from outside. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Milliseconds without a turn of the event loop, and the moment of the last turn that was taken here. */
const LONGEST_MS = 100;
let lastTurn = 0;

function takeTurn(): Promise<void> | null {
  if (performance.now() - lastTurn < LONGEST_MS) return null;
  return nextTurn().then(() => {
    lastTurn = performance.now();
  });
}

export function readDay(day: string): number {
  return Date.parse(day);
}
