import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StatedShares, scoreBeliefs } from '../../../analysis/beliefs/scores.ts';
import { studentReach } from '../../../analysis/counts/numeric.ts';
import { law } from '../../machines/builders.ts';

const share = fc.nat(20).map((part) => part / 20);
const game = fc.record({
  ofImpostors: fc.array(share, { maxLength: 4 }),
  ofCrew: fc.array(share, { maxLength: 6 }),
});

const TABLE: readonly StatedShares[] = [
  { ofImpostors: [0.9, 0.5], ofCrew: [0.1, 0.5] },
  { ofImpostors: [0.6], ofCrew: [0.2, 0.7, 0.6] },
];

describe('the table by hand', () => {
  const scores = scoreBeliefs(TABLE);

  test('has the Brier score 1.57 / 8', () => {
    // Impostors 0.01 + 0.25 + 0.16, crew 0.01 + 0.25 and 0.04 + 0.49 + 0.36.
    expect(scores.pairs).toBe(8);
    expect(scores.base).toBe(3 / 8);
    expect(scores.brier?.value).toBeCloseTo(1.57 / 8, 12);
  });

  test('a belief has the log score of the truth', () => {
    const truths = [0.9, 0.5, 0.9, 0.5, 0.6, 0.8, 0.3, 0.4];
    const mean = truths.reduce((sum, truth) => sum - Math.log(truth), 0) / truths.length;
    expect(scores.log?.value).toBeCloseTo(mean, 12);
  });

  test('has the area 11 / 15: ties count half', () => {
    // 0.9 beats all five; 0.5 beats 0.1 and 0.2 and ties once; 0.6 beats 0.1, 0.5, 0.2 and ties once.
    expect(scores.auc?.value).toBeCloseTo((5 + 2.5 + 3.5) / 15, 12);
  });

  test('has bins of a tenth, a border in the upper one, and the error between them', () => {
    const filled = scores.calibration.filter(({ pairs }) => pairs > 0);
    expect(filled.map(({ from, pairs, impostors }) => [from, pairs, impostors])).toEqual([
      [0.1, 1, 0],
      [0.2, 1, 0],
      [0.5, 2, 1],
      [0.6, 2, 1],
      [0.7, 1, 0],
      [0.9, 1, 1],
    ]);
    expect(scores.calibrationError).toBeCloseTo((0.1 + 0.2 + 2 * 0 + 2 * 0.1 + 0.7 + 0.1) / 8, 12);
    expect(filled[2]?.found).toMatchObject({ share: 0.5 });
    // Wilson for 1 of 2.
    expect(filled[2]?.found?.least).toBeCloseTo(0.0945, 3);
  });
});

test.each([
  [0, 0],
  [0.1, 1],
  [0.3, 3],
  [0.0999, 0],
  [0.6, 6],
  [0.7, 7],
  [0.8999, 8],
  [1, 9],
])('the probability %f is in bin %i', (stated, bin) => {
  const { calibration } = scoreBeliefs([{ ofImpostors: [stated], ofCrew: [] }]);
  expect(calibration.findIndex(({ pairs }) => pairs === 1)).toBe(bin);
  expect(calibration).toHaveLength(10);
});

describe('borders', () => {
  test('who was certain and wrong has a score that is finite, and 0.001 is no better', () => {
    const wrong = (stated: number) =>
      scoreBeliefs([{ ofImpostors: [stated], ofCrew: [] }]).log?.value;
    expect(wrong(0)).toBeCloseTo(-Math.log(0.001), 12);
    expect(wrong(0.001)).toBe(wrong(0));
    expect(wrong(0.0011) ?? 0).toBeLessThan(wrong(0) ?? 0);
  });

  test('without a pair there is nothing, without impostors no area, with one game no interval', () => {
    expect(scoreBeliefs([])).toMatchObject({ pairs: 0, brier: null, log: null, auc: null });
    expect(scoreBeliefs([{ ofImpostors: [], ofCrew: [] }])).toMatchObject({
      pairs: 0,
      base: null,
      calibrationError: null,
    });
    const crew = scoreBeliefs([{ ofImpostors: [], ofCrew: [0.5] }]);
    expect(crew.auc).toBeNull();
    expect(crew.brier).toEqual({ value: 0.25, least: null, most: null });
  });

  test('games without an answer are no evidence for an interval', () => {
    const more = [...TABLE, { ofImpostors: [], ofCrew: [] }];
    const { games: _more, ...scores } = scoreBeliefs(more);
    expect(scoreBeliefs(TABLE)).toMatchObject(scores);
  });
});

describe('intervals', () => {
  test('intervals of a score equal those of game means if games have one size', () => {
    const games = [0.1, 0.4, 0.6, 0.7].map((stated) => ({
      ofImpostors: [],
      ofCrew: [stated, stated],
    }));
    const means = [0.01, 0.16, 0.36, 0.49];
    const mean = means.reduce((sum, one) => sum + one, 0) / 4;
    const variance = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 3 / 4;
    const reach = studentReach(0.05, 3) * Math.sqrt(variance);
    const { brier } = scoreBeliefs(games);
    expect(brier?.value).toBeCloseTo(mean, 12);
    expect(brier?.most).toBeCloseTo(mean + reach, 12);
    expect(brier?.least).toBe(Math.max(0, mean - reach));
  });

  test('do not shrink when every pair is there ten times: games are the unit', () => {
    const tenfold = TABLE.map(({ ofImpostors, ofCrew }) => ({
      ofImpostors: Array(10).fill(ofImpostors).flat(),
      ofCrew: Array(10).fill(ofCrew).flat(),
    }));
    const [once, often] = [scoreBeliefs(TABLE), scoreBeliefs(tenfold)];
    for (const name of ['brier', 'log', 'auc'] as const) {
      expect(often[name]?.value).toBeCloseTo(once[name]?.value ?? -1, 12);
      expect(often[name]?.most).toBeCloseTo(once[name]?.most ?? -1, 12);
    }
  });

  test('of the area are DeLong’s where each game has one pair', () => {
    const impostors = [0.9, 0.4, 0.6, 0.8];
    const crew = [0.3, 0.5, 0.6, 0.2, 0.7];
    const games = [
      ...impostors.map((one) => ({ ofImpostors: [one], ofCrew: [] })),
      ...crew.map((one) => ({ ofImpostors: [], ofCrew: [one] })),
    ];
    const wins = (one: number, other: number) => (one > other ? 1 : one === other ? 0.5 : 0);
    const variance = (values: readonly number[]) => {
      const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
      return values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1);
    };
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const placed = impostors.map((one) => mean(crew.map((other) => wins(one, other))));
    const beaten = crew.map((other) => mean(impostors.map((one) => wins(one, other))));
    const se = Math.sqrt(variance(placed) / impostors.length + variance(beaten) / crew.length);
    const { auc } = scoreBeliefs(games);
    expect(auc?.value).toBeCloseTo(mean(placed), 12);
    expect(auc?.least).toBeCloseTo(mean(placed) - studentReach(0.05, 3) * se, 12);
  });
});

law(
  'the area is that of all pairs compared one by one',
  fc.property(fc.array(game, { maxLength: 6 }), (games) => {
    const impostors = games.flatMap(({ ofImpostors }) => ofImpostors);
    const crew = games.flatMap(({ ofCrew }) => ofCrew);
    const { auc } = scoreBeliefs(games);
    if (impostors.length === 0 || crew.length === 0) {
      expect(auc).toBeNull();
      return;
    }
    let wins = 0;
    for (const one of impostors)
      for (const other of crew) wins += one > other ? 1 : one === other ? 0.5 : 0;
    expect(auc?.value).toBeCloseTo(wins / impostors.length / crew.length, 10);
  }),
);

law(
  'the order of games changes nothing, and values lie in their intervals',
  fc.property(fc.array(game, { minLength: 2, maxLength: 6 }), (games) => {
    const scores = scoreBeliefs(games);
    const turned = scoreBeliefs(games.toReversed());
    for (const name of ['brier', 'log', 'auc'] as const) {
      const { value = 0, least = null, most = null } = scores[name] ?? {};
      expect(turned[name]?.value ?? 0).toBeCloseTo(value, 10);
      if (least !== null && most !== null) {
        expect(least).toBeLessThanOrEqual(value + 1e-12);
        expect(most).toBeGreaterThanOrEqual(value - 1e-12);
      }
    }
    expect(scores.calibration.reduce((sum, { pairs }) => sum + pairs, 0)).toBe(scores.pairs);
  }),
);
