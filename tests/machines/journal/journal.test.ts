import { describe, expect, test } from 'vitest';
import { encode, wireUtterance } from '../../../machines/journal/codec.ts';
import { type Channel, FORMAT, lineSchema } from '../../../machines/journal/lines.ts';
import type { Fact, FactType, GhostFact } from '../../../machines/rules/facts.ts';
import {
  aBid,
  aButton,
  aFault,
  aReply,
  aReport,
  aScenario,
  aScore,
  aTick,
  aVerdict,
} from '../builders.ts';

const NOTE = { code: 'vote/locked', text: 'locked' };
const SAID = { t: 3, speaker: 'red', target: 'blue', message: 'Blue lied' } as const;

const VERDICT = aVerdict({
  scores: [
    aScore('red', { total: 9, silence: 8, silentTicks: 2 }),
    aScore('blue', { total: 9, hasVoted: true, voted: -1 }),
  ],
  floor: 'red',
  tieBreak: 'draw',
  said: SAID,
  hits: [{ seat: 'blue', kind: 'mention', word: 'Blue', reason: 'named as a whole word' }],
  nudge: 'ticks',
});
const BIDS = [
  aBid('red', { desire: 5, notes: [NOTE] }),
  aFault('blue'),
  { ...aFault('pink'), received: { desire_to_speak: true } },
];
const DICE = { red: { face: 1, draw: 7 }, blue: { face: 2, draw: 4_294_967_295 } };

/** One of each kind: the type says which are still missing. */
const FACTS: { readonly [T in FactType]: readonly Extract<Fact, { type: T }>[] } = {
  'meeting.called': [
    { type: 'meeting.called', call: aButton() },
    { type: 'meeting.called', call: aReport() },
  ],
  'meeting.refused': [{ type: 'meeting.refused', note: NOTE }],
  'phase.entered': [{ type: 'phase.entered', phase: 'reveal' }],
  'tick.closed': [
    { type: 'tick.closed', ...aTick(BIDS, { tick: 3, dice: DICE, verdict: VERDICT }) },
    { type: 'tick.closed', ...aTick([], { occasion: 'reaction', verdict: null }) },
  ],
  'stop.asked': [{ type: 'stop.asked', outcome: 'interrupted', during: 'tick' }],
  'vote.locked': [{ type: 'vote.locked', seat: 'red', ballot: 'skip' }],
  'vote.refused': [{ type: 'vote.refused', seat: 'red', vote: 'blue', note: NOTE }],
  'vote.cleared': [{ type: 'vote.cleared', seat: 'red', leaver: 'blue' }],
  'seat.faulted': [{ type: 'seat.faulted', seat: 'red', code: 'mind/late', streak: 2 }],
  'seat.departed': [{ type: 'seat.departed', seat: 'red', reason: 'faults', during: null }],
  'pads.noted': [
    { type: 'pads.noted', seat: 'red', pads: { main: 'x' } },
    { type: 'pads.noted', seat: 'red', pads: { meeting: '' } },
  ],
  'poll.closed': [{ type: 'poll.closed', reason: 'time-up', missed: ['red'], void: ['blue'] }],
  'poll.counted': [
    {
      type: 'poll.counted',
      counts: [{ candidate: 'skip', votes: 2 }],
      outcome: 'skipped',
      ejected: null,
    },
  ],
  'ballot.turned': [
    { type: 'ballot.turned', index: 0, by: 'red', voter: null, ballot: 'skip', void: false },
  ],
  'verdict.told': [
    { type: 'verdict.told', sentence: 'Red was ejected.', outcome: 'ejected', ejected: 'red' },
  ],
  'pads.consolidated': [{ type: 'pads.consolidated', seat: 'red', main: null, line: 'x' }],
  'pads.erased': [{ type: 'pads.erased' }],
  'meeting.closed': [{ type: 'meeting.closed', outcome: 'tie', ejected: null }],
};

const GHOST_FACTS: readonly GhostFact[] = [
  { type: 'ghost.joined', seat: 'white' },
  {
    type: 'turn.closed',
    turn: 1,
    occasion: 'ghost',
    bids: BIDS,
    dice: DICE,
    said: { speaker: 'white', message: 'boo' },
  },
  { type: 'turn.closed', turn: 2, occasion: 'reaction', bids: [], dice: {}, said: null },
  { type: 'pads.consolidated', seat: 'white', main: 'x', line: null },
  { type: 'pads.erased' },
  { type: 'gallery.closed', turns: 2 },
];

/** A fact as a line of the journal, read back from its text. */
function line(fact: Fact | GhostFact, channel: Channel = 'living') {
  return lineSchema.parse(
    JSON.parse(JSON.stringify({ ...encode(fact), channel, seq: 0, hash: 'abc' })),
  );
}

test.each(Object.values(FACTS).flat())('the fact $type is a line of the living', (fact) => {
  expect(line(fact)).toMatchObject({ type: fact.type, channel: 'living', seq: 0 });
});

test.each(GHOST_FACTS)('ruling 36: the fact $type is a line of the ghosts', (fact) => {
  expect(line(fact, 'ghosts')).toMatchObject({ type: fact.type, channel: 'ghosts' });
});

test('ruling 36: what belongs to one channel can’t be written into the other', () => {
  expect(() => line({ type: 'ghost.joined', seat: 'white' }, 'living')).toThrow();
  expect(() => line({ type: 'vote.locked', seat: 'red', ballot: 'skip' }, 'ghosts')).toThrow();
});

test('the first line carries the scenario with everything that a replay needs', () => {
  const opened = {
    type: 'journal.opened',
    v: FORMAT,
    seed: 1,
    meeting: 0,
    scenario: aScenario(),
    channel: 'living',
    seq: 0,
    hash: '',
  };
  expect(lineSchema.parse(opened)).toEqual(opened);
  expect(lineSchema.safeParse({ ...opened, v: FORMAT + 1 }).success).toBe(false);
});

test.each(['seq', 'hash', 'channel', 'type'])('a line without its %s is refused', (field) => {
  const whole = { type: 'pads.erased', channel: 'living', seq: 0, hash: '' };
  expect(lineSchema.safeParse(whole).success).toBe(true);
  expect(
    lineSchema.safeParse(Object.fromEntries(Object.entries(whole).filter(([key]) => key !== field)))
      .success,
  ).toBe(false);
});

test('a line with a field that nobody knows is refused', () => {
  expect(
    lineSchema.safeParse({ type: 'pads.erased', channel: 'living', seq: 0, hash: '', extra: 1 })
      .success,
  ).toBe(false);
});

describe('a tick on the wire', () => {
  const [tick] = FACTS['tick.closed'].map((fact) => encode(fact));

  test('leaves out terms that are 0 and flags that are false', () => {
    expect(tick?.scores).toEqual([
      { seat: 'red', die: 1, eligible: true, silence: 8, silent_ticks: 2, total: 9 },
      { seat: 'blue', die: 1, eligible: true, has_voted: true, voted: -1, total: 9 },
    ]);
  });

  test('ruling 14: has the draws where a draw decided, and only there', () => {
    expect(tick?.draws).toEqual({ red: 7, blue: 4_294_967_295 });
    const undrawn = encode({
      type: 'tick.closed',
      ...aTick([], { dice: DICE, verdict: { ...VERDICT, tieBreak: 'unvoted' } }),
    });
    expect(undrawn).not.toHaveProperty('draws');
  });

  test('ruling 29: keeps every hit with its word and its reason', () => {
    expect(tick?.hits).toEqual(VERDICT.hits);
  });

  test('keeps what a mind sent beside what was read from it, only where they differ', () => {
    const plain = {
      desire_to_speak: 5,
      internal_thought: '',
      message: 'hi',
      scratchpad_updates: {},
      target: null,
      vote_action: null,
    };
    const bid = { ...aBid('red', { desire: 5, message: 'hi' }), received: plain };
    expect(encode({ type: 'tick.closed', ...aTick([bid]) })).toMatchObject({
      bids: [{ seat: 'red', received: plain }],
    });
    const mended = {
      ...bid,
      received: { ...plain, desire_to_speak: '5' },
      reply: aReply({ desire: 5, message: 'hi', notes: [NOTE] }),
    };
    expect(encode({ type: 'tick.closed', ...aTick([mended]) })).toMatchObject({
      bids: [{ seat: 'red', received: { desire_to_speak: '5' }, reading: plain, notes: [NOTE] }],
    });
  });

  test('ruling 2: keeps a fault with its code, and what arrived if anything did', () => {
    expect(tick?.bids).toMatchObject([
      {},
      { seat: 'blue', fault: 'mind/late', text: 'no answer' },
      { seat: 'pink', fault: 'mind/late', received: { desire_to_speak: true } },
    ]);
  });
});

test('a line of the transcript is in the format of the design: a target only when somebody is addressed', () => {
  expect(wireUtterance(SAID)).toEqual({
    speaker: 'red',
    target: 'blue',
    message: 'Blue lied',
    t: 3,
  });
  expect(wireUtterance({ ...SAID, target: null })).toEqual({
    speaker: 'red',
    message: 'Blue lied',
    t: 3,
  });
});
