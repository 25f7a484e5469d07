/** The self-test itself: it passes, and it would notice. */
import { describe, expect, test } from 'vitest';
import { compareWithExpected, isAlike, TRIALS } from '../selftest/selftest.ts';
import { SEED } from './law.ts';

describe(`seed ${SEED}`, () => {
  test.each(TRIALS)('$name: $sentence', ({ run }) => {
    expect(run(SEED)).toMatchObject({ isPassed: true });
  });
});

test('a failed trial shows what was expected and what was found', () => {
  expect(compareWithExpected({ states: 3, depth: 1 }, { states: 4, depth: 1 })).toEqual({
    isPassed: false,
    found: 'expected states 4; found states 3',
  });
});

test.each([
  [{ a: [1, { b: undefined }] }, { a: [1, { b: undefined }] }, true],
  [{ a: undefined }, {}, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [0, -0, false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [new Date(0), new Date(0), false],
])('%o and %o: alike is %s', (one, other, isSame) => {
  expect(isAlike(one, other)).toBe(isSame);
});
