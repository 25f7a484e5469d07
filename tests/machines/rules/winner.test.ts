import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capTokens,
  closeFloorTick,
  EMPTY_FLOOR,
  type Floor,
  grantFloor,
  pickGhostUtterance,
  stanceOf,
  textTokens,
} from '../../../machines/rules/floor.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Die,
  type TieBreak,
} from '../../../machines/types.ts';
import { aBid, aScore, FIVE, law, someOptions } from '../builders.ts';

describe('only who may win does', () => {
  test('a bid that may not win never wins by an equal total, whatever else is on its side', () => {
    const mute = aScore('red', { total: 9, silentTicks: 5, eligible: false });
    const talker = aScore('blue', { total: 9, hasVoted: true });
    const draws = (seat: string) => Number(seat === 'red');
    expect(grantFloor([mute, talker], draws)).toEqual({ floor: 'blue', tieBreak: null });
    expect(grantFloor([talker, mute], draws)).toEqual({ floor: 'blue', tieBreak: null });
  });

  law(
    'the winner may win, no other that may has a higher total, and a tie-break needs an equal',
    fc.property(
      fc.array(fc.record({ total: fc.nat(3), silentTicks: fc.nat(2), eligible: fc.boolean() }), {
        maxLength: 8,
      }),
      (claims) => {
        const scores = claims.map((claim, index) => aScore(COLOURS[index] ?? 'red', claim));
        const able = scores.filter(({ eligible }) => eligible);
        const most = Math.max(...able.map(({ total }) => total));
        const { floor, tieBreak } = grantFloor(scores, (seat) => COLOURS.indexOf(seat));
        expect(floor === null).toBe(able.length === 0);
        const winner = able.find(({ seat }) => seat === floor);
        expect(winner?.total ?? -Infinity).toBe(most);
        expect(tieBreak !== null).toBe(able.filter(({ total }) => total === most).length > 1);
      },
    ),
  );
});

test('ruling 32: a boost belongs to the named or accused player and to its kind', () => {
  const gathered = (message: string, target: Colour | null = null) => ({
    bids: [aBid('red', { message, target })],
    dice: {},
    seated: FIVE,
    voted: [],
  });
  const stances = (floor: Floor) =>
    FIVE.map((seat) => {
      const { mentioned, accused, justSpoke, silentTicks } = stanceOf(floor, seat, false);
      return [seat, mentioned, accused, justSpoke, silentTicks];
    });
  const named = closeFloorTick(EMPTY_FLOOR, gathered('blue is with me'), someOptions()).floor;
  expect(stances(named)).toEqual([
    ['red', false, false, true, 0],
    ['blue', true, false, false, 1],
    ['green', false, false, false, 1],
    ['pink', false, false, false, 1],
    ['orange', false, false, false, 1],
  ]);
  const accused = closeFloorTick(EMPTY_FLOOR, gathered('you!', 'green'), someOptions()).floor;
  expect(stances(accused).map(([, mentioned, by]) => [mentioned, by])).toEqual([
    [false, false],
    [false, false],
    [false, true],
    [false, false],
    [false, false],
  ]);
});

test.each([
  ['abcd', 19],
  ['abcdefgh', 20],
])(
  'ruling 35: the line "%s" takes %i tokens: 18 for its frame, and its message',
  (message, tokens) => {
    const gathered = { bids: [aBid('red', { message })], dice: {}, seated: FIVE, voted: [] };
    expect(closeFloorTick(EMPTY_FLOOR, gathered, someOptions()).floor.tokens).toBe(tokens);
  },
);

describe('dice', () => {
  const closed = (dice: BySeat<Die>) => {
    const bids = [aBid('red', { message: 'a' }), aBid('blue', { message: 'b' })];
    return closeFloorTick(EMPTY_FLOOR, { bids, dice, seated: FIVE, voted: [] }, someOptions())
      .verdict;
  };

  test.each<[string, BySeat<Die>, Colour, TieBreak | null]>([
    ['the higher face', { red: { face: 2, draw: 0 }, blue: { face: 3, draw: 0 } }, 'blue', null],
    [
      'of equal faces the higher draw',
      { red: { face: 2, draw: 8 }, blue: { face: 2, draw: 9 } },
      'blue',
      'draw',
    ],
    ['whatever the seat', { red: { face: 2, draw: 9 }, blue: { face: 2, draw: 8 } }, 'red', 'draw'],
    ['one without a die counts as the lowest face', { blue: { face: 2, draw: 0 } }, 'blue', null],
    ['and as the lowest draw', { blue: { face: 1, draw: 1 } }, 'blue', 'draw'],
    ['in any order', { red: { face: 1, draw: 1 } }, 'red', 'draw'],
    ['and not as a lower face than there is', { blue: { face: 0, draw: 9 } }, 'red', null],
    ['and the draw 0 is above a lower one', { red: { face: 1, draw: -1 } }, 'blue', 'draw'],
    ['nor as a lower draw', { blue: { face: 1, draw: -1 } }, 'red', 'draw'],
  ])('decide for %s', (_, dice, floor, tieBreak) => {
    expect(closed(dice)).toMatchObject({ floor, tieBreak });
    const bids = [aBid('red', { message: 'a' }), aBid('blue', { message: 'b' })];
    expect(pickGhostUtterance(bids, dice, 120)?.speaker).toBe(floor);
  });

  test('dice appear in the score unchanged', () => {
    const dice = { red: { face: 2, draw: 0 }, blue: { face: 5, draw: 0 } };
    expect(closed(dice).scores.map(({ die, total }) => [die, total])).toEqual([
      [2, 2],
      [5, 5],
    ]);
    expect(closed({}).scores.map(({ die }) => die)).toEqual([1, 1]);
  });
});

test('who spoke in an earlier tick is remembered when another speaks', () => {
  const say = (floor: Floor, seat: Colour) =>
    closeFloorTick(
      floor,
      { bids: [aBid(seat, { message: 'a' })], dice: {}, seated: FIVE, voted: [] },
      someOptions(),
    ).floor;
  const floor = say(say(say(EMPTY_FLOOR, 'red'), 'blue'), 'green');
  expect(floor.lastSpoke).toEqual({ red: 0, blue: 1, green: 2 });
});

test.each([
  ['U+FFFF, the last of one code unit', '\uffff', 1],
  ['U+10000, the first of two', '\u{10000}', 2],
])('ruling 35: a text of %s is cut behind a whole character', (_, character, units) => {
  for (const tokens of [1, 2, 3, 4, 6, 9]) {
    const kept = capTokens(character.repeat(20), tokens);
    expect(kept).toBe(character.repeat(Math.floor((4 * tokens) / 3)));
    expect(kept).toHaveLength(units * Math.floor((4 * tokens) / 3));
  }
});

test.each([
  ['U+007F, the last of ASCII', '\u007f', 4],
  ['U+0080, the first beyond', '\u0080', 1],
])('ruling 35: of %s a token holds four or one', (_, character, most) => {
  expect(textTokens(character.repeat(most))).toBe(1);
  expect(textTokens(character.repeat(most + 1))).toBe(2);
});
