import { expect, test } from 'vitest';
import { findAsymmetry, isAlike } from './agreement.ts';
import { SEED } from './law.ts';
import { COUNTER_EXCHANGE, createCounters, LOPSIDED } from './machines.ts';
import { SeededRandom } from './randomChart.ts';

test.each([
  { counters: 'three counters alike', model: createCounters(3, 3), found: null },
  {
    counters: 'three counters, of which one counts by two',
    model: LOPSIDED,
    found: { at: 'counters', event: 'bump' },
  },
])(`exchanging $counters is judged correctly (seed ${SEED})`, ({ model, found }) => {
  const asymmetry = findAsymmetry(model, COUNTER_EXCHANGE, new SeededRandom(SEED), 200);
  expect(asymmetry).toEqual(found === null ? null : expect.objectContaining({ event: 'bump' }));
});

test.each([
  [{ a: [1, { b: undefined }] }, { a: [1, { b: undefined }] }, true],
  [{ a: undefined }, {}, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [0, -0, false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [new Date(0), new Date(0), false],
])('%o and %o are alike: %s', (one, other, isSame) => {
  expect(isAlike(one, other)).toBe(isSame);
});
