/** Progress: one line on the terminal that is written over, and gone when the search is over. */
import type { SearchProgress } from 'glass-box-checker';

const CLEAR = '\r\u001B[K';

export type Gauge = {
  readonly show: ((progress: SearchProgress) => void) | null;
  readonly clear: () => void;
};

/** Only for people: without a terminal nothing is shown. */
export function gauge(title: () => string): Gauge {
  if (process.stderr.isTTY !== true) return { show: null, clear: () => {} };
  return {
    show: ({ states, frontier, depth, seconds }) => {
      const rate = seconds > 0 ? `, ${count(Math.round(states / seconds))} a second` : '';
      const text = `${title()}: ${count(states)} states${rate}, ${count(frontier)} to look at, depth ${depth}`;
      process.stderr.write(`${CLEAR}${text.slice(0, (process.stderr.columns || WIDTH) - 1)}`);
    },
    clear: () => {
      process.stderr.write(CLEAR);
    },
  };
}

const WIDTH = 80;

/** A count as people read it: 12,345. */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}
