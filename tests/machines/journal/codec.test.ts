import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical } from '../../../machines/journal/canonical.ts';
import { decode, encode, encodeUtterance } from '../../../machines/journal/codec.ts';
import { type Channel, lineSchema } from '../../../machines/journal/lines.ts';
import type { Fact, GhostFact } from '../../../machines/rules/facts.ts';
import type { GameFact } from '../../../machines/rules/ship/game.ts';
import { FORMAT } from '../../../machines/versions.ts';
import { readOrder } from '../../../prompts/order.ts';
import { readReply } from '../../../prompts/reply.ts';
import { aLobby, playGame } from '../../actors/laws/journeys.ts';
import { meet } from '../../actors/laws/meetings.ts';
import {
  aBid,
  aFault,
  aMeetingMatch,
  aReply,
  aReport,
  aScore,
  aTick,
  aVerdict,
  law,
} from '../builders.ts';
import { colour, FACTS_OF, note, round, text, tick, turn } from './arbitraryFacts.ts';

const NOTE = { code: 'vote/locked', text: 'locked' };
const SAID = { tick: 3, speaker: 'red', target: 'blue', message: 'Blue lied' } as const;

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

/** A fact as a line of the journal, read back from its text. */
function line(fact: Fact | GhostFact, channel: Channel = 'living') {
  return lineSchema.parse(
    JSON.parse(JSON.stringify({ ...encode(fact), channel, seq: 0, hash: 'abc' })),
  );
}

/** The fact as it is read from its line. */
function again(fact: Fact | GhostFact | GameFact, channel: Channel) {
  const row = canonical({ ...encode(fact), channel, seq: 0, hash: 'abc' });
  const button = { buttonsLeft: 1, cooldown: 5, crisis: 'reactor' };
  return decode(lineSchema.parse(JSON.parse(row)), { readReply, readOrder }, button);
}

/** Lines whose bids or orders are read anew, which changes wild ones. */
const READ_ANEW = ['tick.closed', 'turn.closed', 'round.closed'];

describe('a fact of any values is one canonical text, and a line of a journal', () => {
  for (const [type, facts] of Object.entries(FACTS_OF)) {
    law(
      `of the type ${type}`,
      fc.property(facts, (fact) => {
        const text = canonical({ ...encode(fact), channel: channelOf(fact), seq: 0, hash: '' });
        const read = lineSchema.parse(JSON.parse(text));
        const body = Object.fromEntries(Object.entries(read).filter(([name]) => name !== 'scores'));
        expect(JSON.parse(text)).toMatchObject(body);
        if (READ_ANEW.includes(type)) return;
        const same = again(fact, channelOf(fact));
        expect(canonical(same === null ? null : encode(same))).toBe(canonical(encode(fact)));
      }),
      100,
    );
  }

  test('there are facts of every type of line that is neither a header nor a belief', () => {
    const lines = lineSchema.options.flatMap(({ options }) =>
      options.map(({ shape }) => shape.type.value),
    );
    const others = ['match.opened', 'gallery.opened', 'beliefs.opened', 'belief.stated'];
    const types = new Set(lines.filter((type) => !others.includes(type)));
    expect(Object.keys(FACTS_OF).toSorted()).toEqual([...types].toSorted());
  });
});

function channelOf({ type }: { readonly type: string }): Channel {
  return ['turn.closed', 'ghost.joined', 'gallery.closed'].includes(type) ? 'ghosts' : 'living';
}

test('ruling 36: what belongs to one channel can’t be written into the other', () => {
  expect(() => line({ type: 'ghost.joined', seat: 'white' }, 'living')).toThrow();
  expect(() => line({ type: 'vote.locked', seat: 'red', ballot: 'skip' }, 'ghosts')).toThrow();
});

test('the first line carries the match with everything that a replay needs', () => {
  const opened = {
    type: 'match.opened',
    format: FORMAT,
    rulesVersion: 2,
    seed: 1,
    match: aMeetingMatch(),
    channel: 'living',
    seq: 0,
    hash: '',
  };
  expect(lineSchema.parse(opened)).toEqual(opened);
  expect(lineSchema.safeParse({ ...opened, v: FORMAT + 1 }).success).toBe(false);
});

test.each(['seq', 'hash', 'channel', 'type'])('a line without its %s is refused', (field) => {
  const whole = { type: 'scratchpads.erased', channel: 'living', seq: 0, hash: '' };
  expect(lineSchema.safeParse(whole).success).toBe(true);
  const others = Object.entries(whole).filter(([key]) => key !== field);
  expect(lineSchema.safeParse(Object.fromEntries(others)).success).toBe(false);
});

test('a line with a field that nobody knows is refused', () => {
  const line = { type: 'scratchpads.erased', channel: 'living', seq: 0, hash: '', extra: 1 };
  expect(lineSchema.safeParse(line).success).toBe(false);
});

describe('a tick as a line', () => {
  const tick = encode({
    type: 'tick.closed',
    ...aTick(BIDS, { tick: 3, dice: DICE, decision: VERDICT }),
  });

  test('leaves out terms that are 0 and flags that are false', () => {
    expect(tick.scores).toEqual([
      { seat: 'red', die: 1, eligible: true, silence: 8, silentTicks: 2, total: 9 },
      { seat: 'blue', die: 1, eligible: true, hasVoted: true, voted: -1, total: 9 },
    ]);
  });

  test('ruling 14: has the draws where a draw decided, and only there', () => {
    expect(tick.draws).toEqual({ red: 7, blue: 4_294_967_295 });
    const undrawn = encode({
      type: 'tick.closed',
      ...aTick([], { dice: DICE, decision: { ...VERDICT, tieBreak: 'unvoted' } }),
    });
    expect(undrawn).not.toHaveProperty('draws');
  });

  test('ruling 29: keeps every hit with its word and its reason', () => {
    expect(tick.hits).toEqual(VERDICT.hits);
  });

  test('a line keeps the raw reply beside the parsed one only if they differ', () => {
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
      bids: [{ seat: 'red', received: { desire_to_speak: '5' }, parsed: plain, notes: [NOTE] }],
    });
  });

  test('ruling 2: keeps a fault with its code, and what arrived if anything did', () => {
    expect(tick.bids).toMatchObject([
      {},
      { seat: 'blue', fault: 'mind/late', text: 'no answer' },
      { seat: 'pink', fault: 'mind/late', received: { desire_to_speak: true } },
    ]);
  });
});

test('a line of the transcript is in the format of the design: a target only when somebody is addressed', () => {
  expect(encodeUtterance(SAID)).toEqual({
    speaker: 'red',
    target: 'blue',
    message: 'Blue lied',
    tick: 3,
  });
  expect(encodeUtterance({ ...SAID, target: null })).toEqual({
    speaker: 'red',
    message: 'Blue lied',
    tick: 3,
  });
});

describe('a fact that was written and read again', () => {
  const facts: readonly (readonly [string, fc.Arbitrary<Fact | GhostFact | GameFact>, Channel])[] =
    [
      ['a tick', tick, 'living'],
      ['a round', round, 'living'],
      ['a turn of the ghosts', turn, 'ghosts'],
    ];
  for (const [what, some, channel] of facts) {
    law(
      `is the same fact for ${what}`,
      fc.property(some, (fact) => {
        expect(again(fact, channel)).toEqual(fact);
      }),
    );
  }
  law(
    'is the same fact for a note',
    fc.property(colour, note, text, (seat, said, main) => {
      const facts: readonly Fact[] = [
        { type: 'vote.refused', seat, vote: 'skip', note: said },
        { type: 'scratchpads.updated', seat, pads: { main } },
        { type: 'meeting.refused', note: said },
      ];
      for (const fact of facts) expect(again(fact, 'living')).toEqual(fact);
    }),
  );

  test('of a call has the button as the caller of it knows it', () => {
    const call = { ...aReport(), buttonsLeft: 1, cooldown: 5, crisis: 'reactor' };
    const fact: Fact = { type: 'meeting.called', call };
    expect(again(fact, 'living')).toEqual(fact);
  });
});

test('every line of recorded journals is written in the same way once it was read', async () => {
  const { written: meeting } = await meet(aMeetingMatch(), 7);
  const { written: game } = await playGame(
    aLobby(8, { max_ticks: 6, vote_after: 2 }, { fault_rate: 0.2 }),
    4,
  );
  for (const { line: recorded, body, text: row } of [...meeting, ...game]) {
    // Spectators of a running match get the same line as a reader of its journal.
    expect(recorded).toEqual(lineSchema.parse(JSON.parse(row)));
    const { channel, seq } = recorded;
    const fact = decode(recorded, { readReply, readOrder });
    if (fact !== null) expect(canonical({ ...encode(fact), channel, seq })).toBe(body);
  }
});
