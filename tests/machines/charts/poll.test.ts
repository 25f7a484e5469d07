import { describe, expect, test } from 'vitest';
import { ALL_SKIP, aBid, aFault, FIVE, ORANGE_GOES, votesOf } from '../builders.ts';
import { talking, voting } from '../walk.ts';

describe('when the poll closes', () => {
  test('ruling 4: at the end of the tick with the last ballot, not before', () => {
    const walk = talking().tick(
      votesOf({ red: 'skip', blue: 'skip', green: 'skip', pink: 'skip' }),
    );
    expect(walk.at).toBe('discussion.bidding');
    expect(walk.tick(votesOf({ orange: 'skip' })).at).toBe('voting.counting');
  });

  test('ruling 7: the message of the last voter is published before the poll closes', () => {
    const said = { tick: 0, speaker: 'red', target: null, message: 'bye' } as const;
    const verdict = {
      scores: [],
      floor: 'red',
      tieBreak: null,
      said,
      hits: [],
      nudge: null,
    } as const;
    const walk = talking().tick(votesOf(ALL_SKIP), { decision: verdict });
    const types = walk.facts.map(({ type }) => type);
    expect(walk.told('tick.closed')[0]).toMatchObject({ decision: { said } });
    expect(types.indexOf('tick.closed')).toBeLessThan(types.indexOf('poll.closed'));
  });

  test('ruling 8: it may close in the first tick, before anybody has spoken', () => {
    const walk = talking().tick(votesOf(ALL_SKIP)).rest();
    expect(walk.told('tick.closed')).toHaveLength(1);
    expect(walk.at).toBe('reaction');
  });

  test('ruling 21: at once when the leaver is the last without a ballot, and the open tick is abandoned', () => {
    const walk = talking().tick(votesOf({ ...ALL_SKIP, orange: undefined }));
    walk.leave('orange');
    expect(walk.at).toBe('voting.counting');
    expect(walk.asked.at(-1)).toEqual({ type: 'tick.abandoned' });
    expect(walk.told('poll.closed')[0]).toMatchObject({ reason: 'everyone-voted', missed: [] });
  });

  test('ruling 21: not when somebody else has not voted', () => {
    const walk = talking().tick(votesOf({ red: 'skip', blue: 'skip', green: 'skip' }));
    expect(walk.leave('orange').at).toBe('discussion.bidding');
  });

  test('ruling 4: a departure by faults in the tick is reckoned with at its end', () => {
    const walk = talking({ patience: 1 }).tick([
      ...votesOf({ ...ALL_SKIP, orange: undefined }),
      aFault('orange'),
    ]);
    expect(walk.at).toBe('voting.counting');
  });

  test('ruling 22: when the last player leaves it closes empty, and the meeting runs to its end', () => {
    const walk = talking();
    for (const seat of FIVE) walk.leave(seat);
    walk.rest().react().consolidate();
    expect(walk.state.output).toMatchObject({
      outcome: 'empty',
      ejected: null,
      standings: Object.fromEntries(FIVE.map((seat) => [seat, 'departed'])),
    });
  });

  test('classic voting closes after 24 ticks and names the players who missed it (ruling 3)', () => {
    const walk = voting();
    for (let tick = 0; tick < 23; tick++) walk.tick();
    expect(walk.at).toBe('voting.polling.bidding');
    expect(walk.tick().at).toBe('voting.counting');
    expect(walk.told('poll.closed')[0]).toMatchObject({ reason: 'time-up', missed: FIVE });
    expect(walk.rest().state.context).toMatchObject({ outcome: 'tie', ejected: null });
  });
});

describe('a departure', () => {
  test('ruling 20: in classic voting clears ballots for the leaver, and the poll waits for them again', () => {
    const walk = voting().tick(votesOf({ ...ALL_SKIP, red: 'orange', orange: undefined }));
    walk.leave('orange');
    expect(walk.at).toBe('voting.polling.bidding');
    expect(walk.told('vote.cleared')).toEqual([
      { type: 'vote.cleared', seat: 'red', leaver: 'orange' },
    ]);
    expect(walk.tick(votesOf({ red: 'blue' })).at).toBe('voting.counting');
  });

  test.each(['house', 'classic'] as const)(
    'ruling 20: in %s, one during the count changes no ballot and no result',
    (rules) => {
      const walk = rules === 'house' ? talking() : voting();
      walk.tick(votesOf(ORANGE_GOES)).leave('orange').rest();
      expect(walk.told('ballot.revealed')).toHaveLength(5);
      expect(walk.state.context).toMatchObject({
        outcome: 'ejected',
        ejected: 'orange',
        ballots: ORANGE_GOES,
      });
    },
  );

  test('ruling 19: in house a leaver’s ballot is revealed with the others', () => {
    const walk = talking()
      .tick(votesOf({ red: 'skip' }))
      .leave('red');
    walk.tick(votesOf({ ...ALL_SKIP, red: undefined })).rest();
    expect(
      walk.told('ballot.revealed').map((fact) => fact.type === 'ballot.revealed' && fact.by),
    ).toEqual(FIVE);
  });
});

describe('ruling 26: the reaction', () => {
  const walk = () => talking().tick(votesOf(ORANGE_GOES)).rest();

  test('asks the living; the ejected is a ghost by then', () => {
    expect(walk().asked.at(-1)).toMatchObject({
      type: 'tick.opened',
      seats: ['red', 'blue', 'green', 'pink'],
      table: { requestKind: 'reaction', announced: { ejected: 'orange', role: 'impostor' } },
    });
  });

  test('locks no vote and disconnects nobody', () => {
    const reacted = walk().react([aBid('red', { vote: 'blue' }), aFault('blue')]);
    expect(reacted.told('vote.locked')).toHaveLength(5);
    expect(reacted.told('seat.faulted')).toHaveLength(0);
    expect(reacted.at).toBe('consolidation');
  });
});
