import { expect, test } from 'vitest';
import { defaultOptions, mostImpostors, RANGES } from '../../../machines/rules/options.ts';

/** Among Us: at most 1 impostor of 4 to 6 seats, 2 of 7 and 8, 3 from 9 on. */
test.each([
  [4, 1],
  [5, 1],
  [6, 1],
  [7, 2],
  [8, 2],
  [9, 3],
  [10, 3],
  [15, 3],
])('a lobby of %i has at most %i impostors', (seats, most) => {
  expect(mostImpostors(seats)).toBe(most);
});

test('the defaults are those of the design and of the lobby screen', () => {
  expect(defaultOptions(5)).toMatchObject({
    rules: 'house',
    confirmEjects: true,
    anonymousVotes: false,
    discussionTime: 15,
    votingTime: 120,
    patience: 5,
    nudgeEvery: 5,
    tokenTarget: 25_000,
  });
});

test('ruling 1: both limits of the operator are off by default', () => {
  expect(defaultOptions(5)).toMatchObject({ voteAfter: null, maxTicks: null });
});

test('ruling 35: at the default cap about 200 messages fit the target', () => {
  const { tokenTarget, messageTokens } = defaultOptions(5);
  expect(Math.floor(tokenTarget / messageTokens)).toBe(208);
});

test.each(Object.entries(RANGES))(
  'the default of %s is in its range and on its step',
  (name, { least, most, step }) => {
    const value = Object.entries(defaultOptions(5)).find(([option]) => option === name)?.[1];
    if (value === null) return;
    expect(value).toBeGreaterThanOrEqual(least);
    expect(value).toBeLessThanOrEqual(most);
    expect(Number(value) % step).toBe(0);
  },
);
