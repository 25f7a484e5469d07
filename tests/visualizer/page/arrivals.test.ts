/** A meeting whose clock says when each answer arrived: its ticks are played in that order. */
import { describe, expect, test } from 'vitest';
import { readArrivals } from '../../../machines/journal/calls.ts';
import { playerId } from '../../../machines/messages.ts';
import { seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { listStages, timeStages } from '../../../visualizer/page/game/story/stages.ts';
import { timedMeeting } from './recorded.ts';

describe('the visible steps of a tick', () => {
  test('show bids in the order and the rhythm of their arrival', async () => {
    const lines = seeWithMoves(await timedMeeting('electrical', 7), { type: 'glass' });
    const ticks = lines.filter((line) => line.type === 'tick.closed');
    expect(ticks.length).toBeGreaterThan(5);
    expect(lines.some(({ refusal }) => refusal !== undefined)).toBe(false);
    for (const line of ticks) {
      const arrivals = readArrivals(line);
      const stages = listStages(line.moves ?? []);
      const bids = stages.filter(({ kind }) => kind === 'bid');
      expect(bids.map(({ actor }) => actor)).toEqual(arrivals.map(({ seat }) => playerId(seat)));
      expect(stages.map(({ shown }) => shown)).toEqual(
        stages.map(({ shown }) => shown).toSorted((one, other) => one - other),
      );
      // Each step waits for its bid, so the longest wait comes before the last bid or between two.
      const times = timeStages(stages, line);
      const shownAt = bids.map((bid) =>
        times.slice(0, stages.indexOf(bid)).reduce((sum, ms) => sum + ms, 0),
      );
      const whole = arrivals.at(-1)?.ms ?? 0;
      for (const [at, { ms }] of arrivals.entries())
        expect(shownAt[at]).toBeCloseTo(((shownAt.at(-1) ?? 0) * ms) / whole);
      expect(times.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1000);
    }
  });
});
