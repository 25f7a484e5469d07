import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capTokens,
  closeFloorTick,
  EMPTY_FLOOR,
  type Floor,
  type FloorStance,
  isBlank,
  pickGhostUtterance,
  scoreBid,
  stanceOf,
  textTokens,
} from '../../../machines/rules/floor.ts';
import { grantFloor, judgeFloor } from '../../../machines/rules/grant.ts';
import type { Score } from '../../../machines/rules/scoreTerms.ts';
import {
  type Bid,
  type BySeat,
  COLOURS,
  type Colour,
  type Die,
  type TieBreak,
} from '../../../machines/types.ts';
import { aBid, aClaim, aFault, aScore, FIVE, law, someOptions, someWeights } from '../builders.ts';

const DIE = { face: 3, draw: 0 };
const WEIGHTS = someWeights();

function scored(claim: Partial<FloorStance> = {}, desire = 5): Score {
  return scoreBid(aBid('red', { desire, message: 'hm' }), aClaim(claim), DIE, WEIGHTS);
}

describe('the priority is desire 5 + die 3 and the terms of the claim', () => {
  const terms: [string, Partial<FloorStance>, keyof Score, number, number][] = [
    ['nothing', {}, 'mention', 0, 8],
    ['a mention', { mentioned: true }, 'mention', 2, 10],
    ['an accusation', { accused: true }, 'accusation', 3, 11],
    ['having just spoken (ruling 13)', { justSpoke: true }, 'recentSpeaker', -4, 4],
    ['a locked ballot (ruling 6)', { voted: true }, 'voted', -1, 7],
    ['two ticks of silence (ruling 11)', { silentTicks: 2 }, 'silence', 8, 16],
  ];
  test.each(terms)('%s', (_, claim, term, value, total) => {
    expect(scored(claim)[term]).toBe(value);
    expect(scored(claim).total).toBe(total);
  });

  test('everything at once: 5 + 2 + 3 + 4·6 + 3 − 4 − 1 = 32', () => {
    const everything = scored({
      mentioned: true,
      accused: true,
      justSpoke: true,
      voted: true,
      silentTicks: 6,
    });
    expect(everything.total).toBe(32);
    expect(everything).toMatchObject({ hasVoted: true, silentTicks: 6, die: 3, desire: 5 });
  });
});

law(
  'the total is the sum of its terms and of nothing else',
  fc.property(
    fc.nat(10),
    fc.integer({ min: 1, max: 6 }),
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.nat(50),
    (desire, face, mentioned, accused, justSpoke, voted, silentTicks) => {
      const claim = { mentioned, accused, justSpoke, voted, silentTicks };
      const got = scoreBid(aBid('red', { desire }), claim, { face, draw: 0 }, WEIGHTS);
      const { mention, accusation, silence, die, recentSpeaker, voted: penalty } = got;
      expect(got.total).toBe(
        got.desire + mention + accusation + silence + die + recentSpeaker + penalty,
      );
    },
  ),
);

describe('who may win at all', () => {
  test.each([
    ['ruling 9: a word is a bid', 'x', true],
    ['ruling 9: nothing is no bid', '', false],
    ['ruling 9: white space is no bid', ' \n\t ', false],
    ['ruling 9: nor is a space that does not break', ' ', false],
  ])('%s', (_, message, eligible) => {
    expect(isBlank(message)).toBe(!eligible);
    expect(scoreBid(aBid('red', { desire: 10, message }), aClaim(), DIE, WEIGHTS).eligible).toBe(
      eligible,
    );
  });

  test.each([
    ['ruling 9: at s(5) = 20 ≤ Δ = 21 a blank bid still does not count', 5, false],
    ['ruling 9: from s(6) = 24 > Δ on it competes', 6, true],
  ])('%s', (_, silentTicks, calledOn) => {
    const mute = scoreBid(aBid('red'), aClaim({ silentTicks }), DIE, WEIGHTS);
    expect(mute).toMatchObject({ calledOn, eligible: calledOn });
  });

  test('ruling 9: a called-on blank bid competes at its ordinary priority and can lose', () => {
    const mute = scoreBid(aBid('red'), aClaim({ silentTicks: 6 }), DIE, WEIGHTS);
    const claim = aClaim({ silentTicks: 7 });
    const longer = scoreBid(aBid('blue', { message: 'me' }), claim, DIE, WEIGHTS);
    expect(mute.total).toBe(27);
    expect(grantFloor([mute, longer], () => 0).floor).toBe('blue');
  });

  test.each([0, 100])(
    'ruling 2: a fault after %i silent ticks has a score but can’t win',
    (silentTicks) => {
      const fault = scoreBid(aFault('red'), aClaim({ silentTicks }), { face: 6, draw: 9 }, WEIGHTS);
      expect(fault).toMatchObject({ desire: 0, eligible: false, silence: 4 * silentTicks });
      expect(grantFloor([fault], () => 0)).toEqual({ floor: null, tieBreak: null });
      expect(grantFloor([fault, aScore('blue', { total: -5 })], () => 0).floor).toBe('blue');
    },
  );

  test('ruling 10: where all are blank or faulty nobody has the floor', () => {
    const scores = [
      aScore('red', { total: 9, eligible: false }),
      aScore('blue', { total: 8, eligible: false }),
    ];
    expect(grantFloor(scores, () => 0)).toEqual({ floor: null, tieBreak: null });
    expect(grantFloor([], () => 0)).toEqual({ floor: null, tieBreak: null });
  });
});

describe('ruling 5: the highest total speaks; equal totals go', () => {
  const draw = (draws: Partial<Record<Colour, number>>) => (seat: Colour) => draws[seat] ?? 0;

  test.each<[string, Partial<Score>, Partial<Score>, TieBreak | null]>([
    ['one point more decides before any tie-break', { total: 1 }, { silentTicks: 9 }, null],
    ['to the longest silent', { silentTicks: 2 }, { silentTicks: 1 }, 'silence'],
    ['even to a voter', { silentTicks: 2, hasVoted: true }, { silentTicks: 1 }, 'silence'],
    ['then to who has not voted', {}, { hasVoted: true }, 'unvoted'],
    ['then to the higher draw', {}, {}, 'draw'],
    ['also between two who have voted', { hasVoted: true }, { hasVoted: true }, 'draw'],
  ])('%s', (_, winning, losing, tieBreak) => {
    const [winner, loser] = [aScore('red', winning), aScore('blue', losing)];
    const draws = draw(tieBreak === 'draw' ? { red: 2, blue: 1 } : { red: 1, blue: 2 });
    expect(grantFloor([winner, loser], draws)).toEqual({ floor: 'red', tieBreak });
    expect(grantFloor([loser, winner], draws)).toEqual({ floor: 'red', tieBreak });
  });

  test('the last thing that was needed is named: one rival lost by silence, another by the draw', () => {
    const silent = { silentTicks: 3 };
    const scores = [aScore('red', silent), aScore('blue', silent), aScore('green')];
    const draws = draw({ red: 1, blue: 2, green: 3 });
    expect(grantFloor(scores, draws)).toEqual({ floor: 'blue', tieBreak: 'draw' });
  });

  test('a tie among losers is no tie', () => {
    const losers = [aScore('blue', { total: 3 }), aScore('green', { total: 3 })];
    expect(grantFloor([aScore('red', { total: 9 }), ...losers], draw({})).tieBreak).toBeNull();
  });
});

const someRivals = fc
  .array(
    fc.record({
      total: fc.nat(2),
      silentTicks: fc.nat(2),
      hasVoted: fc.boolean(),
      eligible: fc.boolean(),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .chain((rivals) =>
    fc.record({
      rivals: fc.constant(rivals),
      draws: fc.uniqueArray(fc.nat(1000), { minLength: rivals.length, maxLength: rivals.length }),
      seats: fc.shuffledSubarray([...COLOURS], {
        minLength: rivals.length,
        maxLength: rivals.length,
      }),
      order: fc.shuffledSubarray([...rivals.keys()], {
        minLength: rivals.length,
        maxLength: rivals.length,
      }),
    }),
  );

law(
  'ruling 5: neither the seat nor the order of the bids ever decides: the same claim wins from every chair',
  fc.property(someRivals, ({ rivals, draws, seats, order }) => {
    const winnerOn = (chairs: readonly Colour[], sequence: readonly number[]) => {
      const scores = sequence.map((index) => aScore(chairs[index] ?? 'red', rivals[index]));
      const { floor, tieBreak } = grantFloor(scores, (seat) => draws[chairs.indexOf(seat)] ?? 0);
      return { who: floor === null ? null : chairs.indexOf(floor), tieBreak };
    };
    expect(winnerOn(seats, order)).toEqual(winnerOn(COLOURS, [...rivals.keys()]));
  }),
  500,
);

law(
  'ruling 5: with a perfect tie in everything else each of five wins a fifth of the draws',
  fc.property(fc.constant(null), () => {
    const wins = FIVE.map((seat) =>
      FIVE.filter((luckiest) => {
        const scores = FIVE.map((colour) => aScore(colour));
        return grantFloor(scores, (colour) => Number(colour === luckiest)).floor === seat;
      }),
    );
    expect(wins).toEqual(FIVE.map((seat) => [seat]));
  }),
  1,
);

describe('a term decides if another player had won with that term at 0 for every bid', () => {
  const bid = (seat: Colour, terms: Partial<Score>) => {
    const total = Object.values(terms).reduce<number>((sum, term) => sum + Number(term), 0);
    return aScore(seat, { die: 0, ...terms, total, eligible: true });
  };
  const silent = (seat: Colour, silentTicks: number, terms: Partial<Score>) => ({
    ...bid(seat, terms),
    silentTicks,
  });
  test.each<[string, readonly Score[], ReturnType<typeof judgeFloor>]>([
    [
      'several may decide',
      [bid('red', { desire: 5, mention: 2 }), bid('blue', { die: 6 })],
      ['desire', 'mention', 'highest_desire'],
    ],
    [
      'none may',
      [bid('red', { desire: 9, die: 6 }), bid('blue', { desire: 1, die: 1 })],
      ['highest_desire'],
    ],
    [
      'a penalty of a rival may',
      [bid('red', { desire: 7 }), bid('blue', { desire: 8, voted: -3 })],
      ['voted', 'not_highest_desire'],
    ],
    [
      'silence may',
      [silent('red', 9, { desire: 2, silence: 6 }), silent('blue', 0, { desire: 4 })],
      ['silence', 'longest_silent', 'not_highest_desire'],
    ],
    [
      'the longer silence settles totals that are equal without a term',
      [bid('red', { desire: 5, mention: 2 }), silent('blue', 4, { desire: 5 })],
      ['mention', 'not_longest_silent'],
    ],
    [
      'and so does a ballot',
      [{ ...bid('red', { desire: 5, mention: 2 }), hasVoted: true }, bid('blue', { desire: 5 })],
      ['mention'],
    ],
    [
      'a bid that could not win has no say',
      [bid('red', { die: 1 }), aScore('blue', { eligible: false })],
      null,
    ],
  ])('%s', (_, scores, judged) => {
    const { floor } = grantFloor(scores, () => 0);
    expect(judgeFloor(scores, floor)).toEqual(judged);
  });
});

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
  expect(stances(accused).map(([, mentioned, by]) => [mentioned, by])).toEqual(
    FIVE.map((seat) => [false, seat === 'green']),
  );
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
  const closing = (dice: BySeat<Die>) => {
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
    expect(closing(dice)).toMatchObject({ floor, tieBreak });
    const bids = [aBid('red', { message: 'a' }), aBid('blue', { message: 'b' })];
    expect(pickGhostUtterance(bids, dice, 120)?.speaker).toBe(floor);
  });

  test('dice appear in the score unchanged', () => {
    const dice = { red: { face: 2, draw: 0 }, blue: { face: 5, draw: 0 } };
    expect(closing(dice).scores.map(({ die, total }) => [die, total])).toEqual([
      [2, 2],
      [5, 5],
    ]);
    expect(closing({}).scores.map(({ die }) => die)).toEqual([1, 1]);
  });
});

test('who spoke in an earlier tick is remembered when another speaks', () => {
  const say = (floor: Floor, seat: Colour) => {
    const gathered = { bids: [aBid(seat, { message: 'a' })], dice: {}, seated: FIVE, voted: [] };
    return closeFloorTick(floor, gathered, someOptions()).floor;
  };
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

const EQUAL: BySeat<Die> = { white: { face: 3, draw: 5 }, tan: { face: 3, draw: 4 } };

const says = (seat: Colour, desire = 0) => aBid(seat, { desire, message: seat });
const EAGER = [says('white', 2), says('tan', 3)];

test.each<[string, readonly Bid[], BySeat<Die>, string | null]>([
  ['the ghost with the higher desire', EAGER, EQUAL, 'tan'],
  ['plus die', EAGER, { ...EQUAL, white: { face: 5, draw: 0 } }, 'white'],
  ['of equals the higher draw', [says('tan'), says('white')], EQUAL, 'white'],
  ['whatever the order', [says('white'), says('tan')], EQUAL, 'white'],
  ['nobody with nothing to say', [aBid('white', { desire: 10, message: ' ' })], EQUAL, null],
  ['nobody who failed', [aFault('white'), aBid('tan', { message: 't' })], EQUAL, 'tan'],
  ['nobody where nobody is', [], {}, null],
])('ruling 36: among ghosts is heard %s', (_, bids, dice, speaker) => {
  expect(pickGhostUtterance(bids, dice, 120)?.speaker ?? null).toBe(speaker);
});

test('a ghost’s message is trimmed', () => {
  expect(pickGhostUtterance([aBid('white', { message: ' boo ' })], EQUAL, 120)).toEqual({
    speaker: 'white',
    message: 'boo',
  });
});

test('ruling 35: a ghost is cut short like anybody else', () => {
  const said = pickGhostUtterance([aBid('white', { message: 'boo '.repeat(1000) })], EQUAL, 10);
  expect(textTokens(said?.message ?? '')).toBeLessThanOrEqual(10);
  expect(said?.message).toMatch(/^boo/);
});
