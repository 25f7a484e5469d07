import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GAME_OPTIONS,
  MEETING_OPTIONS,
  type OptionRow,
} from '../../../machines/rules/optionRows.ts';
import {
  complete,
  defaultGameOptions,
  defaultOptions,
  omitDefaults,
  readGameOptions,
  readMeetingOptions,
} from '../../../machines/rules/options.ts';
import {
  encodeGameOptions,
  encodeMeetingOptions,
  meetingOptionsSchema,
  optionsSchema,
} from '../../../machines/setup/options.ts';
import { law } from '../builders.ts';

const ROWS: readonly OptionRow[] = [...GAME_OPTIONS, ...MEETING_OPTIONS];
const NUMBERS = ROWS.flatMap((row) => (row.type === 'number' ? [row] : []));

test('no two options have the same name, in code or in files', () => {
  expect(new Set(ROWS.map(({ key }) => key)).size).toBe(ROWS.length);
  expect(new Set(ROWS.map(({ yaml }) => yaml)).size).toBe(ROWS.length);
});

test.each(ROWS.map(({ key, yaml }) => [key, yaml]))('%s is called %s in files', (key, yaml) => {
  expect(yaml).toBe(key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
});

test.each(NUMBERS.map((row) => [row.yaml, row.range, row.default === null] as const))(
  '%s is read in its range and on its step, and refused beside it',
  (name, { least, most, step }, orNull) => {
    const isFine = (value: number | null) => optionsSchema.safeParse({ [name]: value }).success;
    expect([least, least + step, most].map(isFine)).toEqual([true, true, true]);
    const outside = [least - step, least + step / 2, most + step];
    expect(outside.map(isFine)).toEqual([false, false, false]);
    expect(isFine(null)).toBe(orNull);
  },
);

test('a meeting has no option of the ship', () => {
  for (const { yaml } of GAME_OPTIONS) expect(meetingOptionsSchema.shape).not.toHaveProperty(yaml);
});

describe('defaults are filled in when options are decoded', () => {
  test('a file that says nothing has the default options of its table', () => {
    expect(decodeMeetingOptions({}, 5)).toEqual(defaultOptions(5));
    expect(decodeMeetingOptions({}, 9)).toEqual(defaultOptions(9));
    expect(decodeGameOptions({}, 9)).toEqual(defaultGameOptions(9));
    expect(decodeGameOptions({ rules: 'classic' }, 9)).toEqual(defaultGameOptions(9, 'classic'));
  });

  test('one weight alone can be set, and the slope follows it: Δ = 15 + 7 + 3 + 1 = 26', () => {
    const { weights } = defaultOptions(5);
    const silence = { ...weights.silence, slope: 5, grace: 2 };
    const written = { weights: { mention: 7, silence: { grace: 2 } } };
    expect(decodeMeetingOptions(written, 5).weights).toEqual({ ...weights, mention: 7, silence });
  });

  test('a weight of 0, a false and a null are said, not missing', () => {
    const written = {
      confirm_ejects: false,
      max_ticks: null,
      voting_time: 0,
      weights: { voted: 0 },
    };
    expect(decodeMeetingOptions(written, 5)).toMatchObject({
      confirmEjects: false,
      maxTicks: null,
      votingTime: 0,
      weights: { voted: 0 },
    });
  });
});

test.each([
  [4, { slope: 4, grace: 5 }, { slope: 4, grace: 5 }],
  [4, { grace: 0 }, { grace: 0 }],
  [3, { slope: 4, grace: 0 }, { slope: 4 }],
])('by rules %i a header keeps of the written %j the part %j', (rules, silence, kept) => {
  expect(omitDefaults({ weights: { silence } }, rules)).toEqual({ weights: { silence: kept } });
});

test.each([
  [4, { slope: 6, grace: 5, cap: null }],
  [3, { slope: 4, grace: 0, cap: null }],
])(
  'by rules %i a meeting of five with mention 9 and accusation 8 has the boost %j',
  (rules, silence) => {
    const options = { weights: { mention: 9, accusation: 8 } };
    expect(readMeetingOptions({ options, seats: listSeats(5) }, rules).weights.silence).toEqual(
      silence,
    );
  },
);

type Written = Parameters<typeof readGameOptions>[0]['options'];

/** The options of the meetings of a match whose players are crewmates. */
function decodeMeetingOptions(options: Written, players: number) {
  return readMeetingOptions({ options, seats: listSeats(players) });
}

function decodeGameOptions(options: Written, players: number) {
  return readGameOptions({ options, seats: listSeats(players) });
}

function listSeats(players: number) {
  return Array.from({ length: players }, () => ({}));
}

/** Any values of some rows, the pace at rest. */
function someOptions(rows: readonly OptionRow[]): fc.Arbitrary<object> {
  return fc.record(Object.fromEntries(rows.map((row) => [row.key, someValue(row)])));
}

function someValue(row: OptionRow): fc.Arbitrary<unknown> {
  switch (row.type) {
    case 'number': {
      const { least, most, step } = row.range;
      const steps = fc.integer({ min: 0, max: (most - least) / step });
      const value = row.isPace ? fc.constant(least) : steps.map((many) => least + many * step);
      return row.default === null ? fc.option(value) : value;
    }
    case 'switch':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...row.choices);
    case 'group':
      return someOptions(row.rows);
  }
}

const someMeeting = someOptions(MEETING_OPTIONS).map((values) => complete(MEETING_OPTIONS, values));
const someGame = someOptions(GAME_OPTIONS).map((values) => complete(GAME_OPTIONS, values));

law(
  'what is written of the options is read back as the same options, whatever the defaults are',
  fc.property(someGame, someMeeting, fc.integer({ min: 4, max: 15 }), (game, meeting, players) => {
    const copy = (value: object): unknown => JSON.parse(JSON.stringify(value));
    const ofMeeting = meetingOptionsSchema.parse(copy(encodeMeetingOptions(meeting)));
    expect(decodeMeetingOptions(ofMeeting, players)).toEqual(meeting);
    const ofGame = optionsSchema.parse(copy(encodeGameOptions(game, meeting)));
    expect(decodeGameOptions(ofGame, players)).toEqual(game);
    expect(decodeMeetingOptions(ofGame, players)).toEqual(meeting);
  }),
);

test('the pace is not written: a beat of 500 ms is no part of the play', () => {
  const options = { ...defaultOptions(5), beatMs: 500 };
  expect(decodeMeetingOptions(encodeMeetingOptions(options), 5)).toEqual({ ...options, beatMs: 0 });
});

test.each<[string, unknown]>([
  ['a missing one', {}],
  ['a word for a number', { ...defaultOptions(5), patience: 'much' }],
  ['a choice that is none', { ...defaultOptions(5), rules: 'chess' }],
  ['a hole in the weights', { ...defaultOptions(5), weights: { mention: 1 } }],
])('options with %s are no options', (_, values) => {
  expect(() => complete(MEETING_OPTIONS, values)).toThrow('expected a value for each');
});
