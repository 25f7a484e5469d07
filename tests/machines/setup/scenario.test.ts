import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultOptions, type MeetingOptions, RANGES } from '../../../machines/rules/options.ts';
import {
  optionsOf,
  optionsSchema,
  scenarioSchema,
  wireOptions,
} from '../../../machines/setup/match.ts';
import { RULE_SETS } from '../../../machines/types.ts';
import { aScenario, FIVE, law, seatsFor } from '../builders.ts';

const PLAIN = { name: 'a test', call: { by: 'red' }, seats: seatsFor(FIVE) };

function refused(change: object): string | null {
  const result = scenarioSchema.safeParse({ ...PLAIN, ...change });
  return result.success ? null : (result.error.issues[0]?.path.join('.') ?? '');
}

describe('the schema refuses what it does not know', () => {
  test.each<[string, object, string | null]>([
    ['the plain scenario is fine', {}, null],
    ['a mistyped key', { optoins: {} }, ''],
    ['a mistyped option', { options: { anonymous_vote: true } }, 'options'],
    ['an option in the spelling of the code', { options: { votingTime: 15 } }, 'options'],
    ['a mistyped weight', { options: { weights: { mentoin: 1 } } }, 'options.weights'],
    [
      'a mistyped key of silence',
      { options: { weights: { silence: { slop: 1 } } } },
      'options.weights.silence',
    ],
    ['a mistyped key of the call', { call: { by: 'red', boddy: 'blue' } }, 'call'],
    ['a mistyped key of a seat', { seats: [{ color: 'red' }] }, 'seats.0.colour'],
    ['ruling 17: an unknown colour', { seats: [{ colour: 'mauve' }] }, 'seats.0.colour'],
    [
      'ruling 34: System, whose name no seat may bear',
      { seats: [{ colour: 'system' }] },
      'seats.0.colour',
    ],
    ['a colour in capitals', { seats: [{ colour: 'Red' }] }, 'seats.0.colour'],
    ['an unknown role', { seats: [{ colour: 'red', role: 'jester' }] }, 'seats.0.role'],
    ['an unknown rule set', { options: { rules: 'modern' } }, 'options.rules'],
    ['an unknown room', { call: { by: 'red', place: 'Office' } }, 'call.place'],
    ['a crisis that is none: doors', { call: { by: 'red', crisis: 'doors' } }, 'call.crisis'],
    ['no call', { call: undefined }, 'call'],
    ['no name', { name: '' }, 'name'],
    ['a share of faults above all', { fault_rate: 1.1 }, 'fault_rate'],
    ['all of them is fine', { fault_rate: 1 }, null],
  ])('%s', (_, change, path) => {
    expect(refused(change)).toBe(path);
  });

  const wire = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

  test.each(Object.entries(RANGES).map(([name, range]) => ({ name: wire(name), ...range })))(
    '$name goes from $least to $most in steps of $step',
    ({ name, least, most, step }) => {
      const isFine = (value: number) => optionsSchema.safeParse({ [name]: value }).success;
      expect([least, least + step, most].map(isFine)).toEqual([true, true, true]);
      expect([least - step, least + step / 2, most + step].map(isFine)).toEqual([
        false,
        false,
        false,
      ]);
    },
  );
});

describe('defaults are filled in when a scenario is resolved', () => {
  test('a scenario that says nothing has the default options of its table', () => {
    expect(optionsOf(aScenario(), 5)).toEqual(defaultOptions(5));
    expect(optionsOf(aScenario(), 9)).toEqual(defaultOptions(9));
  });

  test('one weight alone can be set', () => {
    const scenario = aScenario({ options: { weights: { mention: 7, silence: { grace: 2 } } } });
    const { weights } = defaultOptions(5);
    const silence = { ...weights.silence, grace: 2 };
    expect(optionsOf(scenario, 5).weights).toEqual({ ...weights, mention: 7, silence });
  });

  test('a weight of 0, a false and a null are said, not missing', () => {
    const options = {
      confirm_ejects: false,
      max_ticks: null,
      voting_time: 0,
      weights: { voted: 0 },
    };
    expect(optionsOf(aScenario({ options }), 5)).toMatchObject({
      confirmEjects: false,
      maxTicks: null,
      votingTime: 0,
      weights: { voted: 0 },
    });
  });

  test('seats and call have theirs', () => {
    const scenario = aScenario({ seats: [{ colour: 'red' }] });
    expect(scenario.seats[0]).toEqual({
      colour: 'red',
      role: 'crewmate',
      dead: false,
      mind: 'scripted',
      votes: 'freely',
      saw: [],
      notes: '',
    });
    expect(scenario.call).toEqual({ by: 'red', buttons_left: 1, cooldown: 0, crisis: null });
    expect(scenario).toMatchObject({ about: '', fault_rate: 0, options: {} });
  });
});

const inRange = ({ least, most, step }: { least: number; most: number; step: number }) =>
  fc.integer({ min: 0, max: (most - least) / step }).map((steps) => least + steps * step);
const weight = fc.nat(100);

const someSettings: fc.Arbitrary<MeetingOptions> = fc.record({
  rules: fc.constantFrom(...RULE_SETS),
  confirmEjects: fc.boolean(),
  anonymousVotes: fc.boolean(),
  discussionTime: inRange(RANGES.discussionTime),
  votingTime: inRange(RANGES.votingTime),
  secondsPerTick: inRange(RANGES.secondsPerTick),
  voteAfter: fc.option(inRange(RANGES.voteAfter)),
  maxTicks: fc.option(inRange(RANGES.maxTicks)),
  patience: inRange(RANGES.patience),
  nudgeAfter: inRange(RANGES.nudgeAfter),
  nudgeEvery: inRange(RANGES.nudgeEvery),
  tokenTarget: inRange(RANGES.tokenTarget),
  messageTokens: inRange(RANGES.messageTokens),
  deadlineMs: inRange(RANGES.deadlineMs),
  beatMs: fc.constant(0),
  weights: fc.record({
    mention: weight,
    accusation: weight,
    recentSpeaker: weight,
    voted: weight,
    silence: fc.record({ slope: weight, grace: weight, cap: fc.option(fc.nat(1000)) }),
  }),
});

law(
  'what is written of the options is read back as the same options, whatever the defaults are',
  fc.property(someSettings, fc.integer({ min: 0, max: 15 }), (options, living) => {
    const written = optionsSchema.parse(JSON.parse(JSON.stringify(wireOptions(options))));
    expect(optionsOf(aScenario({ options: written }), living)).toEqual(options);
  }),
);

test('the pace is not written: a beat of 500 ms is no part of the play', () => {
  const options = { ...defaultOptions(5), beatMs: 500 };
  expect(optionsOf(aScenario({ options: wireOptions(options) }), 5)).toEqual({
    ...options,
    beatMs: 0,
  });
});
