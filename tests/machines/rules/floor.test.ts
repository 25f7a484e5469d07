import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  callSilent,
  capTokens,
  closeFloorTick,
  EMPTY_FLOOR,
  type Floor,
  FRAME_TOKENS,
  passTick,
  scoreBid,
  stanceOf,
  textTokens,
  transcriptLines,
} from '../../../machines/rules/floor.ts';
import type { MeetingOptions } from '../../../machines/rules/options.ts';
import { REMINDER } from '../../../machines/rules/weights.ts';
import { type Bid, type Colour, SYSTEM } from '../../../machines/types.ts';
import {
  aBid,
  aClaim,
  aFault,
  aVerdict,
  FIVE,
  law,
  someOptions,
  someWeights,
} from '../builders.ts';

type Line = readonly [Colour, string, Colour?];

/** Closes a tick of a table of five; everybody throws 3. */
function tick(floor: Floor, bids: readonly Bid[], options: Partial<MeetingOptions> = {}) {
  const dice = Object.fromEntries(FIVE.map((seat, index) => [seat, { face: 3, draw: index }]));
  return closeFloorTick(floor, { bids, dice, seated: FIVE, voted: [] }, someOptions(options));
}

/** The books after these messages, one a tick. Null is a tick without a speaker. */
function after(...lines: readonly (Line | null)[]): Floor {
  return lines.reduce((floor, line) => {
    if (line === null) return tick(floor, []).floor;
    const [seat, message, target = null] = line;
    return tick(floor, [aBid(seat, { message, target })]).floor;
  }, EMPTY_FLOOR);
}

describe('ruling 13: just spoke means in the previous tick only', () => {
  test.each<[string, Floor, boolean]>([
    ['who never spoke did not', after(['blue', 'hi']), false],
    ['who spoke in the previous tick did', after(['red', 'hi']), true],
    ['who spoke before that did not', after(['red', 'hi'], ['blue', 'ho']), false],
    ['nor where the tick between was silent', after(['red', 'hi'], null), false],
    ['who spoke in the first tick did not just speak in the first', EMPTY_FLOOR, false],
  ])('%s', (_, floor, justSpoke) => {
    expect(stanceOf(floor, 'red', false).justSpoke).toBe(justSpoke);
  });
});

describe('ruling 32: the last three messages count, until the player speaks', () => {
  const NAMED: Line = ['blue', 'Red is sus'];
  const OTHER: Line = ['green', 'I did tasks'];

  test.each<[string, Floor, boolean]>([
    ['named in the last message', after(NAMED), true],
    ['in the third last', after(NAMED, OTHER, ['pink', 'me too']), true],
    ['but not in the fourth last', after(NAMED, OTHER, ['pink', 'me too'], OTHER), false],
    ['silent ticks push no message out', after(NAMED, null, null, null, null), true],
    ['the boost ends when the player speaks', after(NAMED, ['red', 'no']), false],
    ['and begins anew when named after that', after(NAMED, ['red', 'no'], NAMED), true],
    ['ruling 30: one’s own words boost nobody', after(['red', 'Red is sus, says nobody']), false],
  ])('%s', (_, floor, named) => {
    expect(stanceOf(floor, 'red', false)).toMatchObject({ mentioned: named, accused: named });
  });

  test('ruling 31: the target field accuses without a mention', () => {
    expect(stanceOf(after(['blue', 'where?', 'red']), 'red', false)).toMatchObject({
      accused: true,
      mentioned: false,
    });
  });
});

describe('ruling 33: only published messages of living players name anybody', () => {
  test('a losing bid does not', () => {
    const { floor, verdict } = tick(EMPTY_FLOOR, [
      aBid('blue', { desire: 9, message: 'hi' }),
      aBid('green', { message: 'Red lied' }),
    ]);
    expect(verdict.floor).toBe('blue');
    expect(stanceOf(floor, 'red', false).mentioned).toBe(false);
  });

  test('System’s line does not, and takes no place among the last three', () => {
    const floor = [0, 1, 2, 3].reduce(
      (books) => tick(books, [], { nudgeAfter: 1, nudgeEvery: 1 }).floor,
      after(['blue', 'Red lied']),
    );
    expect(floor.transcript.filter(({ speaker }) => speaker === SYSTEM)).toHaveLength(4);
    expect(stanceOf(floor, 'red', false).mentioned).toBe(true);
  });
});

describe('ruling 9: a blank bid that wins is a visible silence', () => {
  const silent = after(...Array.from({ length: 11 }, () => null));

  test.each([
    ['at s(2) = 0 nothing is said', 2, false, null],
    ['from s(3) = 4 on the player is reminded', 3, false, REMINDER],
    ['s(7) = 20 does not exceed Δ = 21', 7, false, REMINDER],
    ['from s(8) = 24 on the player is called on', 8, true, REMINDER],
  ])('with a grace of 2: %s', (_, ticks, calledOn, reminder) => {
    const weights = someWeights({ silence: { slope: 4, grace: 2, cap: null } });
    const floor = after(...Array.from({ length: ticks }, () => null));
    expect(callSilent(floor, 'red', weights)).toEqual({ calledOn, reminder });
  });

  test('a boost equal to Δ = 21 does not call on a player yet', () => {
    const weights = someWeights({ silence: { slope: 7, grace: 0, cap: null } });
    expect(callSilent(after(null, null, null), 'red', weights).calledOn).toBe(false);
    const mute = scoreBid(aBid('red'), aClaim({ silentTicks: 3 }), { face: 1, draw: 0 }, weights);
    expect(mute).toMatchObject({ silence: 21, calledOn: false, eligible: false });
  });

  test('it is published as "", resets the counter, names nobody', () => {
    const { floor, verdict } = tick(silent, [aBid('red', { message: ' \n', target: 'blue' })]);
    expect(verdict.said).toEqual({ tick: 11, speaker: 'red', target: null, message: '' });
    expect(verdict.hits).toEqual([]);
    expect(stanceOf(floor, 'red', false)).toMatchObject({ silentTicks: 0, justSpoke: true });
    expect(stanceOf(floor, 'blue', false)).toMatchObject({ accused: false, mentioned: false });
  });

  test('a blank bid that is not called on leaves the counter alone', () => {
    const { floor, verdict } = tick(EMPTY_FLOOR, [aBid('red', { desire: 10 })]);
    expect(verdict).toMatchObject({ floor: null, said: null });
    expect(stanceOf(floor, 'red', false).silentTicks).toBe(1);
  });
});

test('ruling 12: the silence of a faulting player grows', () => {
  const floor = [0, 1, 2].reduce(
    (books) => tick(books, [aFault('red'), aBid('blue', { message: 'hi' })]).floor,
    EMPTY_FLOOR,
  );
  expect(stanceOf(floor, 'red', false).silentTicks).toBe(3);
  expect(stanceOf(floor, 'blue', false).silentTicks).toBe(0);
});

test('ruling 10: a tick of blanks and faults passes, and all counters grow', () => {
  const { floor, verdict } = tick(EMPTY_FLOOR, [aFault('red'), aBid('blue')]);
  expect(verdict).toMatchObject({ floor: null, tieBreak: null, said: null });
  expect(floor).toEqual({ ...EMPTY_FLOOR, tick: 1 });
  expect(FIVE.map((seat) => stanceOf(floor, seat, false).silentTicks)).toEqual([1, 1, 1, 1, 1]);
});

test('ruling 6: the penalty of a vote applies to players who had voted when the tick opened', () => {
  const bids = [
    aBid('red', { message: 'hi', vote: 'blue' }),
    aBid('blue', { message: 'ho', vote: 'red' }),
  ];
  const dice = { red: { face: 3, draw: 0 }, blue: { face: 3, draw: 1 } };
  const { verdict } = closeFloorTick(
    EMPTY_FLOOR,
    { bids, dice, seated: FIVE, voted: ['blue'] },
    someOptions(),
  );
  expect(verdict.scores.map(({ voted }) => voted)).toEqual([0, -1]);
  expect(verdict.floor).toBe('red');
});

describe('published messages', () => {
  const said = (
    message: string,
    options: Partial<MeetingOptions> = {},
    target: Colour | null = null,
  ) => tick(EMPTY_FLOOR, [aBid('red', { message, target })], options).verdict.said;

  test('white space around a message is cut', () => expect(said('  hi \n')?.message).toBe('hi'));
  test('a target goes with it', () => expect(said('hi', {}, 'blue')?.target).toBe('blue'));
  test('ruling 30: oneself is no target', () => expect(said('hi', {}, 'red')?.target).toBeNull());

  test.each([
    ['ruling 35: 8 tokens are 32 letters', 'a'.repeat(32), 32],
    ['ruling 35: the 33rd is cut', 'a'.repeat(33), 32],
    ['ruling 35: 10 wide letters are 30 quarters', 'é'.repeat(10), 10],
    ['ruling 35: the 11th is cut', 'é'.repeat(11), 10],
    ['ruling 35: a face of two code units is never split', '😀'.repeat(11), 20],
  ])('%s', (_, message, length) => {
    const published = said(message, { messageTokens: 8 })?.message;
    expect(published).toBe(message.slice(0, length));
    expect(published?.isWellFormed()).toBe(true);
  });

  test('ruling 35: the transcript is never cut, and its size is the sum of its messages and frames', () => {
    const floor = Array.from({ length: 400 }).reduce<Floor>(
      (books) => tick(books, [aBid('red', { message: 'a'.repeat(480) })]).floor,
      EMPTY_FLOOR,
    );
    expect(floor.tokens).toBe(400 * (120 + FRAME_TOKENS));
    expect(floor.transcript.filter(({ speaker }) => speaker === 'red')).toHaveLength(400);
  });

  test('the lines of a verdict are the message and System’s line after it', () => {
    const line = { tick: 3, speaker: 'red', target: null, message: 'hi' } as const;
    const nudge = { tick: 3, speaker: SYSTEM, target: null, message: 'wrap it up' };
    expect(transcriptLines(3, null)).toEqual([]);
    expect(transcriptLines(3, aVerdict())).toEqual([]);
    expect(transcriptLines(3, aVerdict({ said: line }))).toEqual([line]);
    expect(transcriptLines(3, aVerdict({ nudge: 'ticks' }))).toEqual([nudge]);
    expect(transcriptLines(3, aVerdict({ said: line, nudge: 'tokens' }))).toEqual([line, nudge]);
  });
});

test('a tick without a floor only counts on', () => {
  const floor = after(['red', 'hi']);
  expect(passTick(floor)).toEqual({ ...floor, tick: 2 });
});

const someScript = fc.array(
  fc.array(
    fc.record({
      seat: fc.constantFrom(...FIVE),
      message: fc.constantFrom('', 'hi', 'Red lied', 'é'.repeat(999)),
    }),
    { maxLength: 5 },
  ),
  { maxLength: 30 },
);

law(
  'the transcript is the lines of the verdicts in order, at most one message a tick, and tokens are their sum',
  fc.property(someScript, (script) => {
    let floor = EMPTY_FLOOR;
    const lines = [];
    for (const bids of script) {
      const at = floor.tick;
      const step = tick(
        floor,
        bids.map(({ seat, message }) => aBid(seat, { message })),
      );
      lines.push(...transcriptLines(at, step.verdict));
      floor = step.floor;
    }
    expect(floor.transcript).toEqual(lines);
    const spoken = lines.filter(({ speaker }) => speaker !== SYSTEM);
    expect(new Set(spoken.map(({ tick: t }) => t)).size).toBe(spoken.length);
    expect(floor.tokens).toBe(
      spoken.reduce((sum, { message }) => sum + FRAME_TOKENS + textTokens(message), 0),
    );
    expect(floor.heard.length).toBeLessThanOrEqual(3);
  }),
);

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  ['é', 1],
  ['éa', 1],
  ['éab', 2],
  ['中文中文', 3],
  ['😀', 1],
])('"%s" takes %i tokens', (text, tokens) => {
  expect(textTokens(text)).toBe(tokens);
});

test.each([
  ['abcdefgh', 2, 'abcdefgh'],
  ['abcdefghi', 2, 'abcdefgh'],
  ['ééé', 2, 'éé'],
  ['😀😀😀', 2, '😀😀'],
  ['a😀😀', 1, 'a😀'],
  ['ab😀', 1, 'ab'],
  ['abc', 0, ''],
])('"%s" capped at %i tokens is "%s"', (text, limit, capped) => {
  expect(capTokens(text, limit)).toBe(capped);
});

law(
  'ruling 35: a capped text is the longest beginning that fits, whole characters only',
  fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(20), (text, limit) => {
    const capped = capTokens(text, limit);
    expect(text.startsWith(capped)).toBe(true);
    expect(textTokens(capped)).toBeLessThanOrEqual(limit);
    expect(capped.isWellFormed()).toBe(true);
    const next = [...text][[...capped].length];
    if (next !== undefined) expect(textTokens(capped + next)).toBeGreaterThan(limit);
  }),
);
