/** Where the board of a league has a gap. */
import { expect, test } from 'vitest';
import type { ComparedPair } from '../../../analysis/league/separation.ts';
import type { Standings } from '../../../analysis/league/types.ts';
import { findGaps, type RankedPersona } from '../../../visualizer/page/league/ranking.ts';

const SHARE = { games: 40, wins: 20, interval: null, few: false };

function places(ends: Readonly<Record<string, readonly [least: number, most: number]>>) {
  return Object.entries(ends).map(([id, [least, most]], index): RankedPersona => {
    const rating = { value: (least + most) / 2, least, most, few: false };
    return {
      rank: index + 1,
      row: {
        id,
        all: SHARE,
        roles: { crewmate: SHARE, impostor: SHARE },
        rating: { overall: rating, impostor: rating, crewmate: rating },
        tallies: { crewmate: [], impostor: [] },
      },
      persona: {
        id,
        name: id,
        model: 'm',
        temperament: 'observer',
        level: 'none',
        character: null,
        voice: null,
        learns: true,
        career: { games: 0, seats: 0, all: null, impostor: null, crewmate: null },
        lessons: [],
        versions: [],
        earlier: 0,
      },
    };
  });
}

function pairsOf(apart: readonly string[]): Pick<Standings, 'pairs'> {
  const ends = { difference: 0.1, least: 0, most: 0.2, p: 0.01, error: 0.05 };
  const result = { ...ends, cases: 40, isPaired: true };
  const pairs = apart.map((pair): ComparedPair => {
    const [one = '', other = ''] = pair.split(' ');
    return { one, other, result, adjusted: 0.02, needed: null };
  });
  return { pairs };
}

test.each([
  ['nobody is separated', '', []],
  ['one pair of three', '', ['a b']],
  ['one from all others', 'b', ['a b', 'c a']],
  ['two from the last', 'c', ['a c', 'b c']],
])('a gap is where everybody above is separated from everybody below: %s', (_, gaps, apart) => {
  const list = places({ a: [8, 9], b: [4, 6], c: [3, 5] });
  expect([...findGaps(list, pairsOf(apart))].join(' ')).toBe(gaps);
});
