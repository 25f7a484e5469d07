import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as rules from '../../../machines/rules/meeting.ts';
import {
  dueAfter,
  padFacts,
  settleTick,
  takeBid,
  voteTicks,
} from '../../../machines/rules/tick.ts';
import { type Ballot, type BySeat, COLOURS, type Colour } from '../../../machines/types.ts';
import {
  ALL_SKIP,
  aBid,
  aFault,
  aReport,
  aTable,
  aTick,
  aVerdict,
  FIVE,
  law,
  living,
  ORANGE_GOES,
  someOptions,
  someSeats,
} from '../builders.ts';

law(
  'ruling 6: who has voted is in the order of the seats, whoever locked first',
  fc.property(someSeats(0, 5), (voters) => {
    const standings = living(...voters, ...FIVE);
    const ballots = Object.fromEntries(voters.map((seat) => [seat, 'skip'] as const));
    const expected = COLOURS.filter((seat) => voters.includes(seat));
    expect(rules.seatsWithBallot(aTable({ standings, ballots }))).toEqual(expected);
  }),
);

test.each([
  ['a limit of no ticks', { maxTicks: 0 }, 'stop'],
  ['ballots that are asked for at once', { voteAfter: 0 }, 'ballots'],
  ['classic without a discussion', { rules: 'classic', discussionTime: 0 }, 'ballots'],
  ['ballots after a tick', { voteAfter: 1 }, 'talk'],
] as const)('a table with %s knows it before its first tick', (_, options, due) => {
  expect(aTable({ options }).due).toBe(due);
});

describe('faults in a row', () => {
  const streaks = { red: 1, blue: 2 } as const;

  test('end with a departure for the leaver alone', () => {
    const { changes } = rules.leaveTable(aTable({ streaks }), 'red', 'tick');
    expect(changes.streaks).toEqual({ blue: 2 });
  });

  test('count against nobody once the poll is closed', () => {
    expect(rules.closePoll(aTable({ streaks })).changes.streaks).toEqual({});
  });
});

describe('a player who leaves', () => {
  test.each(['tick', 'pause'] as const)(
    'a departure is announced with the %s in which it happened',
    (during) => {
      const fact = { type: 'seat.departed', seat: 'red', reason: 'left', during };
      const table = aTable({ ballots: { blue: 'red' } });
      expect(rules.leaveTable(table, 'red', during).facts).toEqual([fact]);
      expect(rules.leaveAfterPoll(table, 'red', during)).toEqual({
        changes: { standings: { ...table.standings, red: 'departed' } },
        facts: [fact],
      });
    },
  );
});

test('a tick without a speaker keeps its scores and its nudge', () => {
  const decision = aVerdict({ nudge: 'tokens', scores: [] });
  const [fact] = rules.closeTick(aTable(), aTick([], { decision })).facts;
  expect(fact).toMatchObject({ decision });
});

describe('the count and what follows from it', () => {
  test('ruling 22: a deserted poll ejects nobody, whatever its ballots', () => {
    const poll = { ballots: ORANGE_GOES, void: [], missed: [], deserted: true };
    const { changes, facts } = rules.countPoll(aTable({ poll }));
    expect(changes).toEqual({ outcome: 'empty', ejected: null });
    expect(facts).toMatchObject([{ outcome: 'empty', ejected: null }]);
  });

  test.each<[string, readonly Colour[], Colour | null, number]>([
    ['the only one is ejected', ['orange'], 'orange', 0],
    ['one of two is ejected', ['orange', 'pink'], 'orange', 1],
    ['a crewmate is ejected', ['orange', 'pink'], 'red', 2],
    ['no player is', ['orange', 'pink'], null, 2],
  ])('impostors that remain, where %s', (_, impostors, ejected, remaining) => {
    const outcome = ejected === null ? 'skipped' : 'ejected';
    const table = aTable({ impostors, outcome, ejected });
    const { changes, facts } = rules.announceResult(table);
    expect(changes.remaining).toBe(remaining);
    const words = remaining === 1 ? '1 Impostor remains.' : `${remaining} Impostors remain.`;
    expect(facts).toMatchObject([{ sentence: expect.stringContaining(words), outcome, ejected }]);
  });
});

function held(ballots: BySeat<Ballot>, revealed: number): rules.Table {
  const call = aReport({ by: 'blue', body: 'white', place: 'Electrical' });
  const open = aTable({ ballots, call, impostors: ['orange', 'pink'] });
  const closed = { ...open, ...rules.closePoll(open).changes };
  const counted = { ...closed, ...rules.countPoll(closed).changes };
  return { ...counted, ...rules.announceResult(counted).changes, revealed };
}

describe('the record of a meeting', () => {
  const call = { by: 'blue', kind: 'body', body: 'white', place: 'Electrical' };

  test('is its call, and the result once every ballot has been turned', () => {
    expect(rules.toMeetingRecord(held(ORANGE_GOES, 4))).toEqual({ call, result: null });
    expect(rules.toMeetingRecord(held(ORANGE_GOES, 5))).toEqual({
      call,
      result: {
        outcome: 'ejected',
        ejected: 'orange',
        role: 'impostor',
        remaining: 1,
        ballots: FIVE.map((voter) => ({ voter, ballot: ORANGE_GOES[voter], void: false })),
        sentence: 'Orange was An Impostor. 1 Impostor remains.',
      },
    });
  });

  test('a meeting that was stopped or is not over has no result in its record', () => {
    expect(rules.toMeetingRecord(aTable({ outcome: 'interrupted' })).result).toBeNull();
    expect(rules.toMeetingRecord({ ...held(ALL_SKIP, 5), outcome: null }).result).toBeNull();
  });
});

test.each<[rules.Table['outcome'], Colour | null, string]>([
  ['skipped', null, 'nobody was ejected (skipped)'],
  ['tie', null, 'nobody was ejected (tie)'],
  ['unconverged', null, 'nobody was ejected (unconverged)'],
  ['ejected', 'pink', 'pink was ejected'],
])('ruling 27: the line of a meeting that ended %s, with %s ejected', (outcome, ejected, words) => {
  const table = aTable({ outcome, ejected, ballots: { red: 'skip' } });
  const { facts } = rules.consolidate(table, aTick([aBid('red'), aFault('blue')]));
  expect(facts.slice(1, 3)).toEqual([
    {
      type: 'scratchpads.consolidated',
      seat: 'red',
      main: null,
      line: `Meeting: I voted skip; ${words}.`,
    },
    {
      type: 'scratchpads.consolidated',
      seat: 'blue',
      main: null,
      line: `Meeting: I did not vote; ${words}.`,
    },
  ]);
});

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
