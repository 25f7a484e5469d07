/** Prints lines of a journal one by one through a lens, as prose or as NDJSON, and how fast people read them. */

import { canonical } from '../machines/journal/canonical.ts';
import { type Lens, lensFor } from '../machines/journal/lens.ts';
import type { Line } from '../machines/journal/lines.ts';
import { rangeOf } from '../machines/rules/options.ts';
import { createRenderer } from '../visualizer/terminal/renderer.ts';
import { hasColour, print, printJson, screenWidth } from './output.ts';

type PrinterOptions = {
  readonly lens: Lens;
  readonly json?: boolean;
  /** Whether each tick shows the score of its winner, whatever the lens. */
  readonly hasWinners?: boolean;
  /** Whether the ship is summed up until somebody calls. */
  readonly skipsToCall?: boolean;
};

/** Prints a line and returns whether the lens shows it. `end` prints lines that waited for a next one. */
export type LinePrinter = {
  (line: Line): boolean;
  readonly isProse: boolean;
  end(): void;
};

export function createPrinter(options: PrinterOptions): LinePrinter {
  const { lens, json = false, hasWinners = false, skipsToCall = false } = options;
  if (json) {
    const look = lensFor(lens);
    const show = (line: Line) => {
      const seen = look(line);
      if (seen !== null) printJson(JSON.parse(canonical(seen)));
      return seen !== null;
    };
    return Object.assign(show, { isProse: false, end: () => {} });
  }
  const tell = createRenderer({
    ...{ lens, hasWinners, skipsToCall },
    ...{ colour: hasColour(), width: screenWidth() },
  });
  const printed = (rows: readonly string[]) => {
    for (const row of rows) print(row);
    return rows.length > 0;
  };
  return Object.assign((line: Line) => printed(tell(line)), {
    isProse: true,
    end: () => void printed(tell.end()),
  });
}

/** Milliseconds between two steps at speed 1: time to read a sentence. */
const BEAT_MS = 1400;
/** Milliseconds of a round of a game at speed 1, six times as fast as it is played. */
const ROUND_MS = 400;

/** Milliseconds between steps at a speed. `atNormal` is the pace of the match at speed 1. */
export function beatMs(speed: number, atNormal = BEAT_MS): number {
  return Math.min(rangeOf('beatMs').most, Math.round(atNormal / speed));
}

/** Milliseconds of rest after a line; rounds pass whether there is something to see of them or not. */
export function restMs(type: Line['type'], isSeen: boolean, speed: number): number {
  if (type === 'round.closed') return beatMs(speed, ROUND_MS);
  return isSeen && READ.includes(type) ? beatMs(speed) : 0;
}

/** Lines after which people get time to read. */
const READ: readonly Line['type'][] = [
  'tick.closed',
  'ballot.revealed',
  'verdict.announced',
  'turn.closed',
];
