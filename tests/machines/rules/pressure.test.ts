import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  closeFloorTick,
  EMPTY_FLOOR,
  type Floor,
  findNudgeReason,
} from '../../../machines/rules/floor.ts';
import type { MeetingOptions } from '../../../machines/rules/options.ts';
import { ballotsAskedAfter, dueAfter, isVotingOpen } from '../../../machines/rules/tick.ts';
import { type NudgeReason, RULE_SETS, SYSTEM } from '../../../machines/types.ts';
import { aBid, law, someOptions } from '../builders.ts';

const OPTIONS = someOptions();
/** 80 % of the default target of 25,000. */
const FULL = 20_000;

describe('ruling 34: System says "wrap it up"', () => {
  test.each<[string, { tick: number; tokens?: number; lastNudge?: number }, NudgeReason | null]>([
    ['not after 19 ticks', { tick: 18 }, null],
    ['but after 20', { tick: 19 }, 'ticks'],
    ['not again after 4 more', { tick: 23, lastNudge: 19 }, null],
    ['but after 5 more', { tick: 24, lastNudge: 19 }, 'ticks'],
    ['ruling 35: not one token below 80 % of the target', { tick: 3, tokens: FULL - 1 }, null],
    ['ruling 35: but at 80 %', { tick: 3, tokens: FULL }, 'tokens'],
    ['ruling 35: and above, though the talk is never cut', { tick: 3, tokens: 99_999 }, 'tokens'],
    [
      'ruling 35: again only at every 5th tick above',
      { tick: 7, tokens: FULL, lastNudge: 3 },
      null,
    ],
    ['ruling 35: and then again', { tick: 8, tokens: FULL, lastNudge: 3 }, 'tokens'],
    ['both reasons share one spacing', { tick: 20, tokens: FULL, lastNudge: 19 }, null],
    ['tokens are the reason given where both hold', { tick: 19, tokens: FULL }, 'tokens'],
  ])('%s', (_, { tick, tokens = 0, lastNudge = null }, reason) => {
    expect(findNudgeReason(OPTIONS, { tick, tokens, lastNudge })).toBe(reason);
  });

  function silentFor(
    ticks: number,
    options: MeetingOptions,
  ): { floor: Floor; nudges: readonly number[] } {
    let floor = EMPTY_FLOOR;
    const nudges: number[] = [];
    for (let tick = 0; tick < ticks; tick++) {
      const step = closeFloorTick(
        floor,
        { bids: [], dice: {}, seated: ['red'], voted: [] },
        options,
      );
      if (step.verdict.nudge !== null) nudges.push(tick);
      floor = step.floor;
    }
    return { floor, nudges };
  }

  test('ruling 10: silent ticks count too: of 40, those numbered 19, 24, 29, 34 and 39 end with a nudge', () => {
    expect(silentFor(40, OPTIONS).nudges).toEqual([19, 24, 29, 34, 39]);
  });

  test('its own lines are in the transcript and not in its budget, and reset nobody’s silence', () => {
    const { floor } = silentFor(40, OPTIONS);
    expect(floor.transcript).toHaveLength(5);
    expect(floor.transcript[0]).toEqual({
      tick: 19,
      speaker: SYSTEM,
      target: null,
      message: 'wrap it up',
    });
    expect(floor).toMatchObject({ tokens: 0, lastSpoke: {}, heard: [] });
  });

  test('the nudge line follows the message of its tick, with the same t', () => {
    const bids = [aBid('red', { message: 'hello' })];
    const { floor } = closeFloorTick(
      EMPTY_FLOOR,
      { bids, dice: {}, seated: ['red'], voted: [] },
      someOptions({ nudgeAfter: 1 }),
    );
    expect(floor.transcript).toEqual([
      { tick: 0, speaker: 'red', target: null, message: 'hello' },
      { tick: 0, speaker: SYSTEM, target: null, message: 'wrap it up' },
    ]);
  });
});

describe('steps that the clock of the meeting demands', () => {
  test.each([0, 1, 1000, 1_000_000])(
    'ruling 1: in house rules, nothing after %i ticks',
    (passed) => {
      expect(dueAfter(someOptions(), passed)).toBe('talk');
    },
  );

  /** 15 s of talk and 120 s of voting, at 5 s a tick: 3 ticks and 24 more. */
  test.each([
    [0, 'talk'],
    [2, 'talk'],
    [3, 'ballots'],
    [26, 'ballots'],
    [27, 'time-up'],
    [28, 'time-up'],
  ] as const)('in classic rules, after %i ticks: %s', (passed, asked) => {
    expect(dueAfter(someOptions({ rules: 'classic' }), passed)).toBe(asked);
  });

  test.each<[string, Partial<MeetingOptions>, number, string]>([
    ['a voting time of 0 is no limit', { rules: 'classic', votingTime: 0 }, 100_000, 'ballots'],
    [
      'a discussion time of 0 asks for ballots at once',
      { rules: 'classic', discussionTime: 0 },
      0,
      'ballots',
    ],
    [
      'half a tick counts as one: 15 s at 10 s are not over after 1',
      { rules: 'classic', secondsPerTick: 10 },
      1,
      'talk',
    ],
    ['but after 2', { rules: 'classic', secondsPerTick: 10 }, 2, 'ballots'],
    ['ruling 1: voteAfter 7 leaves house players 7 ticks', { voteAfter: 7 }, 6, 'talk'],
    ['ruling 1: and opens timed voting then', { voteAfter: 7 }, 7, 'ballots'],
    ['ruling 1: which ends 24 ticks later', { voteAfter: 7 }, 30, 'ballots'],
    ['ruling 1: and not before', { voteAfter: 7 }, 31, 'time-up'],
    ['ruling 1: voteAfter 0 asks at once', { voteAfter: 0 }, 0, 'ballots'],
    [
      'ruling 1: voteAfter goes before the discussion time',
      { rules: 'classic', voteAfter: 7 },
      3,
      'talk',
    ],
    ['ruling 1: maxTicks 9 is not reached after 8', { maxTicks: 9 }, 8, 'talk'],
    ['ruling 1: but after 9', { maxTicks: 9 }, 9, 'stop'],
    ['ruling 1: and goes before the ballots', { rules: 'classic', maxTicks: 3 }, 3, 'stop'],
  ])('%s', (_, options, passed, asked) => {
    expect(dueAfter(someOptions(options), passed)).toBe(asked);
  });

  test('ballots are asked for after their number of ticks', () => {
    expect(ballotsAskedAfter(someOptions())).toBeNull();
    expect(ballotsAskedAfter(someOptions({ rules: 'classic' }))).toBe(3);
    expect(ballotsAskedAfter(someOptions({ rules: 'classic', voteAfter: 5 }))).toBe(5);
  });

  test('ruling 39: a vote counts in house rules at any time, in classic ones only in voting', () => {
    const open = (rules: 'house' | 'classic', requestKind: 'discussion' | 'voting') =>
      isVotingOpen(someOptions({ rules }), requestKind);
    expect([open('house', 'discussion'), open('house', 'voting')]).toEqual([true, true]);
    expect([open('classic', 'discussion'), open('classic', 'voting')]).toEqual([false, true]);
  });
});

const ORDER = ['talk', 'ballots', 'time-up', 'stop'] as const;

law(
  'the clock never turns back: what is asked for only moves from talk to ballots to the end',
  fc.property(
    fc.record({
      rules: fc.constantFrom(...RULE_SETS),
      voteAfter: fc.option(fc.nat(40)),
      maxTicks: fc.option(fc.integer({ min: 1, max: 80 })),
      votingTime: fc.nat(20).map((steps) => steps * 15),
      secondsPerTick: fc.integer({ min: 1, max: 60 }),
    }),
    fc.nat(200),
    (options, passed) => {
      const [now, next] = [
        dueAfter(someOptions(options), passed),
        dueAfter(someOptions(options), passed + 1),
      ];
      expect(ORDER.indexOf(next)).toBeGreaterThanOrEqual(ORDER.indexOf(now));
    },
  ),
);
