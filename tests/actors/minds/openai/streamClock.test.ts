import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import {
  DEADLINE_LIMITS,
  GameDeadlines,
  ModelStart,
} from '../../../../actors/minds/openai/deadlines.ts';
import { EndpointPace } from '../../../../actors/minds/openai/pace.ts';

const DEADLINE_MS = 60_000;
const TICK = { kind: 'discussion', index: 0 } as const;

/** Two players are asked at the same moment, and the other one is answered after a second. */
function askTwo({ isCold = false } = {}) {
  const time = new SimulatedClock();
  const start = new ModelStart();
  const model = { baseUrl: 'http://x/v1', model: 'm', pace: new EndpointPace(), start };
  const paused: string[] = [];
  const deadlines = new GameDeadlines({
    time,
    limits: DEADLINE_LIMITS,
    onPause: (code) => paused.push(code),
    onLoading: () => {},
  });
  if (!isCold) start.noteAnswer();
  const [one, other, third] = [0, 1, 2].map(() => deadlines.open(model, TICK, DEADLINE_MS));
  if (one === undefined || other === undefined || third === undefined) throw new Error('no seats');
  const lostAt: number[] = [];
  one.send(() => lostAt.push(time.now()));
  if (!isCold) {
    for (const seat of [other, third]) {
      const end = seat.send(() => {});
      time.setTimeout(() => {
        end(true);
        seat.close(true);
      }, 1000);
    }
  }
  return { time, one, lostAt, start, paused };
}

function runTo(time: SimulatedClock, ms: number): void {
  let isThere = false;
  time.setTimeout(() => {
    isThere = true;
  }, ms - time.now());
  while (!isThere && time.next());
}

describe('a request that others have overtaken', () => {
  test('is lost after half the deadline without a byte', () => {
    const { time, lostAt } = askTwo();
    runTo(time, 55_000);
    expect(lostAt).toEqual([31_000]);
  });

  test('is not lost while bytes come, and its player is late all the same', () => {
    const { time, one, lostAt } = askTwo();
    for (let at = 10_000; at <= 50_000; at += 10_000) {
      time.setTimeout(() => {
        one.noteBytes();
        one.noteWords();
      }, at);
    }
    runTo(time, 60_000);
    expect([lostAt, one.signal.aborted]).toEqual([[], false]);
    runTo(time, 61_001);
    expect([lostAt, one.signal.aborted]).toEqual([[], true]);
  });

  test('is lost half the deadline after the last byte', () => {
    const { time, one, lostAt } = askTwo();
    time.setTimeout(() => one.noteBytes(), 12_000);
    runTo(time, 41_999);
    expect(lostAt).toEqual([]);
    runTo(time, 42_001);
    expect(lostAt).toEqual([42_000]);
  });
});

test('signs of life of a model that loads are no words: it is waited for, and then the game pauses', () => {
  const { time, one, lostAt, paused } = askTwo({ isCold: true });
  for (let at = 10_000; at < 300_000; at += 10_000) time.setTimeout(() => one.noteBytes(), at);
  runTo(time, 299_000);
  expect([lostAt, paused, one.signal.aborted]).toEqual([[], [], false]);
  runTo(time, 301_000);
  expect(paused).toEqual(['loading']);
});

test('the time of a player begins with the first words of a model that was loaded', () => {
  const { time, one, start, paused } = askTwo({ isCold: true });
  time.setTimeout(() => one.noteWords(), 120_000);
  runTo(time, 119_000);
  expect(start.isCold).toBe(true);
  runTo(time, 179_000);
  expect([start.isCold, one.deadlineMs]).toEqual([false, DEADLINE_MS]);
  // The only one who was asked: the endpoint is slow, and nobody is late.
  runTo(time, 181_000);
  expect([one.deadlineMs, one.signal.aborted, paused]).toEqual([2 * DEADLINE_MS, false, []]);
});
