import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countImpostors } from '../../../machines/rules/optionRows.ts';
import {
  drawRoles,
  meetingRefusals,
  type OpenSeat,
  rolesRefusal,
  type SeatedTable,
} from '../../../machines/setup/prepare.ts';
import { COLOURS, type Colour, type Role, type Standing } from '../../../machines/types.ts';
import { aButton, aReport, law, SEED, someOptions, someSeats, someWeights } from '../builders.ts';
import { chiSquare, critical } from '../chiSquare.ts';

type Wanted = Partial<Pick<SeatedTable, 'call' | 'options'>> & {
  readonly impostors?: readonly Colour[];
  readonly dead?: readonly Colour[];
};

function codes(
  colours: readonly Colour[],
  { impostors = [], dead = [], ...match }: Wanted = {},
): readonly string[] {
  const standing = (colour: Colour): Standing => (dead.includes(colour) ? 'dead' : 'living');
  return meetingRefusals({
    seats: colours.map((colour) => ({
      colour,
      role: impostors.includes(colour) ? 'impostor' : 'crewmate',
      standing: standing(colour),
    })),
    call: aButton(),
    options: someOptions(),
    ...match,
  }).map(({ code }) => code);
}

describe('ruling 41: a match has 4 to 15 seats', () => {
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
    expect(found.includes('match/seats')).toBe(!fine);
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
  expect(codes(['red', 'blue', 'green', 'red'])).toEqual(['match/duplicate-seat']);
  expect(codes(['red', 'blue', 'green', 'pink'])).toEqual([]);
});

describe('how many may be impostors', () => {
  test.each([
    [4, 1, null],
    [4, 2, 'match/impostors'],
    [4, 3, 'match/impostors'],
    [4, 4, 'match/all-impostors'],
    [6, 1, null],
    [6, 2, 'match/impostors'],
    [7, 2, null],
    [7, 3, 'match/impostors'],
    [8, 2, null],
    [8, 3, 'match/impostors'],
    [9, 3, null],
    [9, 4, 'match/impostors'],
    [15, 3, null],
    [15, 4, 'match/impostors'],
    [15, 15, 'match/all-impostors'],
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
    ['by somebody without a seat is not', { call: aButton({ by: 'coral' }) }, ['match/not-seated']],
    [
      'for a body without a seat is not',
      { call: aReport({ body: 'coral' }) },
      ['match/not-seated'],
    ],
    [
      'by and for nobody seated names both',
      { call: aReport({ by: 'tan', body: 'coral' }) },
      ['match/not-seated', 'match/not-seated'],
    ],
    ['for a dead player is fine', { call: aReport({ body: 'pink' }), dead: ['pink'] }, []],
    ['for a living one is not', { call: aReport({ body: 'pink' }) }, ['call/no-body']],
  ])('%s', (_, wanted, expected) => {
    expect(codes(FOUR, wanted)).toEqual(expected);
  });
});

describe('ruling 11: the weights are checked for the living', () => {
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

test('a refusal names the expected and the found value', () => {
  const refusals = meetingRefusals({ seats: [], call: aButton(), options: someOptions() });
  expect(refusals).toEqual([{ code: 'match/seats', text: 'expected 4 to 15 seats, found 0' }]);
});

/** c a crewmate, i an impostor, ? open. */
function seats(roles: string): readonly OpenSeat[] {
  const named: Readonly<Record<string, Role>> = { c: 'crewmate', i: 'impostor' };
  return [...roles].flatMap((letter, index) => {
    const colour = COLOURS[index];
    return colour === undefined ? [] : [{ colour, role: named[letter] }];
  });
}

test.each([
  ['????????', 2, 2],
  ['i???????', 2, 2],
  ['iii?????', 2, 3],
  ['ccccccc?', 2, 1],
  ['cccccccc', 2, 0],
  ['iccccccc', 2, 1],
])('among %s, with %i recommended, there are %i impostors', (roles, recommended, impostors) => {
  expect(countImpostors(seats(roles), recommended)).toBe(impostors);
});

describe('roles that are named', () => {
  test.each([
    ['????', 1, null],
    ['i???', 1, null],
    ['ii??', 1, 'expected 1 to be impostors, found 2 seats that are named as one'],
    ['cccc', 1, 'expected 1 to be impostors, found only 0 seats that are not named crewmate'],
    ['ccc?', 1, null],
    ['iiccccc', 2, null],
    ['icccccc', 2, 'expected 2 to be impostors, found only 1 seats that are not named crewmate'],
  ])('%s with %i: %s', (roles, impostors, text) => {
    expect(rolesRefusal(seats(roles), impostors)?.text ?? null).toBe(text);
  });

  test('are kept', () => {
    for (let seed = 0; seed < 50; seed++) {
      const roles = drawRoles(seats('ci?c??'), 2, { seed }).map(({ role }) => role);
      expect(roles.filter((role) => role === 'impostor')).toHaveLength(2);
      expect([roles[0], roles[1], roles[3]]).toEqual(['crewmate', 'impostor', 'crewmate']);
    }
  });
});

law(
  'the order in which seats are written down decides nothing',
  fc.property(someSeats(4, 15), fc.nat(), (colours, seed) => {
    const open = colours.map((colour) => ({ colour }));
    expect(drawRoles(open, 2, { seed })).toEqual(drawRoles(open.toReversed(), 2, { seed }));
    expect(drawRoles(open, 2, { seed }).map(({ colour }) => colour)).toEqual(
      COLOURS.filter((colour) => colours.includes(colour)),
    );
  }),
);

const GAMES = 28_000;

test(`every pair of eight is as often the pair of impostors: ${GAMES} games from seed ${SEED}`, () => {
  const pairs = new Map<string, number>();
  for (let game = 0; game < GAMES; game++) {
    const impostors = drawRoles(seats('????????'), 2, { seed: SEED * GAMES + game })
      .filter(({ role }) => role === 'impostor')
      .map(({ colour }) => colour)
      .join();
    pairs.set(impostors, (pairs.get(impostors) ?? 0) + 1);
  }
  expect(pairs.size).toBe((8 * 7) / 2);
  expect(chiSquare([...pairs.values()])).toBeLessThan(critical(0.01, 27));
});
