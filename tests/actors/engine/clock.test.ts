/** The simulated clock by itself: which timer runs next, and when time stands still. */
import { describe, expect, test } from 'vitest';
import { SimulatedClock, waitOut } from '../../../actors/engine/clock.ts';

function run(set: (clock: SimulatedClock, note: (name: string) => () => void) => void) {
  const clock = new SimulatedClock();
  const ran: string[] = [];
  set(clock, (name) => () => ran.push(`${name} ${clock.now()}`));
  while (clock.next());
  return ran;
}

describe('timers of simulated time', () => {
  test('run in the order of their due time, and together in the order in which they were set', () => {
    const ran = run((clock, note) => {
      clock.setTimeout(note('late'), 9);
      clock.setTimeout(note('first'), 5);
      clock.setTimeout(note('second'), 5);
      clock.setTimeout(note('early'), 1);
      clock.setTimeout(note('third'), 5);
    });
    expect(ran).toEqual(['early 1', 'first 5', 'second 5', 'third 5', 'late 9']);
  });

  test('count from the moment in which they are set, and never run in the past', () => {
    const ran = run((clock, note) => {
      clock.setTimeout(() => {
        clock.setTimeout(note('after'), 2);
        clock.setTimeout(note('at once'), -4);
      }, 5);
      clock.setTimeout(note('between'), 6);
    });
    expect(ran).toEqual(['at once 5', 'between 6', 'after 7']);
  });

  test('do not run once they are cleared, and the others still do', () => {
    const ran = run((clock, note) => {
      const cleared = clock.setTimeout(note('cleared'), 5);
      clock.setTimeout(note('kept'), 5);
      clock.clearTimeout(cleared);
    });
    expect(ran).toEqual(['kept 5']);
  });
});

test('time is held at every sixteenth turn until all that is due has run', async () => {
  const clock = new SimulatedClock();
  const turns = Array.from({ length: 15 }, () => clock.turn());
  expect(turns.every((turn) => turn === null)).toBe(true);
  expect(clock.isHeld).toBe(false);
  const held = clock.turn();
  expect(clock.isHeld).toBe(true);
  await held;
  expect(clock.isHeld).toBe(false);
  expect(clock.turn()).toBeNull();
});

test('a simulated sleep ends when its time has come or its signal is aborted', async () => {
  const clock = new SimulatedClock();
  const slept = clock.sleep(50);
  expect(clock.next()).toBe(true);
  await slept;
  expect(clock.now()).toBe(50);
  const signal = new AbortController();
  const broken = clock.idle(70, signal.signal);
  signal.abort();
  await broken;
  expect(clock.now()).toBe(50);
});

test('simulated time goes on while work outside the actors is waited for', async () => {
  const clock = new SimulatedClock();
  await waitOut(clock.sleep(30), clock);
  expect(clock.now()).toBe(30);
});
