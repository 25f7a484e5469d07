import { describe, expect, test } from 'vitest';
import { type ComparedGame, compareGames } from '../../../analysis/league/comparisons.ts';
import { mirrorGames } from './worlds.ts';

function asCrew(games: readonly ComparedGame[]): readonly ComparedGame[] {
  return games.map(({ pair, one, other, impostorsWon }) => ({
    pair,
    one: -one,
    other: -other,
    impostorsWon: !impostorsWon,
  }));
}

/** How often random signs make a sum at least as large, enumerated; half of those that are just as large (mid-p). */
function enumerateSigns(first: number, second: number): number {
  const differing = first + second;
  let exact = 0;
  let ways = 1;
  for (let heads = 0; heads <= differing; heads++) {
    const distance = Math.abs(2 * heads - differing);
    const seen = Math.abs(first - second);
    const isHalf = distance === seen && seen > 0;
    exact += isHalf ? ways / 2 : distance >= seen ? ways : 0;
    ways = (ways * (differing - heads)) / (heads + 1);
  }
  return exact / 2 ** differing;
}

describe('mirrored games', () => {
  test.each([
    { first: 20, second: 20, both: 20, neither: 20 },
    { first: 24, second: 16, both: 20, neither: 20 },
    { first: 26, second: 16, both: 10, neither: 30 },
    { first: 30, second: 18, both: 0, neither: 0 },
    { first: 15, second: 9, both: 40, neither: 20 },
    { first: 27, second: 12, both: 5, neither: 20 },
    { first: 12, second: 27, both: 5, neither: 20 },
    { first: 60, second: 45, both: 100, neither: 95 },
  ])('$first to $second: the p-value matches exact enumeration', (given) => {
    const { first, second, both, neither } = given;
    const games = mirrorGames(first, second, both, neither);
    const found = compareGames(games);
    const pairs = first + second + both + neither;
    expect(found).toMatchObject({ cases: pairs, isPaired: true });
    expect(found?.difference).toBeCloseTo((first - second) / pairs, 12);
    expect(Math.abs((found?.p ?? 0) - enumerateSigns(first, second))).toBeLessThan(0.02);
    expect(compareGames(asCrew(games))).toEqual(found);
  });

  test('have the interval and the p-value of a t-test, to the last digit that can be worked out by hand', () => {
    // 20 pairs: 10, 2 and 8 without a difference. Mean 0.4, sum of squares 12 − 20 · 0.16 = 8.8; HC3: 8.8 / 19².
    const found = compareGames(mirrorGames(10, 2, 8, 0));
    const error = Math.sqrt(8.8) / 19;
    expect(found?.least).toBeCloseTo(0.4 - 2.0930240544 * error, 8);
    expect(found?.most).toBeCloseTo(0.4 + 2.0930240544 * error, 8);
    // t = 2.5620 with 19 degrees of freedom.
    expect(found?.p).toBeCloseTo(0.0190644, 5);
  });

  test.each([
    { name: '19 pairs', first: 8, second: 4, both: 7, isFew: true },
    { name: '20 pairs', first: 8, second: 4, both: 8, isFew: false },
    { name: '5 that differ', first: 5, second: 0, both: 95, isFew: true },
    { name: '6 that differ', first: 6, second: 0, both: 94, isFew: false },
    { name: 'none that differs', first: 0, second: 0, both: 100, isFew: true },
  ])('$name: whether there are too few is said', ({ first, second, both, isFew }) => {
    const found = compareGames(mirrorGames(first, second, both, 0));
    expect([found?.least === null, found?.most === null, found?.p === null]).toEqual(
      Array.from({ length: 3 }, () => isFew),
    );
  });

  test('are never certain, even where all of them ended alike', () => {
    // Of 25 wins in 25 pairs, 0.863 is the least share that chance makes so in 1 of 40 leagues.
    const found = compareGames(mirrorGames(25, 0, 0, 0));
    expect(found).toMatchObject({ difference: 1, most: 1 });
    expect(found?.least).toBeLessThan(0.863);
    expect(found?.least).toBeGreaterThan(0.75);
    expect(found?.p).toBeLessThan(0.001);
  });

  test('a game whose mirror is missing says nothing', () => {
    const games = mirrorGames(12, 6, 6, 6);
    expect(compareGames([...games, { pair: 99, one: 1, other: 0, impostorsWon: true }])).toEqual(
      compareGames(games),
    );
  });

  test('two personas that swap sides share their wins equally', () => {
    const games = mirrorGames(30, 10, 20, 20).map((game) => ({
      ...game,
      one: game.one === 1 ? 1 : -1,
      other: game.one === 1 ? -1 : 1,
    }));
    expect(compareGames(games)?.difference).toBeCloseTo(20 / 80 / 2, 12);
  });
});

describe('single games', () => {
  const game = (pair: number, one: number, other: number, impostorsWon: boolean) => ({
    ...{ pair, one, other, impostorsWon },
  });
  const apart = (games: number, wins: readonly [number, number]) =>
    Array.from({ length: games }, (_, index) => [
      game(2 * index, 1, 0, index < wins[0]),
      game(2 * index + 1, 0, 1, index < wins[1]),
    ]).flat();

  test('are the cases, however many seats each of the two has', () => {
    const found = compareGames(apart(30, [18, 12]));
    expect(found).toMatchObject({ cases: 60, isPaired: false });
    expect(found?.difference).toBeCloseTo(0.2, 12);
  });

  test('have the p-value of the test of two shares', () => {
    // Welch's test of 18 and 12 of 30, with HC3: each side has a variance of 0.24 / 30 · (30/29)².
    const error = Math.sqrt(2 * (0.24 / 30)) * (30 / 29);
    const found = compareGames(apart(30, [18, 12]));
    expect(found?.least).toBeCloseTo(0.2 - 2.0017174841 * error, 8);
    // Fisher's exact test, mid-p, enumerated.
    const choose = (n: number, k: number) => {
      let ways = 1;
      for (let at = 0; at < k; at++) ways = (ways * (n - at)) / (at + 1);
      return ways;
    };
    const ways = (wins: number) => choose(30, wins) * choose(30, 30 - wins);
    let tail = 0;
    for (let wins = 0; wins <= 30; wins++) {
      const distance = Math.abs(wins - 15);
      tail += distance > 3 ? ways(wins) : distance === 3 ? ways(wins) / 2 : 0;
    }
    expect(Math.abs((found?.p ?? 0) - tail / choose(60, 30))).toBeLessThan(0.02);
  });

  test('do not make one better that was on the stronger side more often', () => {
    // The impostors win 4 of 5 games, whoever they are.
    const games = Array.from({ length: 100 }, (_, index) =>
      index < 80
        ? game(index, 1, 0, index % 5 > 0)
        : game(index, index < 90 ? -1 : 0, index < 90 ? 0 : 1, index % 5 > 0),
    );
    expect(Math.abs(compareGames(games)?.difference ?? 1)).toBeLessThan(0.05);
  });

  test('games with both personas on one side, or with neither, are ignored', () => {
    const games = apart(30, [18, 12]);
    const same = [game(100, 1, 1, true), game(101, -1, -1, false)];
    expect(compareGames([...games, ...same])?.cases).toBe(60);
    expect(compareGames(same)).toBeNull();
    expect(compareGames([])).toBeNull();
  });

  test('are never certain, even where each has won or lost all of its own', () => {
    const found = compareGames(apart(15, [15, 0]));
    expect(found).toMatchObject({ difference: 1, most: 1 });
    expect(found?.least).toBeLessThan(0.83);
    expect(found?.p).toBeLessThan(0.001);
  });

  test('are too few while one side has won nearly all', () => {
    expect(compareGames(apart(30, [3, 2]))?.p).toBeNull();
    expect(compareGames(apart(30, [4, 2]))?.p).not.toBeNull();
  });
});
