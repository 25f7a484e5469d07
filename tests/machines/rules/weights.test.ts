import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultSilence,
  defaultWeights,
  leastSlope,
  longestSilence,
  mapWeights,
  type Silence,
  silenceBoost,
  silentTicks,
  type Weights,
  weightsRefusal,
  worstSpread,
} from '../../../machines/rules/weights.ts';
import { law, someWeights } from '../builders.ts';

const NONE = mapWeights(() => 0);
const STEEP = { slope: 8, grace: 0, cap: null };

/** The example of the ruling book: c = 8, N = 5, M = 2, A = 3, V = 1. */
function steep(silence: Partial<Silence> = {}): Weights {
  return someWeights({ silence: { ...STEEP, ...silence } });
}

describe('the spread Δ = 15 − δ + M + A + V', () => {
  test.each([
    { terms: NONE, desire: 0, spread: 15 },
    { terms: NONE, desire: 10, spread: 5 },
    { terms: { ...NONE, mention: 2 }, desire: 0, spread: 17 },
    { terms: { ...NONE, accusation: 3 }, desire: 0, spread: 18 },
    { terms: { ...NONE, voted: 1 }, desire: 0, spread: 16 },
    { terms: { ...NONE, recentSpeaker: 50 }, desire: 0, spread: 15 },
    { terms: someWeights(), desire: 0, spread: 21 },
    { terms: someWeights(), desire: 1, spread: 20 },
  ])('of $terms at desire $desire or more is $spread', ({ terms, desire, spread }) => {
    expect(worstSpread(terms, desire)).toBe(spread);
  });
});

/** ⌊21 / (N + 1)⌋ + 1, and below three players as for three. */
test.each([
  [0, 6],
  [2, 6],
  [3, 6],
  [4, 5],
  [5, 4],
  [6, 4],
  [7, 3],
  [9, 3],
  [10, 2],
  [15, 2],
  [20, 2],
  [21, 1],
])('ruling 11: at a table of %i living the least slope is %i', (living, slope) => {
  expect(leastSlope(someWeights(), living)).toBe(slope);
  expect(defaultWeights(living).silence).toEqual({ slope, grace: living, cap: null });
});

test.each(Array.from({ length: 13 }, (_, index) => index + 3))(
  'ruling 11: with the default weights nobody of %i waits longer than 3N − 1 ticks, and one less slope would not do if ties went against them',
  (living) => {
    const weights = defaultWeights(living);
    const { slope } = weights.silence;
    expect(longestSilence(weights, living)).toBeLessThanOrEqual(3 * living - 1);
    expect(longestSilence(weights, living)).toBe(Math.ceil(21 / slope) + living - 2 + living);
    expect(Math.floor(21 / (slope - 1)) + living - 1).toBeGreaterThan(2 * living - 1);
    expect(weightsRefusal(weights, living)).toBeNull();
  },
);

law(
  'ruling 11: the default slope and grace keep W at 3N − 1 whatever the other weights are',
  fc.property(
    fc.nat(30),
    fc.nat(30),
    fc.nat(30),
    fc.integer({ min: 3, max: 15 }),
    (mention, accusation, voted, living) => {
      const terms = { ...someWeights(), mention, accusation, voted };
      const weights = { ...terms, silence: defaultSilence(terms, living) };
      expect(longestSilence(weights, living)).toBeLessThanOrEqual(3 * living - 1);
    },
  ),
);

describe('the longest silence W = ⌈Δ/c⌉ + N − 2 + n0', () => {
  test.each([
    { weights: steep(), living: 5, ticks: 6 },
    { weights: steep({ slope: 7 }), living: 5, ticks: 6 },
    { weights: steep({ slope: 6 }), living: 5, ticks: 7 },
    { weights: steep({ grace: 4 }), living: 5, ticks: 10 },
    { weights: steep(), living: 3, ticks: 4 },
    { weights: steep(), living: 2, ticks: 4 },
    { weights: steep({ cap: 46 }), living: 5, ticks: 6 },
    { weights: steep({ cap: 45 }), living: 5, ticks: Number.POSITIVE_INFINITY },
    { weights: steep({ slope: 0 }), living: 5, ticks: Number.POSITIVE_INFINITY },
  ])('of $weights.silence among $living is $ticks', ({ weights, living, ticks }) => {
    expect(longestSilence(weights, living)).toBe(ticks);
  });
});

describe('ruling 11: weights that can starve a player are refused with the arithmetic', () => {
  test('a cap of 45 among five is refused: it must exceed Δ + s(3) = 21 + 24', () => {
    const refusal = weightsRefusal(steep({ cap: 45 }), 5);
    expect(refusal?.code).toBe('weights/starve');
    expect(refusal?.text).toContain('capped at 45');
    expect(refusal?.text).toContain(
      'Δ = 10 desire + 5 die + 2 mention + 3 accusation + 1 voted = 21',
    );
    expect(refusal?.text).toContain('s(3) = 24');
    expect(refusal?.text).toContain('at least 46');
  });

  test('a cap of 46 is accepted', () => {
    expect(weightsRefusal(steep({ cap: 46 }), 5)).toBeNull();
  });

  test.each([
    { living: 4, cap: 37, refused: true },
    { living: 4, cap: 38, refused: false },
    { living: 6, cap: 53, refused: true },
    { living: 6, cap: 54, refused: false },
    { living: 2, cap: 29, refused: true },
    { living: 2, cap: 30, refused: false },
  ])('among $living a cap of $cap: refused is $refused', ({ living, cap, refused }) => {
    expect(weightsRefusal(steep({ cap }), living) !== null).toBe(refused);
  });

  test('a slope of 0 is refused and names the least that would do; 1 is accepted', () => {
    const refusal = weightsRefusal(steep({ slope: 0 }), 5);
    expect(refusal?.code).toBe('weights/starve');
    expect(refusal?.text).toContain('= 21');
    expect(refusal?.text).toContain('at least 1');
    expect(weightsRefusal(steep({ slope: 1 }), 5)).toBeNull();
  });
});

describe('a weight is a whole number from 0 to 100', () => {
  const named = (name: string, value: number): Weights =>
    name === 'slope' || name === 'grace' ? steep({ [name]: value }) : { ...steep(), [name]: value };
  const NAMES = ['mention', 'accusation', 'recentSpeaker', 'voted', 'slope', 'grace'];
  const SENSELESS = [-1, 101, 1.5, Number.NaN, Number.POSITIVE_INFINITY];

  test.each(NAMES.flatMap((name) => SENSELESS.map((value) => [name, value] as const)))(
    '%s may not be %f',
    (name, value) => {
      const refusal = weightsRefusal(named(name, value), 5);
      expect(refusal?.code).toBe('weights/senseless');
      expect(refusal?.text).toContain(
        `expected ${name} to be a whole number from 0 to 100, found ${value}`,
      );
    },
  );

  test.each(
    NAMES.flatMap((name) => [name === 'slope' ? 1 : 0, 100].map((value) => [name, value] as const)),
  )('%s may be %i', (name, value) => {
    expect(weightsRefusal(named(name, value), 5)).toBeNull();
  });

  test.each([-1, 46.5])('the cap may not be %f', (cap) => {
    const refusal = weightsRefusal(steep({ cap }), 5);
    expect(refusal?.code).toBe('weights/senseless');
    expect(refusal?.text).toContain(`found ${cap}`);
  });
});

const STEEP_BOOST = { slope: 4, grace: 0, cap: null };

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
  { silence: STEEP_BOOST, silent: 0, boost: 0, why: 's(0) = 0' },
  { silence: STEEP_BOOST, silent: 1, boost: 4, why: 'one tick adds one slope' },
  { silence: STEEP_BOOST, silent: 100, boost: 400, why: 'and there is no cap by default' },
  { silence: { ...STEEP_BOOST, grace: 2 }, silent: 2, boost: 0, why: 'nothing within the grace' },
  { silence: { ...STEEP_BOOST, grace: 2 }, silent: 3, boost: 4, why: 'one slope after it' },
  { silence: { ...STEEP_BOOST, cap: 9 }, silent: 2, boost: 8, why: 'below the cap it is the line' },
  { silence: { ...STEEP_BOOST, cap: 9 }, silent: 3, boost: 9, why: 'above it is the cap' },
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
    expect(silenceBoost({ slope, grace: 0, cap: null }, silent) > spread).toBe(called);
  },
);
