import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClosedTick } from '../../../machines/rules/facts.ts';
import * as rules from '../../../machines/rules/meeting.ts';
import { type Ballots, LATE, LEFT, removePlayer, takeBid } from '../../../machines/rules/tick.ts';
import {
  type Ballot,
  type Bid,
  type BySeat,
  type Call,
  COLOURS,
  type Colour,
  type Standing,
} from '../../../machines/types.ts';
import {
  ALL_SKIP,
  aBid,
  aButton,
  aFault,
  aQuietTick,
  aReport,
  aTable,
  aTick,
  aVerdict,
  FIVE,
  law,
  living,
  QUIET_WORLD,
  votesOf,
} from '../builders.ts';

function types(step: rules.MeetingStep): readonly string[] {
  return step.facts.map(({ type }) => type);
}

function locked(bids: readonly Bid[], table = aTable(), tick: Partial<ClosedTick> = {}) {
  return rules.closeTick(table, aTick(bids, tick)).changes.ballots;
}

describe('a tick of talk', () => {
  test('tells the tick, then ballots, then faults and departures, then notes', () => {
    const bids = [
      aBid('red', { vote: 'blue', pads: { meeting: 'x' } }),
      aFault('blue', LEFT),
      aBid('green', { vote: 'coral' }),
    ];
    expect(types(rules.closeTick(aTable(), aTick(bids)))).toEqual([
      ...['tick.closed', 'vote.locked', 'vote.refused', 'seat.faulted', 'seat.departed'],
      'scratchpads.updated',
    ]);
  });

  test('ruling 3: a fault is no vote, no skip and no abstention', () => {
    const table = aTable();
    const step = rules.closeTick(table, aTick(FIVE.map((seat) => aFault(seat))));
    expect(step.changes.ballots).toEqual({});
    expect(rules.isPollComplete({ ...table, ...step.changes })).toBe(false);
  });

  test('ruling 6: a vote is locked whether or not its message won', () => {
    const bids = [aBid('red', { vote: 'blue', message: 'hi' }), aBid('green', { vote: 'blue' })];
    expect(locked(bids, aTable(), { decision: aVerdict({ floor: 'red' }) })).toEqual({
      red: 'blue',
      green: 'blue',
    });
  });

  test('two players who vote for each other in one tick are both locked', () => {
    expect(locked(votesOf({ red: 'blue', blue: 'red' }))).toEqual({ red: 'blue', blue: 'red' });
  });

  test('a vote for somebody who leaves in the same tick is locked first (rulings 4 and 20)', () => {
    const bids = [aBid('red', { vote: 'blue' }), aFault('blue', LEFT)];
    expect(locked(bids)).toEqual({ red: 'blue' });
    const classic = aTable({ options: { rules: 'classic' } });
    expect(locked(bids, classic, { requestKind: 'voting' })).toEqual({});
  });

  test.each<[string, Ballot, Ballots, string]>([
    ['ruling 15: for the dead', 'white', {}, 'vote/not-living'],
    ['ruling 17: for a colour that is not seated', 'coral', {}, 'vote/not-living'],
    ['ruling 18: after a locked one', 'blue', { red: 'skip' }, 'vote/locked'],
  ])('a vote %s is refused, told, and locks nothing', (_, vote, ballots, code) => {
    const table = aTable({ standings: { ...living(...FIVE), white: 'dead' }, ballots });
    const step = rules.closeTick(table, aTick([aBid('red', { vote })]));
    expect(step.changes.ballots).toEqual(ballots);
    const fact = { type: 'vote.refused', seat: 'red', vote, note: { code } };
    expect(step.facts[1]).toMatchObject(fact);
  });

  test('ruling 15: who voted for the dead can vote again in the next tick', () => {
    const table = aTable({ standings: { ...living(...FIVE), white: 'dead' } });
    const step = rules.closeTick(table, aTick([aBid('red', { vote: 'white' })]));
    const again = locked(votesOf({ red: 'blue' }), { ...table, ...step.changes });
    expect(again).toEqual({ red: 'blue' });
  });

  test('ruling 39: in a classic discussion a vote is treated as none and noted; in voting it is locked', () => {
    const classic = aTable({ options: { rules: 'classic' } });
    const step = rules.closeTick(classic, aTick(votesOf({ red: 'blue' })));
    expect(step.changes.ballots).toEqual({});
    expect(step.facts[1]).toMatchObject({ type: 'vote.refused', note: { code: 'vote/closed' } });
    const voted = locked(votesOf({ red: 'blue' }), classic, { requestKind: 'voting' });
    expect(voted).toEqual({ red: 'blue' });
  });

  test.each<Standing>(['dead', 'departed'])('the bid of the %s does nothing', (standing) => {
    const table = aTable({ standings: { ...living(...FIVE), white: standing } });
    const bids = [aBid('white', { vote: 'red', pads: { main: 'x' } }), aFault('white')];
    const step = rules.closeTick(table, aTick(bids));
    expect(types(step)).toEqual(['tick.closed']);
    expect(step.changes).toMatchObject({ ballots: {}, streaks: {}, standings: table.standings });
  });

  test('who left while the tick was open has not spoken', () => {
    const said = { tick: 0, speaker: 'white', target: null, message: 'bye' } as const;
    const hits = [{ seat: 'red', kind: 'mention', word: 'red', reason: 'named' }] as const;
    const verdict = aVerdict({ floor: 'white', tieBreak: 'draw', said, hits, nudge: 'ticks' });
    const standings = { ...living(...FIVE), white: 'departed' } as const;
    const [fact] = rules.closeTick(aTable({ standings }), aTick([], { decision: verdict })).facts;
    expect(fact).toMatchObject({
      decision: { floor: null, tieBreak: null, said: null, hits: [], nudge: 'ticks' },
    });
    const whole = aTable({ standings: living(...FIVE, 'white') });
    const [stayed] = rules.closeTick(whole, aTick([], { decision: verdict })).facts;
    expect(stayed).toMatchObject({ decision: verdict });
  });

  test('moves the clock of the meeting by one tick', () => {
    const table = aTable({ options: { maxTicks: 8 } });
    expect(rules.closeTick(table, aTick([], { tick: 6 })).changes.due).toBe('talk');
    expect(rules.closeTick(table, aTick([], { tick: 7 })).changes.due).toBe('stop');
  });
});

describe('the count', () => {
  const counted = (ballots: Ballots, standings = living(...FIVE)) => {
    const table = aTable({ ballots, standings });
    const closing = rules.closePoll(table);
    return { closing, count: rules.countPoll({ ...table, ...closing.changes }) };
  };

  test.each<[string, Ballots, string, readonly Colour[]]>([
    ['everyone voted', ALL_SKIP, 'everyone-voted', []],
    ['time is up', { red: 'skip', pink: 'red' }, 'time-up', ['blue', 'green', 'orange']],
  ])('ruling 3: says that %s, and who missed', (_, ballots, reason, missed) => {
    expect(counted(ballots).closing.facts).toEqual([
      { type: 'poll.closed', reason, missed, void: [] },
    ]);
  });

  test('without a poll nothing is counted', () => {
    expect(rules.countPoll(aTable())).toEqual({ changes: {}, facts: [] });
    expect(rules.turnBallot(aTable())).toEqual({ changes: {}, facts: [] });
    expect(rules.isEveryBallotTurned(aTable())).toBe(true);
  });
});

describe('after the reveal', () => {
  const bids = [
    aBid('red', { message: 'I knew', vote: 'blue', pads: { main: 'Orange lied', meeting: 'old' } }),
    aFault('blue'),
    aBid('green', { pads: { meeting: 'only this' } }),
  ];
  const standings = { ...living('red', 'blue', 'green', 'pink'), orange: 'dead' } as const;
  const table = aTable({
    standings,
    ballots: { red: 'orange' },
    outcome: 'ejected',
    ejected: 'orange',
  });

  test('ruling 26: a reaction notes scratchpads, and no vote, no fault and no word', () => {
    const step = rules.noteReactions(table, aQuietTick('reaction', bids));
    expect(step.changes).toEqual({});
    expect(types(step)).toEqual(['tick.closed', 'scratchpads.updated', 'scratchpads.updated']);
  });

  test('ruling 27: each living player keeps their own text, or the engine’s line', () => {
    const step = rules.consolidate(table, aQuietTick('consolidation', bids));
    const mechanical = 'Meeting: I did not vote; orange was ejected.';
    expect(step.facts.slice(1)).toEqual([
      { type: 'scratchpads.consolidated', seat: 'red', main: 'Orange lied', line: null },
      { type: 'scratchpads.consolidated', seat: 'blue', main: null, line: mechanical },
      { type: 'scratchpads.consolidated', seat: 'green', main: null, line: mechanical },
      { type: 'scratchpads.consolidated', seat: 'pink', main: null, line: mechanical },
    ]);
  });
});

describe('the end without a count', () => {
  test('ruling 1: a limit of the operator ends the meeting unconverged, and no vote is invented', () => {
    const table = aTable({ ballots: { red: 'blue', green: 'blue', pink: 'blue' } });
    expect(rules.stopUnconverged(table)).toEqual({
      changes: { outcome: 'unconverged', ejected: null },
      facts: [],
    });
  });

  test("a budget does not override the operator's stop", () => {
    const stopped = aTable({ outcome: 'interrupted' });
    const { changes, facts } = rules.requestStop(stopped, 'unconverged', 'tick');
    expect(changes.outcome).toBe('interrupted');
    expect(facts).toEqual([{ type: 'stop.requested', outcome: 'unconverged', during: 'tick' }]);
    expect(
      rules.requestStop(aTable({ outcome: 'unconverged' }), 'interrupted', 'tick').changes.outcome,
    ).toBe('interrupted');
  });

  test.each(['unconverged', 'interrupted'] as const)('a stop as %s is announced', (outcome) => {
    expect(rules.requestStop(aTable(), outcome, 'pause')).toEqual({
      changes: { outcome, ejected: null },
      facts: [{ type: 'stop.requested', outcome, during: 'pause' }],
    });
  });

  test('the last fact is the outcome', () => {
    expect(rules.closeMeeting(aTable({ outcome: 'ejected', ejected: 'red' })).facts).toEqual([
      { type: 'meeting.closed', outcome: 'ejected', ejected: 'red' },
    ]);
    expect(rules.closeMeeting(aTable()).facts[0]).toMatchObject({ outcome: 'unconverged' });
  });

  test('an illegal call is refused, and a legal one is announced', () => {
    const bad = aTable({ circumstances: { meetingRunning: true, gameOver: false } });
    expect(rules.isCallLegal(bad)).toBe(false);
    expect(rules.refuseCall(bad).facts[0]).toMatchObject({
      type: 'meeting.refused',
      note: { code: 'call/meeting-running' },
    });
    expect(rules.isCallLegal(aTable())).toBe(true);
    expect(rules.announceCall(aTable()).facts).toEqual([
      { type: 'meeting.called', call: aTable().call },
    ]);
    expect(rules.refuseCall(aTable()).facts).toEqual([]);
  });
});

const someVotes = fc.array(fc.option(fc.constantFrom<Ballot>(...FIVE, 'skip', 'coral')), {
  minLength: 5,
  maxLength: 5,
});

law(
  'ruling 18: a locked ballot never changes while nobody leaves, whatever is voted later',
  fc.property(fc.array(someVotes, { maxLength: 8 }), (ticks) => {
    let table = aTable();
    for (const votes of ticks) {
      const bids = FIVE.map((seat, index) => aBid(seat, { vote: votes[index] ?? null }));
      const next = { ...table, ...rules.closeTick(table, aTick(bids)).changes };
      expect(next.ballots).toMatchObject(table.ballots);
      table = next;
    }
  }),
);

/** A tick with votes, faults, departures and passes, some by players with earlier faults and ballots. */
const someTick = fc.record({
  rules: fc.constantFrom<'house' | 'classic'>('house', 'classic'),
  deeds: fc.array(fc.constantFrom(...FIVE, 'skip', 'pass', 'fail', 'leave', 'write'), {
    minLength: 5,
    maxLength: 5,
  }),
  locked: fc.subarray([...FIVE]),
  failed: fc.subarray([...FIVE]),
  order: fc.shuffledSubarray([...FIVE], { minLength: 5 }),
});

type SomeTick = typeof someTick extends fc.Arbitrary<infer Tick> ? Tick : never;

function layTick({ rules: set, deeds, locked, failed }: SomeTick) {
  const table = aTable({
    options: { rules: set, patience: 2 },
    ballots: Object.fromEntries(locked.map((seat) => [seat, 'skip'])),
    streaks: Object.fromEntries(failed.map((seat) => [seat, 1])),
  });
  const bids = FIVE.map((seat, index): Bid => {
    const deed = deeds[index] ?? 'pass';
    if (deed === 'fail') return aFault(seat);
    if (deed === 'leave') return aFault(seat, LEFT);
    if (deed === 'write') return aBid(seat, { pads: { main: `of ${seat}` } });
    return aBid(seat, { vote: deed === 'pass' ? null : deed });
  });
  return { table, bids };
}

law(
  'a bid looks at the ballot and the streak of no other seat',
  fc.property(someTick, (tick) => {
    const { table, bids } = layTick(tick);
    for (const bid of bids) {
      const own = <T extends object>(entries: T): T =>
        new Proxy(entries, {
          get: (target, seat) => {
            if (seat !== bid.seat) throw new Error(`${bid.seat} looks at ${String(seat)}`);
            return Reflect.get(target, seat);
          },
          ownKeys: () => {
            throw new Error(`${bid.seat} looks at all seats`);
          },
        });
      const alone = { ...table, ballots: own(table.ballots), streaks: own(table.streaks) };
      expect(takeBid(alone, 'voting', bid)).toEqual(takeBid(table, 'voting', bid));
    }
  }),
);

law(
  'the table after a tick is the same in whatever order its bids are taken',
  fc.property(someTick, (tick) => {
    const { table, bids } = layTick(tick);
    const after = (some: readonly Bid[]) =>
      rules.closeTick(table, aTick(some, { requestKind: 'voting' })).changes;
    const shuffled = tick.order.flatMap((seat) => bids.filter((bid) => bid.seat === seat));
    expect(after(shuffled)).toEqual(after(bids));
  }),
);

law(
  'ruling 40: a tick has no favourite: with the seats renamed the same happens to the same people',
  fc.property(
    someVotes,
    fc.subarray([...FIVE]),
    fc.shuffledSubarray([...COLOURS], { minLength: 18 }),
    (votes, faulty, names) => {
      const rename = (seat: Colour): Colour => names[COLOURS.indexOf(seat)] ?? seat;
      const ballotsUnder = (name: (seat: Colour) => Colour) => {
        const bids = FIVE.map((seat, index) => {
          const vote = votes[index] ?? null;
          if (faulty.includes(seat)) return aFault(name(seat), LEFT);
          return aBid(name(seat), { vote: vote === null || vote === 'skip' ? vote : name(vote) });
        });
        const table = aTable({
          standings: living(...FIVE.map(name)),
          options: { rules: 'classic' },
        });
        return rules.closeTick(table, aTick(bids, { requestKind: 'voting' })).changes.ballots ?? {};
      };
      const plain = ballotsUnder((seat) => seat);
      const expected = Object.fromEntries(
        FIVE.flatMap((seat) => {
          const ballot = plain[seat];
          return ballot === undefined
            ? []
            : [[rename(seat), ballot === 'skip' ? ballot : rename(ballot)]];
        }),
      );
      expect(ballotsUnder(rename)).toEqual(expected);
    },
  ),
);

const TABLE: BySeat<Standing> = { red: 'living', blue: 'living', white: 'dead', pink: 'departed' };

function code(call: Call, circumstances: rules.Circumstances = rules.QUIET): string | null {
  return rules.callRefusal(call, TABLE, circumstances)?.code ?? null;
}

describe.each([
  { kind: 'a report', call: aReport },
  { kind: 'the button', call: aButton },
])('$kind', ({ call }) => {
  test('is good for a living player', () => expect(code(call())).toBeNull());

  test.each([
    ['the dead', 'white'],
    ['who left', 'pink'],
    ['who has no seat', 'coral'],
  ] as const)('is refused to %s', (_, by) => expect(code(call({ by }))).toBe('call/not-living'));

  test('is refused while a meeting runs', () => {
    expect(code(call(), { meetingRunning: true, gameOver: false })).toBe('call/meeting-running');
  });

  test('is refused when the game is over, whatever else is wrong', () => {
    expect(code(call({ by: 'white' }), { meetingRunning: true, gameOver: true })).toBe(
      'call/game-over',
    );
  });
});

describe('a report names a dead player', () => {
  test.each([
    ['the dead', 'white', null],
    ['the living', 'blue', 'call/no-body'],
    ['the reporter', 'red', 'call/no-body'],
    ['who died and has left since', 'pink', null],
    ['who has no seat', 'coral', 'call/no-body'],
    ['nobody', null, 'call/no-body'],
  ] as const)('%s', (_, body, refusal) => expect(code(aReport({ body }))).toBe(refusal));

  test('and needs no button, no patience and no quiet', () => {
    expect(code(aReport({ buttonsLeft: 0, cooldown: 30, crisis: 'reactor' }))).toBeNull();
  });
});

describe('the button', () => {
  test.each<[string, Partial<Call>, string | null]>([
    ['works with one meeting left', { buttonsLeft: 1 }, null],
    ['does not with none', { buttonsLeft: 0 }, 'call/no-button'],
    ['works when the cooldown is over', { cooldown: 0 }, null],
    ['does not a moment before', { cooldown: 0.1 }, 'call/cooldown'],
    ['does not in a crisis', { crisis: 'lights' }, 'call/crisis'],
    [
      'names what is missing first',
      { buttonsLeft: 0, cooldown: 5, crisis: 'o2' },
      'call/no-button',
    ],
    ['then how long to wait', { cooldown: 5, crisis: 'o2' }, 'call/cooldown'],
  ])('%s', (_, call, refusal) => expect(code(aButton(call))).toBe(refusal));

  test('says why in words', () => {
    const text = (call: Call) => rules.callRefusal(call, TABLE, rules.QUIET)?.text;
    expect(text(aButton({ cooldown: 12 }))).toContain('12 s');
    expect(text(aButton({ crisis: 'comms' }))).toContain('(comms)');
    expect(text(aReport({ body: 'blue' }))).toContain('found blue');
    expect(text(aReport({ body: null }))).toContain('found nobody');
  });
});

describe('ruling 2: faults in a row', () => {
  test('a game keeps all who were lost through faults, a meeting on its own keeps none', () => {
    for (const world of [QUIET_WORLD, null]) {
      let table = aTable({ world, options: { patience: 1 } });
      for (const bid of [aFault('red'), aFault('green', LEFT), aBid('pink'), aFault('blue')])
        table = { ...table, ...rules.closeTick(table, aTick([bid])).changes };
      expect(table.faulted).toEqual(world === null ? [] : ['red', 'blue']);
    }
  });

  function standingAfter(bids: readonly Bid[], patience = 5) {
    let table = aTable({ options: { patience } });
    for (const [tick, bid] of bids.entries()) {
      table = { ...table, ...rules.closeTick(table, aTick([bid], { tick })).changes };
    }
    return table.standings.blue;
  }
  const fault = aFault('blue');

  test.each<[string, readonly Bid[], string, number?]>([
    ['four faults in a row are borne', Array(4).fill(fault), 'living'],
    ['the fifth disconnects', Array(5).fill(fault), 'departed'],
    [
      'a reply in between starts the count again',
      [...Array(4).fill(fault), aBid('blue'), ...Array(4).fill(fault)],
      'living',
    ],
    ['and five more disconnect after all', [aBid('blue'), ...Array(5).fill(fault)], 'departed'],
    ['a reply that says nothing is no fault', Array(20).fill(aBid('blue')), 'living'],
    ['at a patience of 1 the first disconnects', [fault], 'departed', 1],
    ['at a patience of 1 a reply does not', [aBid('blue')], 'living', 1],
    ['who gets up leaves at once', [aFault('blue', LEFT)], 'departed'],
    ['who is late does not', [aFault('blue', LATE)], 'living'],
  ])('%s', (_, bids, standing, patience) => {
    expect(standingAfter(bids, patience)).toBe(standing);
  });

  test('the facts say how long the streak is and why the player is gone', () => {
    const table = aTable({ streaks: { blue: 4 } });
    const facts = rules.closeTick(table, aTick([aFault('blue'), aFault('green', LEFT)])).facts;
    expect(facts.slice(1)).toEqual([
      { type: 'seat.faulted', seat: 'blue', code: 'mind/late', streak: 5 },
      { type: 'seat.departed', seat: 'blue', reason: 'faults', during: null },
      { type: 'seat.faulted', seat: 'green', code: LEFT, streak: 1 },
      { type: 'seat.departed', seat: 'green', reason: 'left', during: null },
    ]);
  });
});

describe('ballots after a departure', () => {
  const ballots: Ballots = { red: 'orange', blue: 'orange', green: 'pink', orange: 'pink' };
  const presence = { standings: living(...FIVE), ballots };

  test("ruling 19: in house rules the leaver's ballot remains", () => {
    expect(removePlayer(presence, 'orange', 'house').ballots).toEqual(ballots);
  });

  test('ruling 20: in house rules ballots for the leaver stay locked, and are void in the tally', () => {
    const after = removePlayer(presence, 'orange', 'house');
    expect(after.cleared).toEqual([]);
    const poll = rules.fixPoll(after.ballots, after.standings);
    expect(poll.void).toEqual(['red', 'blue']);
    expect(rules.countVotes(poll).counts).toEqual([{ candidate: 'pink', votes: 2 }]);
  });

  test('rulings 19 and 20: in classic rules both go, and those voters may vote again', () => {
    const after = removePlayer(presence, 'orange', 'classic');
    expect(after.ballots).toEqual({ green: 'pink' });
    expect(after.cleared).toEqual(['red', 'blue']);
    expect(after.standings.orange).toBe('departed');
  });

  test('ruling 20: who is cleared by a departure can lock again in the next tick', () => {
    const table = aTable({ ballots: { red: 'orange' }, options: { rules: 'classic' } });
    const gone = rules.leaveTable(table, 'orange', 'pause');
    expect(gone.facts).toEqual([
      { type: 'seat.departed', seat: 'orange', reason: 'left', during: 'pause' },
      { type: 'vote.cleared', seat: 'red', leaver: 'orange' },
    ]);
    const again = rules.closeTick(
      { ...table, ...gone.changes },
      aTick([aBid('red', { vote: 'pink' })], { requestKind: 'voting' }),
    );
    expect(again.changes.ballots).toEqual({ red: 'pink' });
  });

  test.each(['house', 'classic'] as const)(
    'ruling 20: in %s, once the poll is closed a departure changes no ballot',
    (set) => {
      const standings = living(...FIVE);
      const poll = rules.fixPoll(ballots, standings);
      const table = aTable({ ballots, poll, options: { rules: set } });
      const { changes, facts } = rules.leaveAfterPoll(table, 'orange', 'pause');
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
    expect(seats.map((seat) => rules.isLiving(table, seat))).toEqual([true, false, false, false]);
  });
});
