import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  announceResult,
  ballotAt,
  countVotes,
  fixPoll,
  hasEveryoneVoted,
  isEveryBallotTurned,
  type RevealedRoles,
  revealOrder,
  type Table,
  turnBallot,
  writeResult,
} from '../../../machines/rules/meeting.ts';
import { type Ballots, seatsStanding, voteRefusal } from '../../../machines/rules/tick.ts';
import {
  type Ballot,
  type BySeat,
  COLOURS,
  type Colour,
  type Standing,
} from '../../../machines/types.ts';
import { all, aTable, FIVE, law, living, someSeats } from '../builders.ts';

const TABLE = living(...FIVE);

/** The count as text: "red 1, pink 2: ejected pink". */
function count(ballots: Ballots, standings: BySeat<Standing> = TABLE): string {
  const { counts, outcome, ejected } = countVotes(fixPoll(ballots, standings));
  const votes = counts.map((one) => `${one.candidate} ${one.votes}`).join(', ');
  return `${votes}: ${outcome}${ejected === null ? '' : ` ${ejected}`}`;
}

/** The ballots of red to orange, in this order; a dash is none. */
function cast(words: string): Ballots {
  const ballots = words.split(' ').map((ballot, index) => [FIVE[index], ballot] as const);
  return Object.fromEntries(ballots.filter(([, ballot]) => ballot !== '-'));
}

describe('the tally: the unique plurality over skip and everybody else', () => {
  const gone = { ...TABLE, orange: 'departed' } as const;

  test.each<[string, string, string, BySeat<Standing>?]>([
    ['all for one', 'pink pink pink', 'pink 3: ejected pink'],
    ['2 : 1', 'pink pink red', 'red 1, pink 2: ejected pink'],
    ['2 : 2 is a tie', 'pink pink red red', 'red 2, pink 2: tie'],
    ['a tie of three', 'pink red blue', 'red 1, blue 1, pink 1: tie'],
    ['ruling 23: a tie with skip ejects nobody', 'pink skip', 'pink 1, skip 1: tie'],
    ['ruling 23: skip by plurality', 'skip skip pink', 'pink 1, skip 2: skipped'],
    ['ruling 23: skip alone', 'skip', 'skip 1: skipped'],
    [
      'ruling 23: a minority of 2 beats one skip and two others',
      'pink pink skip red blue',
      'red 1, blue 1, pink 2, skip 1: ejected pink',
    ],
    ['ruling 3: missed votes are no skip: one ballot ejects', 'pink', 'pink 1: ejected pink'],
    ['ruling 3: no votes at all are a tie, not a skip', '-', ': tie'],
    ['ruling 16: a vote for oneself counts', 'red', 'red 1: ejected red'],
    [
      'ruling 20: ballots for who left are void: 2 for the leaver lose against 1',
      'orange orange pink',
      'pink 1: ejected pink',
      gone,
    ],
    ['ruling 20: where every ballot is void the poll is a tie', 'orange orange', ': tie', gone],
    [
      'ruling 19: a remaining ballot of a leaver still counts',
      'pink red - - pink',
      'red 1, pink 2: ejected pink',
      gone,
    ],
  ])('%s', (_, words, counted, standings = TABLE) => {
    expect(count(cast(words), standings)).toBe(counted);
  });

  test('ruling 20: the voters of void ballots are named', () => {
    expect(fixPoll(cast('orange orange pink'), gone).void).toEqual(['red', 'blue']);
  });
});

describe('closing the poll', () => {
  test('ruling 3: a living player without a ballot has missed; the dead and the departed have not', () => {
    const standings: BySeat<Standing> = {
      red: 'living',
      blue: 'living',
      green: 'dead',
      pink: 'departed',
    };
    expect(fixPoll({ red: 'skip' }, standings)).toEqual({
      ballots: { red: 'skip' },
      void: [],
      missed: ['blue'],
      deserted: false,
    });
  });

  test.each<[string, BySeat<Standing>, boolean]>([
    ['one is alive', { red: 'living', blue: 'dead' }, false],
    ['none is', { red: 'departed', blue: 'dead' }, true],
    ['nobody is seated', {}, true],
  ])('ruling 22: deserted where %s: %s', (_, standings, deserted) => {
    expect(fixPoll({}, standings).deserted).toBe(deserted);
  });
});

describe('ruling 4: everyone has voted', () => {
  test.each<[string, Ballots, BySeat<Standing>, boolean]>([
    ['when the last ballot is in', { red: 'skip', blue: 'red' }, living('red', 'blue'), true],
    ['not while one is missing', { red: 'skip' }, living('red', 'blue'), false],
    ['without waiting for the dead', { red: 'skip' }, { red: 'living', blue: 'dead' }, true],
    ['ruling 21: nor for who left', { red: 'skip' }, { red: 'living', blue: 'departed' }, true],
    ['ruling 22: and when nobody is alive', {}, { red: 'departed' }, true],
  ])('%s', (_, ballots, standings, complete) => {
    expect(hasEveryoneVoted(ballots, standings)).toBe(complete);
  });
});

describe('legal votes', () => {
  const table: BySeat<Standing> = {
    red: 'living',
    blue: 'living',
    green: 'dead',
    pink: 'departed',
  };

  test.each<[string, Ballot, Ballots, string | null]>([
    ['somebody living', 'blue', {}, null],
    ['skip', 'skip', {}, null],
    ['oneself (ruling 16)', 'red', {}, null],
    ['but not the dead (ruling 15)', 'green', {}, 'vote/not-living'],
    ['nor who left (ruling 15)', 'pink', {}, 'vote/not-living'],
    ['nor a colour that sits nowhere (ruling 17)', 'coral', {}, 'vote/not-living'],
    ['nor a second time (ruling 18)', 'skip', { red: 'blue' }, 'vote/locked'],
    ['nor the same again (ruling 18)', 'blue', { red: 'blue' }, 'vote/locked'],
    ['while the ballot of another locks nothing', 'blue', { blue: 'red' }, null],
  ])('%s', (_, vote, ballots, code) => {
    expect(voteRefusal(vote, 'red', ballots, table)?.code ?? null).toBe(code);
  });

  test('a refusal names the expected and the found vote (ruling 15)', () => {
    expect(voteRefusal('green', 'red', {}, table)?.text).toBe(
      'your vote for green does not count: green is not among the living (red, blue)',
    );
    expect(voteRefusal('skip', 'red', { red: 'blue' }, table)?.text).toBe(
      'your vote for blue is locked and cannot change',
    );
  });
});

const somePoll = someSeats(1).chain((seats) =>
  fc.record({
    seats: fc.constant(seats),
    ballots: fc.array(fc.option(fc.constantFrom<Ballot>(...seats, 'skip')), {
      minLength: seats.length,
      maxLength: seats.length,
    }),
    gone: fc.subarray(seats),
  }),
);

law(
  'every standing ballot is counted once: counts and void ballots add up to the ballots cast',
  fc.property(somePoll, ({ seats, ballots, gone }) => {
    const cast: Ballots = Object.fromEntries(
      seats.flatMap((seat, index) => (ballots[index] == null ? [] : [[seat, ballots[index]]])),
    );
    const poll = fixPoll(cast, { ...living(...seats), ...all('departed', gone) });
    const counted = countVotes(poll).counts.reduce((sum, { votes }) => sum + votes, 0);
    expect(counted + poll.void.length).toBe(Object.keys(cast).length);
  }),
);

law(
  'the count has no favourite: renaming the players renames the result (rulings 5 and 40)',
  fc.property(
    somePoll,
    fc.shuffledSubarray([...COLOURS], { minLength: COLOURS.length }),
    ({ seats, ballots, gone }, names) => {
      const rename = (seat: Colour) => names[COLOURS.indexOf(seat)] ?? seat;
      const under = (name: (seat: Colour) => Colour) => {
        const cast: Ballots = Object.fromEntries(
          seats.flatMap((seat, index) => {
            const ballot = ballots[index];
            return ballot == null ? [] : [[name(seat), ballot === 'skip' ? ballot : name(ballot)]];
          }),
        );
        return countVotes(
          fixPoll(cast, { ...living(...seats.map(name)), ...all('departed', gone.map(name)) }),
        );
      };
      const plain = under((seat) => seat);
      expect(under(rename).outcome).toBe(plain.outcome);
      expect(under(rename).ejected).toBe(plain.ejected === null ? null : rename(plain.ejected));
    },
  ),
);

test('the seats of a standing are in the order of the lobby', () => {
  expect(seatsStanding({ pink: 'living', red: 'living', blue: 'dead' }, 'living')).toEqual([
    'red',
    'pink',
  ]);
});

const BALLOTS: Ballots = { orange: 'red', red: 'pink', green: 'skip' };
const POLL = fixPoll(BALLOTS, { ...living(...FIVE), pink: 'departed' });

describe('ruling 25: ballots are turned one by one in the order of the seats', () => {
  test('whoever voted first', () => {
    expect(revealOrder(POLL)).toEqual(['red', 'green', 'orange']);
  });

  test.each([
    ['with the voter’s name', false, ['red', 'green', 'orange']],
    ['without it where votes are anonymous', true, [null, null, null]],
  ] as const)('%s', (_, anonymous, voters) => {
    const shown = [0, 1, 2].map((index) => ballotAt(POLL, index, anonymous));
    expect(shown.map((ballot) => ballot?.voter)).toEqual(voters);
    expect(shown.map((ballot) => ballot?.ballot)).toEqual(['pink', 'skip', 'red']);
  });

  test('ruling 20: a void ballot is turned like any other, and marked', () => {
    expect([0, 1, 2].map((index) => ballotAt(POLL, index, false)?.void)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each([-1, 3, 99])('there is no ballot %i', (index) => {
    expect(ballotAt(POLL, index, false)).toBeNull();
  });

  test('ruling 25: an anonymous table still tells the journal who voted, in the field that nobody is shown', () => {
    const table = aTable({ poll: POLL, ballots: BALLOTS, options: { anonymousVotes: true } });
    expect(turnBallot(table).facts).toEqual([
      { type: 'ballot.revealed', index: 0, by: 'red', voter: null, ballot: 'pink', void: true },
    ]);
  });
});

const someBallots = fc
  .subarray([...COLOURS])
  .chain((voters) =>
    fc.tuple(
      ...voters.map((voter) =>
        fc.tuple(fc.constant(voter), fc.constantFrom<Ballot>(...COLOURS, 'skip')),
      ),
    ),
  )
  .map((pairs): Ballots => Object.fromEntries(pairs));

law(
  'ruling 25: every standing ballot is turned exactly once, and then no more',
  fc.property(someBallots, fc.boolean(), (ballots, anonymousVotes) => {
    let table: Table = aTable({
      ballots,
      poll: fixPoll(ballots, living(...COLOURS)),
      options: { anonymousVotes },
    });
    const seen: [Colour, Ballot][] = [];
    while (!isEveryBallotTurned(table) && seen.length <= COLOURS.length) {
      const step = turnBallot(table);
      for (const fact of step.facts)
        if (fact.type === 'ballot.revealed') seen.push([fact.by, fact.ballot]);
      table = { ...table, ...step.changes };
    }
    expect(Object.fromEntries(seen)).toEqual(ballots);
    expect(seen).toHaveLength(Object.keys(ballots).length);
    expect(turnBallot(table)).toEqual({ changes: {}, facts: [] });
  }),
);

describe('the sentence', () => {
  const unmasked = (
    role: RevealedRoles['role'],
    impostors: number,
    remaining: number,
  ): RevealedRoles => ({ role, impostors, remaining });

  test.each<[RevealedRoles, boolean, string]>([
    [unmasked('impostor', 1, 0), true, 'Red was The Impostor. 0 Impostors remain.'],
    [unmasked('crewmate', 1, 1), true, 'Red was not The Impostor. 1 Impostor remains.'],
    [unmasked('impostor', 2, 1), true, 'Red was An Impostor. 1 Impostor remains.'],
    [unmasked('crewmate', 2, 2), true, 'Red was not An Impostor. 2 Impostors remain.'],
    [unmasked('impostor', 3, 2), true, 'Red was An Impostor. 2 Impostors remain.'],
    [unmasked('crewmate', 3, 3), true, 'Red was not An Impostor. 3 Impostors remain.'],
    [unmasked('impostor', 2, 0), true, 'Red was An Impostor. 0 Impostors remain.'],
    [unmasked('impostor', 1, 0), false, 'Red was ejected.'],
    [unmasked('crewmate', 3, 3), false, 'Red was ejected.'],
  ])('of an ejection: %j, confirmed %s: "%s"', (masks, confirmEjects, expected) => {
    expect(writeResult({ outcome: 'ejected', ejected: 'red' }, masks, { confirmEjects })).toBe(
      expected,
    );
  });

  test.each<['tie' | 'skipped', boolean, number, string]>([
    ['tie', false, 1, 'No one was ejected. (Tie)'],
    ['skipped', false, 1, 'No one was ejected. (Skipped)'],
    ['tie', true, 1, 'No one was ejected. (Tie) 1 Impostor remains.'],
    ['skipped', true, 2, 'No one was ejected. (Skipped) 2 Impostors remain.'],
    ['tie', true, 0, 'No one was ejected. (Tie) 0 Impostors remain.'],
  ])(
    'ruling 25: of nobody: %s, confirmed %s, %i left: "%s"',
    (outcome, confirmEjects, remaining, expected) => {
      expect(
        writeResult({ outcome, ejected: null }, unmasked(null, 2, remaining), { confirmEjects }),
      ).toBe(expected);
    },
  );

  test('the sentence counts the ejected player as dead', () => {
    const table = aTable({ outcome: 'ejected', ejected: 'orange', poll: POLL });
    const { changes, facts } = announceResult(table);
    expect(changes.standings?.orange).toBe('dead');
    expect(facts).toEqual([
      {
        type: 'verdict.announced',
        sentence: 'Orange was The Impostor. 0 Impostors remain.',
        outcome: 'ejected',
        ejected: 'orange',
      },
    ]);
  });

  test('who left before the sentence stays departed, and no longer remains', () => {
    const table = aTable({
      outcome: 'ejected',
      ejected: 'orange',
      standings: { ...living('red', 'blue'), orange: 'departed' },
    });
    const { changes, facts } = announceResult(table);
    expect(changes.standings?.orange).toBe('departed');
    expect(facts[0]).toMatchObject({ sentence: 'Orange was The Impostor. 0 Impostors remain.' });
  });
});
