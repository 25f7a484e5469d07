/** Pace: the pause after a line for human readers, and none without a reader. */
import { expect, test } from 'vitest';
import { SPEEDS } from '../../cli/flags.ts';
import { restMs } from '../../cli/printer.ts';

test.each([
  { type: 'round.closed', isSeen: true, speed: SPEEDS.normal, ms: 400 },
  { type: 'round.closed', isSeen: false, speed: SPEEDS.normal, ms: 400 },
  { type: 'round.closed', isSeen: true, speed: SPEEDS.slow, ms: 800 },
  { type: 'round.closed', isSeen: true, speed: SPEEDS.max, ms: 0 },
  { type: 'tick.closed', isSeen: true, speed: SPEEDS.normal, ms: 1400 },
  { type: 'tick.closed', isSeen: false, speed: SPEEDS.normal, ms: 0 },
  { type: 'vote.locked', isSeen: true, speed: SPEEDS.normal, ms: 0 },
] as const)('after $type, seen: $isSeen, at speed $speed there are $ms ms', (given) => {
  expect(restMs(given.type, given.isSeen, given.speed)).toBe(given.ms);
});
