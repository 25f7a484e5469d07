/** A meeting whose clock says when each answer arrived: its ticks are played in that order. */
import { describe, expect, test, vi } from 'vitest';
import { readArrivals } from '../../../machines/journal/calls.ts';
import { playerId } from '../../../machines/messages.ts';
import { seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { readFacts } from '../../../visualizer/page/build/facts.ts';
import { stepBy, stepStage } from '../../../visualizer/page/game/state/navigation.ts';
import {
  goToStep,
  isRecorded,
  length,
  openLive,
  stage,
  startSession,
  step,
} from '../../../visualizer/page/game/state/session.ts';
import { receiveRows } from '../../../visualizer/page/game/state/stages.ts';
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
      const latest = arrivals.map(({ ms }, at) =>
        Math.max(ms, ...arrivals.slice(0, at).map((one) => one.ms)),
      );
      for (const [at, ms] of latest.entries())
        expect(shownAt[at]).toBeCloseTo(((shownAt.at(-1) ?? 0) * ms) / (latest.at(-1) ?? 0));
      expect(times.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1000);
    }
  });
});

test('a reader who leaves a tick while it arrives stays where they are', async () => {
  startSession(await readFacts());
  // The page of a browser that shows motion.
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  isRecorded.value = false;
  const lines = seeWithMoves(await timedMeeting('electrical', 7), { type: 'glass' });
  const [first = 0, second = 0] = lines.flatMap(({ type }, at) =>
    type === 'tick.closed' ? [at] : [],
  );
  for (const [leave, isLast] of [
    [() => {}, true],
    [() => stepBy(-1), false],
    [() => stepStage(-1), false],
  ] as const) {
    openLive({ type: 'glass' }, null);
    receiveRows(lines.slice(0, first));
    goToStep(length.value - 1);
    receiveRows(lines.slice(first, second));
    expect(stage.value?.kind).toBe('asked');
    leave();
    const at = step.value;
    receiveRows(lines.slice(second, second + 1));
    expect(step.value).toBe(isLast ? length.value - 1 : at);
  }
  vi.unstubAllGlobals();
});
