import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  announceResult,
  type Ballots,
  ballotAt,
  fixPoll,
  isEveryBallotTurned,
  type RevealedRoles,
  revealOrder,
  type Table,
  turnBallot,
  writeResult,
} from '../../../machines/rules/meeting.ts';
import { type Ballot, COLOURS, type Colour } from '../../../machines/types.ts';
import { aTable, FIVE, law, living } from '../builders.ts';

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
      { type: 'ballot.turned', index: 0, by: 'red', voter: null, ballot: 'pink', void: true },
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
        if (fact.type === 'ballot.turned') seen.push([fact.by, fact.ballot]);
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
  ): RevealedRoles => ({
    role,
    impostors,
    remaining,
  });

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

  test('is told with the ejected counted as dead', () => {
    const table = aTable({ outcome: 'ejected', ejected: 'orange', poll: POLL });
    const { changes, facts } = announceResult(table);
    expect(changes.standings?.orange).toBe('dead');
    expect(facts).toEqual([
      {
        type: 'verdict.told',
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
