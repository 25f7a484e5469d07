import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dueAfter,
  padFacts,
  settleTick,
  takeBid,
  voteTicks,
} from '../../../machines/rules/tick.ts';
import { aBid, aFault, aTable, law, living, someOptions } from '../builders.ts';

const NONE = { maxTicks: null, voteAfter: null, secondsPerTick: 5 } as const;

describe('ticks after which votes count, and after which the poll closes', () => {
  const times = { discussionTime: 12, votingTime: 21 };
  test.each([
    ['house: at once, and never', { rules: 'house', ...times }, 0, null],
    ['house with late ballots', { rules: 'house', ...times, voteAfter: 2 }, 0, 7],
    ['classic: times are rounded up', { rules: 'classic', ...times }, 3, 8],
    ['classic with late ballots', { rules: 'classic', ...times, voteAfter: 4 }, 4, 9],
    ['classic without a time to vote', { rules: 'classic', ...times, votingTime: 0 }, 3, null],
    ['classic with a second to vote', { rules: 'classic', ...times, votingTime: 1 }, 3, 4],
    ['classic without a discussion', { rules: 'classic', ...times, discussionTime: 0 }, 0, 5],
  ] as const)('%s', (_, options, openAfter, closeAfter) => {
    expect(voteTicks(someOptions({ ...NONE, ...options }))).toEqual({ openAfter, closeAfter });
  });
});

law(
  'what players are told of the clock is what it asks for',
  fc.property(
    fc.constantFrom('house', 'classic'),
    fc.option(fc.nat(4), { nil: null }),
    fc.nat(20),
    fc.nat(20),
    fc.integer({ min: 1, max: 6 }),
    (rules, voteAfter, discussionTime, votingTime, secondsPerTick) => {
      const times = { discussionTime, votingTime, secondsPerTick };
      const options = someOptions({ ...NONE, rules, voteAfter, ...times });
      const { openAfter, closeAfter } = voteTicks(options);
      for (let passed = 0; passed < 30; passed++) {
        const due = dueAfter(options, passed);
        expect(due === 'time-up').toBe(closeAfter !== null && passed >= closeAfter);
        if (rules === 'classic') expect(due === 'talk').toBe(passed < openAfter);
      }
    },
  ),
);

test.each([
  ['neither page', {}, []],
  ['the main page', { main: 'a' }, ['scratchpads.updated']],
  ['the page of the meeting', { meeting: 'b' }, ['scratchpads.updated']],
  ['an empty page', { main: '' }, ['scratchpads.updated']],
  ['both', { main: 'a', meeting: 'b' }, ['scratchpads.updated']],
])('a bid that writes %s gives one fact for each', (_, pads, types) => {
  expect(padFacts([aBid('red', { pads }), aFault('blue')]).map(({ type }) => type)).toEqual(types);
  const part = takeBid(aTable({ standings: living('red') }), 'discussion', aBid('red', { pads }));
  expect(part === null ? null : [part.wrote].flatMap((fact) => fact?.type ?? [])).toEqual(types);
});

test('an empty tick leaves the table unchanged', () => {
  const table = aTable({ streaks: { red: 1 } });
  expect(settleTick(table, [])).toEqual({ settled: table, facts: [] });
});
