import { describe, expect, test } from 'vitest';
import { recordMeeting, startRecord } from '../../../machines/rules/record.ts';
import { COLOURS, PHASES } from '../../../machines/types.ts';
import {
  ALL_SKIP,
  aBid,
  aButton,
  aFault,
  aTable,
  FIVE,
  living,
  ORANGE_GOES,
  votesOf,
} from '../builders.ts';
import { talking, voting, Walk } from '../walk.ts';

describe('a whole meeting', () => {
  test('house: the six phases in order, every ballot turned, one ejected', () => {
    const walk = talking().tick().tick(votesOf(ORANGE_GOES)).rest();
    expect(walk.at).toBe('reaction');
    walk.react().consolidate();
    expect(walk.phases).toEqual(PHASES);
    expect(walk.told('ballot.revealed')).toHaveLength(5);
    expect(walk.state).toMatchObject({
      status: 'done',
      output: { outcome: 'ejected', ejected: 'orange' },
    });
    expect(walk.facts.at(-1)).toEqual({
      type: 'meeting.closed',
      outcome: 'ejected',
      ejected: 'orange',
    });
    expect(walk.asked.map(({ type }) => type)).toEqual(Array(4).fill('tick.opened'));
  });

  test('classic: three ticks of talk, then ballots, and the same six phases', () => {
    const walk = voting();
    expect(walk.at).toBe('voting.polling.bidding');
    walk.tick(votesOf(ALL_SKIP)).rest().react().consolidate();
    expect(walk.phases).toEqual(PHASES);
    expect(walk.state.output).toMatchObject({
      outcome: 'skipped',
      ejected: null,
      standings: walk.state.context.standings,
    });
  });

  test('who is alive, dead or gone at its end is handed to whoever holds it', () => {
    const walk = talking({ patience: 1 })
      .tick([...votesOf({ red: 'orange', blue: 'orange', green: 'orange' }), aFault('pink')])
      .leave('blue')
      .tick(votesOf({ orange: 'skip' }))
      .rest()
      .react()
      .consolidate();
    expect(walk.state.output).toMatchObject({
      outcome: 'ejected',
      ejected: 'orange',
      standings: { ...living('red', 'green'), blue: 'departed', pink: 'departed', orange: 'dead' },
    });
  });

  test('the facts of its end are in order: closed, counted, turned, told, kept, erased', () => {
    const walk = talking().tick(votesOf(ORANGE_GOES)).rest().react().consolidate();
    const types = walk.facts
      .map(({ type }) => type)
      .filter((type) => type !== 'phase.entered' && type !== 'vote.locked');
    expect(types).toEqual([
      'meeting.called',
      'tick.closed',
      'poll.closed',
      'poll.counted',
      ...FIVE.map(() => 'ballot.revealed'),
      'verdict.announced',
      'tick.closed',
      'tick.closed',
      ...Array(4).fill('scratchpads.consolidated'),
      'scratchpads.erased',
      'meeting.closed',
    ]);
  });

  test('ruling 27: a consolidation erases the pages even if everybody fails, with a line for each of the four left', () => {
    const walk = talking().tick(votesOf(ORANGE_GOES)).rest().react();
    walk.consolidate(FIVE.map((seat) => aFault(seat)));
    expect(walk.told('scratchpads.consolidated')).toHaveLength(4);
    expect(walk.told('scratchpads.erased')).toHaveLength(1);
    expect(walk.state.status).toBe('done');
  });
});

test('a call that breaks a rule ends the meeting before its first phase', () => {
  const walk = new Walk({ ...aTable(), call: aButton({ buttonsLeft: 0 }) });
  expect(walk.state).toMatchObject({
    status: 'done',
    output: { outcome: 'refused', ejected: null, held: { result: null } },
  });
  expect(walk.asked).toEqual([]);
  expect(walk.facts.map(({ type }) => type)).toEqual(['meeting.refused', 'meeting.closed']);
});

describe('ruling 39: voting is a resting state', () => {
  test('in house it is entered when the poll is complete and left by the count alone', () => {
    const walk = talking().tick(votesOf(ALL_SKIP));
    expect(walk.at).toBe('voting.counting');
    expect(walk.tick().at).toBe('voting.counting');
    expect(walk.send({ type: 'poll.counted' }).at).toBe('reveal.turning');
  });

  test('a vote in a classic discussion is noted and closes nothing', () => {
    const walk = talking({ rules: 'classic' }).tick(votesOf(ALL_SKIP));
    expect(walk.at).toBe('discussion.bidding');
    expect(walk.told('vote.refused')).toHaveLength(5);
    expect(walk.told('vote.locked')).toHaveLength(0);
  });
});

describe('ruling 1: nobody ever votes', () => {
  test('in house rules 500 ticks of it are legal', () => {
    const walk = talking();
    for (let tick = 0; tick < 500; tick++) walk.tick([aBid('red')]);
    expect(walk.at).toBe('discussion.bidding');
  });

  test('voteAfter opens timed voting after its number of ticks', () => {
    const walk = talking({ voteAfter: 2 });
    expect(walk.tick().at).toBe('discussion.bidding');
    expect(walk.tick().at).toBe('voting.polling.bidding');
  });

  test('maxTicks stops the meeting as unconverged: no count, no reveal, but the scratchpads are kept', () => {
    const walk = talking({ maxTicks: 2 }).tick(
      votesOf({ red: 'blue', green: 'blue', pink: 'blue' }),
    );
    expect(walk.at).toBe('discussion.bidding');
    expect(walk.tick().at).toBe('consolidation');
    expect(walk.state.context.outcome).toBe('unconverged');
    walk.consolidate();
    expect(walk.phases).toEqual(['interrupt', 'discussion', 'consolidation']);
    expect(walk.told('poll.counted')).toEqual([]);
    expect(walk.state.output).toMatchObject({ outcome: 'unconverged', ejected: null });
  });
});

describe('a stop', () => {
  test('by the operator lets the open tick close and ends there', () => {
    const walk = talking().stop('interrupted');
    expect(walk.at).toBe('discussion.bidding');
    walk.tick(votesOf(ALL_SKIP));
    expect(walk.state.output).toMatchObject({ outcome: 'interrupted', ejected: null });
    expect(walk.phases).toEqual(['interrupt', 'discussion']);
  });

  test('is not lost when the last player without a ballot leaves in that tick', () => {
    const voted = () =>
      talking().tick(votesOf({ red: 'skip', blue: 'skip', green: 'skip', pink: 'skip' }));
    const stopped = voted().stop('interrupted');
    expect(stopped.at).toBe('discussion.bidding');
    expect(stopped.leave('orange').state.output).toMatchObject({
      outcome: 'interrupted',
      ejected: null,
    });
    expect(voted().leave('orange').at).toBe('voting.counting');
  });

  test('by a budget goes through the consolidation', () => {
    const walk = talking().stop('unconverged').tick();
    expect(walk.at).toBe('consolidation');
    expect(walk.consolidate().state.output).toMatchObject({
      outcome: 'unconverged',
    });
  });

  test('in the reveal ends the meeting for the operator, and not for a budget', () => {
    const revealing = () => talking().tick(votesOf(ORANGE_GOES)).beat();
    expect(revealing().stop('interrupted').at).toBe('closed');
    expect(revealing().stop('unconverged').at).toBe('reveal.turning');
  });

  test('of the operator in the reaction ends after that tick', () => {
    const walk = talking().tick(votesOf(ORANGE_GOES)).rest().stop('interrupted');
    expect(walk.at).toBe('reaction');
    expect(walk.react().at).toBe('closed');
  });

  const heard = {
    outcome: 'ejected',
    ejected: 'orange',
    role: 'impostor',
    remaining: 0,
    sentence: 'Orange was The Impostor. 0 Impostors remain.',
  };

  test.each([
    ['while the sentence is read', 'reveal.announcing', (walk: Walk) => walk.stop('interrupted')],
    ['in the reaction', 'reaction', (walk: Walk) => walk.stop('interrupted').react()],
  ] as const)('%s takes no verdict back that everybody has heard', (_, at, end) => {
    const walk = talking().tick(votesOf(ORANGE_GOES));
    while (walk.at !== at) walk.beat();
    const { output } = end(walk).state;
    expect(output).toMatchObject({
      outcome: 'interrupted',
      ejected: 'orange',
      standings: { orange: 'dead' },
      held: { result: heard },
    });
    expect(output?.held.result?.ballots).toHaveLength(5);
    const left = output ?? expect.fail('it is not over');
    expect(recordMeeting(startRecord(1), left.standings, left.held).losses).toEqual([
      { who: 'orange', how: 'ejected', where: 'table', meeting: 1 },
    ]);
    expect(walk.facts.at(-1)).toEqual({
      type: 'meeting.closed',
      outcome: 'interrupted',
      ejected: 'orange',
    });
  });

  test('after the last ballot is turned and before the verdict leaves the ballots and no sentence', () => {
    const walk = talking().tick(votesOf(ORANGE_GOES));
    while (walk.told('ballot.revealed').length < 5) walk.beat();
    expect(walk.at).toBe('reveal.turning');
    const { output } = walk.stop('interrupted').state;
    expect(output).toMatchObject({
      outcome: 'interrupted',
      ejected: null,
      standings: { orange: 'living' },
      held: { result: { outcome: 'interrupted', ejected: null, sentence: null } },
    });
    expect(output?.held.result?.ballots).toHaveLength(5);
  });

  test('before the last ballot is turned leaves no result', () => {
    const walk = talking().tick(votesOf(ORANGE_GOES));
    while (walk.told('ballot.revealed').length < 4) walk.beat();
    expect(walk.stop('interrupted').state.output).toMatchObject({
      ejected: null,
      held: { result: null },
    });
  });
});

test.each(Array.from({ length: 16 }, (_, players) => players))(
  'ruling 41: the statechart holds a meeting of %i living',
  (players) => {
    const seats = COLOURS.slice(0, players);
    const table = aTable({ standings: { ...living(...seats), coral: 'dead' } });
    const walk = new Walk({ ...table, call: aButton({ by: 'red' }) }).rest();
    if (players === 0) {
      expect(walk.state.output).toMatchObject({ outcome: 'refused', ejected: null });
      return;
    }
    walk.tick(seats.map((seat) => aBid(seat, { vote: 'skip' }))).rest();
    walk.react().consolidate();
    expect(walk.told('ballot.revealed')).toHaveLength(players);
    expect(walk.state.output).toMatchObject({ outcome: 'skipped', ejected: null });
  },
);
