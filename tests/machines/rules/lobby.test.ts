import { describe, expect, test } from 'vitest';
import { lobbyRefusals, type SeatedTable } from '../../../machines/rules/lobby.ts';
import { COLOURS, type Colour, type Standing } from '../../../machines/types.ts';
import { aButton, aReport, someOptions, someWeights } from '../builders.ts';

type Wanted = Partial<Pick<SeatedTable, 'call' | 'options'>> & {
  readonly impostors?: readonly Colour[];
  readonly dead?: readonly Colour[];
};

function codes(
  colours: readonly Colour[],
  { impostors = [], dead = [], ...lobby }: Wanted = {},
): readonly string[] {
  const standing = (colour: Colour): Standing => (dead.includes(colour) ? 'dead' : 'living');
  return lobbyRefusals({
    seats: colours.map((colour) => ({
      colour,
      role: impostors.includes(colour) ? 'impostor' : 'crewmate',
      standing: standing(colour),
    })),
    call: aButton(),
    options: someOptions(),
    ...lobby,
  }).map(({ code }) => code);
}

describe('ruling 41: a lobby has 4 to 15 seats', () => {
  test.each([
    [0, false],
    [1, false],
    [3, false],
    [4, true],
    [5, true],
    [14, true],
    [15, true],
    [16, false],
    [18, false],
  ])('%i seats are fine: %s', (seats, fine) => {
    const found = codes(COLOURS.slice(0, seats));
    expect(found.includes('scenario/seats')).toBe(!fine);
    if (fine) expect(found).toEqual([]);
  });

  test('some of them may be dead, down to one who lives', () => {
    expect(codes(COLOURS.slice(0, 5), { dead: ['blue', 'green', 'pink', 'orange'] })).toEqual([]);
  });

  test('but where nobody lives nobody can call', () => {
    expect(codes(COLOURS.slice(0, 4), { dead: COLOURS })).toEqual(['call/not-living']);
  });
});

test('every seat needs a colour of its own', () => {
  expect(codes(['red', 'blue', 'green', 'red'])).toEqual(['scenario/duplicate-seat']);
  expect(codes(['red', 'blue', 'green', 'pink'])).toEqual([]);
});

describe('how many may be impostors', () => {
  test.each([
    [4, 1, null],
    [4, 2, 'scenario/impostors'],
    [4, 3, 'scenario/impostors'],
    [4, 4, 'scenario/all-impostors'],
    [6, 1, null],
    [6, 2, 'scenario/impostors'],
    [7, 2, null],
    [7, 3, 'scenario/impostors'],
    [8, 2, null],
    [8, 3, 'scenario/impostors'],
    [9, 3, null],
    [9, 4, 'scenario/impostors'],
    [15, 3, null],
    [15, 4, 'scenario/impostors'],
    [15, 15, 'scenario/all-impostors'],
    [4, 0, null],
  ])('of %i seats, %i impostors: %s', (seats, impostors, code) => {
    expect(codes(COLOURS.slice(0, seats), { impostors: COLOURS.slice(0, impostors) })).toEqual(
      code === null ? [] : [code],
    );
  });
});

describe('the call', () => {
  const FOUR = COLOURS.slice(0, 4);

  test.each<[string, Wanted, readonly string[]]>([
    ['by somebody seated is fine', {}, []],
    [
      'by somebody without a seat is not',
      { call: aButton({ by: 'coral' }) },
      ['scenario/not-seated'],
    ],
    [
      'for a body without a seat is not',
      { call: aReport({ body: 'coral' }) },
      ['scenario/not-seated'],
    ],
    [
      'by and for nobody seated names both',
      { call: aReport({ by: 'tan', body: 'coral' }) },
      ['scenario/not-seated', 'scenario/not-seated'],
    ],
    ['for a dead player is fine', { call: aReport({ body: 'pink' }), dead: ['pink'] }, []],
    ['for a living one is not', { call: aReport({ body: 'pink' }) }, ['call/no-body']],
  ])('%s', (_, wanted, expected) => {
    expect(codes(FOUR, wanted)).toEqual(expected);
  });
});

describe('ruling 11: the weights are judged for those who live', () => {
  const capped = (cap: number) =>
    someOptions({ weights: someWeights({ silence: { slope: 8, grace: 0, cap } }) });
  const FIVE_SEATS = COLOURS.slice(0, 5);

  test.each([
    [45, [], ['weights/starve']],
    [46, [], []],
    [45, ['blue'], []],
    [37, ['blue'], ['weights/starve']],
  ] as const)('a cap of %i with %j dead among five: %j', (cap, dead, expected) => {
    expect(codes(FIVE_SEATS, { options: capped(cap), dead })).toEqual(expected);
  });

  test('a bad call and bad weights are both named', () => {
    expect(codes(FIVE_SEATS, { options: capped(45), call: aButton({ crisis: 'o2' }) })).toEqual([
      'call/crisis',
      'weights/starve',
    ]);
  });
});

test('a refusal says what was expected and what was found', () => {
  const refusals = lobbyRefusals({ seats: [], call: aButton(), options: someOptions() });
  expect(refusals[0]).toEqual({ code: 'scenario/seats', text: 'expected 4 to 15 seats, found 0' });
});
