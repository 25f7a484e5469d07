/** Pairs of personas: corrected for their number, and in words. */
import { expect, test } from 'vitest';
import {
  comparePairs,
  describePairs,
  describeSeparation,
  listPairs,
  planPairs,
} from '../../../analysis/league/separation.ts';

/** Impostors of each name in turn. A share of them wins. */
function leagueOf(shares: Readonly<Record<string, number>>, each = 60) {
  const names = Object.keys(shares);
  return names.flatMap((name, at) =>
    Array.from({ length: each }, (_, index) => ({
      pair: at * each + index,
      impostor: name,
      impostorsWon: (index * 37) % each < Math.round((shares[name] ?? 0) * each),
    })),
  );
}

const compare = (shares: Readonly<Record<string, number>>, each?: number) => {
  const games = leagueOf(shares, each);
  const pairs = comparePairs(listPairs(Object.keys(shares)), games, ({ impostor }, name) =>
    Number(impostor === name),
  );
  return { games: games.length, pairs };
};

test('p-values grow with the number of pairs, in the order of Holm, and never beyond 1', () => {
  const { pairs } = compare({ a: 0.8, b: 0.55, c: 0.5, d: 0.45 });
  expect(pairs).toHaveLength(6);
  const ranked = pairs.toSorted((one, other) => (one.result.p ?? 1) - (other.result.p ?? 1));
  let least = 0;
  for (const [rank, { result, adjusted }] of ranked.entries()) {
    least = Math.max(least, Math.min(1, (result.p ?? 1) * (6 - rank)));
    expect(adjusted).toBeCloseTo(least, 12);
  }
});

test('a pair is separated, or says how many games would separate it', () => {
  const { pairs, games } = compare({ a: 0.8, b: 0.5, c: 0.45 });
  const said = pairs.map((pair) => `${pair.one} ${pair.other}: ${describeSeparation(pair, games)}`);
  expect(said[0]).toBe('a b: separated');
  expect(said[1]).toBe('a c: separated');
  expect(said[2]).toMatch(/^b c: not separated by 180 games; about [\d,]+ would do$/);
  expect(describePairs(pairs, games)).toEqual([
    'Separated by 180 games, the better one first: a from b and c.',
    expect.stringMatching(/^Not separated by 180 games: b and c \(about [\d,]+ would do\)\.$/),
  ]);
  // With as many games as it says, most of the same differences are separated.
  const needed = pairs[2]?.needed ?? 0;
  const more = compare({ a: 0.8, b: 0.5, c: 0.45 }, Math.ceil(needed / 3));
  expect(more.pairs[2]?.adjusted).toBeLessThan(0.05);
});

test('says which pairs other numbers of games would separate, if the differences are as found', () => {
  const { pairs, games } = compare({ a: 0.8, b: 0.5, c: 0.45 });
  expect(planPairs(pairs, games, [20, games, 20_000])).toEqual([
    '20 tables would separate 0 of 3 pairs.',
    '180 tables would separate 2 of 3 pairs: a from b and c.',
    '20,000 tables would separate 3 of 3 pairs: a from b and c; b from c.',
  ]);
});

test('few games compare nobody', () => {
  const { pairs, games } = compare({ a: 0.8, b: 0.5 }, 8);
  expect(planPairs(pairs, games, [1000])).toEqual([]);
  expect(describePairs(pairs, games)).toEqual(['Too few games to compare 1 pair.']);
});
