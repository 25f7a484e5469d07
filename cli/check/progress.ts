/** Progress: one line on the terminal that is written over, and gone when the search is over. */

import type { SearchProgress } from 'glass-box-checker';
import { formatCount } from '../../proofs/report.ts';

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
      const rate = seconds > 0 ? `, ${formatCount(Math.round(states / seconds))} a second` : '';
      const text = `${title()}: ${formatCount(states)} states${rate}, ${formatCount(frontier)} to look at, depth ${depth}`;
      process.stderr.write(`${CLEAR}${text.slice(0, (process.stderr.columns || WIDTH) - 1)}`);
    },
    clear: () => {
      process.stderr.write(CLEAR);
    },
  };
}

const WIDTH = 80;
