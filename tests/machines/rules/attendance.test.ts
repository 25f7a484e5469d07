import { describe, expect, test } from 'vitest';
import {
  type Ballots,
  closeTick,
  countVotes,
  fixPoll,
  isLiving,
  isOutOfPatience,
  LATE,
  LEFT,
  leaveAfterPoll,
  leaveTable,
  nextStreak,
  removePlayer,
} from '../../../machines/rules/meeting.ts';
import type { Bid } from '../../../machines/types.ts';
import { aBid, aFault, aTable, aTick, FIVE, living } from '../builders.ts';

describe('ruling 2: faults in a row', () => {
  test.each([
    [undefined, true, 1],
    [0, true, 1],
    [4, true, 5],
    [4, false, 0],
    [undefined, false, 0],
  ])('after a streak of %s, a tick with a fault %s makes %i', (before, faulted, after) => {
    expect(nextStreak(before, faulted)).toBe(after);
  });

  test.each([
    [4, 5, false],
    [5, 5, true],
    [6, 5, true],
    [1, 1, true],
    [0, 1, false],
  ])('%i faults at a patience of %i: disconnected is %s', (streak, patience, out) => {
    expect(isOutOfPatience(streak, patience)).toBe(out);
  });

  /** Whether blue, who bids so from the first tick on, is still living at the end. */
  function standingAfter(bids: readonly Bid[], patience = 5) {
    let table = aTable({ options: { patience } });
    for (const [tick, bid] of bids.entries()) {
      table = { ...table, ...closeTick(table, aTick([bid], { tick })).changes };
    }
    return table.standings.blue;
  }
  const fault = aFault('blue');

  test.each<[string, readonly Bid[], string]>([
    ['four faults in a row are borne', Array(4).fill(fault), 'living'],
    ['the fifth disconnects', Array(5).fill(fault), 'departed'],
    [
      'a reply in between starts the count again',
      [...Array(4).fill(fault), aBid('blue'), ...Array(4).fill(fault)],
      'living',
    ],
    ['and five more disconnect after all', [aBid('blue'), ...Array(5).fill(fault)], 'departed'],
    ['a reply that says nothing is no fault', Array(20).fill(aBid('blue')), 'living'],
    ['who gets up leaves at once', [aFault('blue', LEFT)], 'departed'],
    ['who is late does not', [aFault('blue', LATE)], 'living'],
  ])('%s', (_, bids, standing) => {
    expect(standingAfter(bids)).toBe(standing);
  });

  test('the facts say how long the streak is and why the player is gone', () => {
    const table = aTable({ streaks: { blue: 4 } });
    const facts = closeTick(table, aTick([aFault('blue'), aFault('green', LEFT)])).facts;
    expect(facts.slice(1)).toEqual([
      { type: 'seat.faulted', seat: 'blue', code: 'mind/late', streak: 5 },
      { type: 'seat.departed', seat: 'blue', reason: 'faults', during: null },
      { type: 'seat.faulted', seat: 'green', code: LEFT, streak: 1 },
      { type: 'seat.departed', seat: 'green', reason: 'left', during: null },
    ]);
  });
});

describe('what a departure does to the ballots', () => {
  const ballots: Ballots = { red: 'orange', blue: 'orange', green: 'pink', orange: 'pink' };
  const presence = { standings: living(...FIVE), ballots };

  test('ruling 19: in house rules the ballot of the leaver stands', () => {
    expect(removePlayer(presence, 'orange', 'house').ballots).toEqual(ballots);
  });

  test('ruling 20: in house rules ballots for the leaver stay locked, and are void in the tally', () => {
    const after = removePlayer(presence, 'orange', 'house');
    expect(after.cleared).toEqual([]);
    const poll = fixPoll(after.ballots, after.standings);
    expect(poll.void).toEqual(['red', 'blue']);
    expect(countVotes(poll).counts).toEqual([{ candidate: 'pink', votes: 2 }]);
  });

  test('rulings 19 and 20: in classic rules both go, and those voters may vote again', () => {
    const after = removePlayer(presence, 'orange', 'classic');
    expect(after.ballots).toEqual({ green: 'pink' });
    expect(after.cleared).toEqual(['red', 'blue']);
    expect(after.standings.orange).toBe('departed');
  });

  test('ruling 20: who is cleared by a departure can lock again in the next tick', () => {
    const table = aTable({ ballots: { red: 'orange' }, options: { rules: 'classic' } });
    const gone = leaveTable(table, 'orange', 'pause');
    expect(gone.facts).toEqual([
      { type: 'seat.departed', seat: 'orange', reason: 'left', during: 'pause' },
      { type: 'vote.cleared', seat: 'red', leaver: 'orange' },
    ]);
    const again = closeTick(
      { ...table, ...gone.changes },
      aTick([aBid('red', { vote: 'pink' })], { occasion: 'voting' }),
    );
    expect(again.changes.ballots).toEqual({ red: 'pink' });
  });

  test('ruling 18: without a departure the same voter is locked', () => {
    const table = aTable({ ballots: { red: 'orange' }, options: { rules: 'classic' } });
    const again = closeTick(table, aTick([aBid('red', { vote: 'pink' })], { occasion: 'voting' }));
    expect(again.changes.ballots).toEqual({ red: 'orange' });
  });

  test.each(['house', 'classic'] as const)(
    'ruling 20: in %s, once the poll is closed a departure changes no ballot',
    (rules) => {
      const standings = living(...FIVE);
      const poll = fixPoll(ballots, standings);
      const table = aTable({ ballots, poll, options: { rules } });
      const { changes, facts } = leaveAfterPoll(table, 'orange', 'pause');
      expect({ ...table, ...changes }).toMatchObject({ ballots, poll });
      expect(changes.standings?.orange).toBe('departed');
      expect(facts).toEqual([
        { type: 'seat.departed', seat: 'orange', reason: 'left', during: 'pause' },
      ]);
    },
  );

  test('who is dead or gone already can’t leave', () => {
    const table = aTable({
      standings: { ...living('red', 'blue'), green: 'dead', pink: 'departed' },
    });
    const seats = ['red', 'green', 'pink', 'orange'] as const;
    expect(seats.map((seat) => isLiving(table, seat))).toEqual([true, false, false, false]);
  });
});
