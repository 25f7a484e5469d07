import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBoostDecisive, silenceBoost, silentTicks } from '../../../machines/rules/weights.ts';
import { law } from '../builders.ts';

const STEEP = { slope: 4, grace: 0, cap: null };

test.each([
  { tick: 0, lastSpoke: undefined, silent: 0, why: 'nobody is silent before the first tick' },
  { tick: 3, lastSpoke: undefined, silent: 3, why: 'who never spoke is silent from the start' },
  { tick: 4, lastSpoke: 3, silent: 0, why: 'who spoke in the previous tick is not silent' },
  { tick: 5, lastSpoke: 3, silent: 1, why: 'who spoke before that is silent for one tick' },
  { tick: 10, lastSpoke: 0, silent: 9, why: 'who spoke first waits nine ticks by the eleventh' },
])('$why', ({ tick, lastSpoke, silent }) => {
  expect(silentTicks(tick, lastSpoke)).toBe(silent);
});

test.each([
  { silence: STEEP, silent: 0, boost: 0, why: 's(0) = 0' },
  { silence: STEEP, silent: 1, boost: 4, why: 'one tick adds one slope' },
  { silence: STEEP, silent: 100, boost: 400, why: 'and there is no cap by default' },
  { silence: { ...STEEP, grace: 2 }, silent: 2, boost: 0, why: 'nothing within the grace' },
  { silence: { ...STEEP, grace: 2 }, silent: 3, boost: 4, why: 'one slope after it' },
  { silence: { ...STEEP, cap: 9 }, silent: 2, boost: 8, why: 'below the cap it is the line' },
  { silence: { ...STEEP, cap: 9 }, silent: 3, boost: 9, why: 'above it is the cap' },
])('ruling 11: $why', ({ silence, silent, boost }) => {
  expect(silenceBoost(silence, silent)).toBe(boost);
});

law(
  'ruling 11: every further tick of silence adds exactly the slope, for ever',
  fc.property(fc.nat(100), fc.nat(50), fc.nat(100_000), (slope, grace, past) => {
    const silence = { slope, grace, cap: null };
    const step = silenceBoost(silence, grace + past + 1) - silenceBoost(silence, grace + past);
    expect(step).toBe(slope);
    expect(silenceBoost(silence, Math.min(grace, past))).toBe(0);
  }),
);

test.each([
  { slope: 4, silent: 5, spread: 21, called: false, why: '20 is below Δ = 21' },
  { slope: 4, silent: 6, spread: 21, called: true, why: '24 is above' },
  { slope: 3, silent: 7, spread: 21, called: false, why: '21 only equals Δ' },
  { slope: 3, silent: 8, spread: 21, called: true, why: '24 is above' },
])(
  'ruling 9: with slope $slope a player silent for $silent ticks: $why, called on is $called',
  ({ slope, silent, spread, called }) => {
    expect(isBoostDecisive({ slope, grace: 0, cap: null }, silent, spread)).toBe(called);
  },
);
