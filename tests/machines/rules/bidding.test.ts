import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grantFloor, isBlank, type Stance, scoreBid } from '../../../machines/rules/floor.ts';
import type { Score } from '../../../machines/rules/scoreTerms.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { aBid, aClaim, aFault, aScore, FIVE, law, someWeights } from '../builders.ts';

const DIE = { face: 3, draw: 0 };
const WEIGHTS = someWeights();

function scored(claim: Partial<Stance> = {}, desire = 5): Score {
  return scoreBid(aBid('red', { desire, message: 'hm' }), aClaim(claim), DIE, WEIGHTS);
}

describe('the priority is desire 5 + die 3 and the terms of the claim', () => {
  const terms: [string, Partial<Stance>, keyof Score, number, number][] = [
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
    const longer = scoreBid(
      aBid('blue', { message: 'me' }),
      aClaim({ silentTicks: 7 }),
      DIE,
      WEIGHTS,
    );
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

  test.each<[string, Score, Score, 'silence' | 'unvoted' | 'draw' | null]>([
    [
      'one point more decides before any tie-break',
      aScore('red', { total: 1 }),
      aScore('blue', { silentTicks: 9 }),
      null,
    ],
    [
      'to the longest silent',
      aScore('red', { silentTicks: 2 }),
      aScore('blue', { silentTicks: 1 }),
      'silence',
    ],
    [
      'even to one who has voted',
      aScore('red', { silentTicks: 2, hasVoted: true }),
      aScore('blue', { silentTicks: 1 }),
      'silence',
    ],
    ['then to who has not voted', aScore('red'), aScore('blue', { hasVoted: true }), 'unvoted'],
    ['then to the higher draw', aScore('red'), aScore('blue'), 'draw'],
    [
      'also between two who have voted',
      aScore('red', { hasVoted: true }),
      aScore('blue', { hasVoted: true }),
      'draw',
    ],
  ])('%s', (_, winner, loser, tieBreak) => {
    const draws = draw(tieBreak === 'draw' ? { red: 2, blue: 1 } : { red: 1, blue: 2 });
    expect(grantFloor([winner, loser], draws)).toEqual({ floor: 'red', tieBreak });
    expect(grantFloor([loser, winner], draws)).toEqual({ floor: 'red', tieBreak });
  });

  test('the last thing that was needed is named: one rival lost by silence, another by the draw', () => {
    const scores = [
      aScore('red', { silentTicks: 3 }),
      aScore('blue', { silentTicks: 3 }),
      aScore('green'),
    ];
    expect(grantFloor(scores, draw({ red: 1, blue: 2, green: 3 }))).toEqual({
      floor: 'blue',
      tieBreak: 'draw',
    });
  });

  test('a tie among losers is no tie', () => {
    const scores = [
      aScore('red', { total: 9 }),
      aScore('blue', { total: 3 }),
      aScore('green', { total: 3 }),
    ];
    expect(grantFloor(scores, draw({})).tieBreak).toBeNull();
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
