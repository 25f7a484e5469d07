/** What the page of a league says of intervals: who can be told apart, and where there is a gap. */
import { describe, expect, test } from 'vitest';
import {
  describeOverlaps,
  findGaps,
  findGroups,
  type RankedPersona,
} from '../../../visualizer/page/league/ranking.ts';

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
        temperament: '',
        level: '',
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

const CASES = [
  { name: 'one alone', ends: { a: [1, 2] }, groups: ['a'], gaps: '' },
  { name: 'two that just touch', ends: { a: [5, 9], b: [1, 5] }, groups: ['a b'], gaps: '' },
  { name: 'two that just do not', ends: { a: [5, 9], b: [1, 4] }, groups: ['a', 'b'], gaps: 'b' },
  {
    name: 'a chain, of which the ends can be told apart',
    ends: { a: [6, 9], b: [3, 7], c: [1, 4] },
    groups: ['a b', 'b c'],
    gaps: '',
  },
  {
    name: 'one wide interval below that reaches over all',
    ends: { a: [8, 9], b: [6, 7], c: [1, 10] },
    groups: ['a c', 'b c'],
    gaps: '',
  },
  {
    name: 'three of whom nobody is sure, and two below',
    ends: { a: [6, 9], b: [6, 9], c: [6, 9], d: [1, 3], e: [1, 2] },
    groups: ['a b c', 'd e'],
    gaps: 'd',
  },
] as const;

describe('tiers', () => {
  test.each(CASES)('$name', ({ ends, groups, gaps }) => {
    const list = places(ends);
    const found = findGroups(list).map((group) => group.map(({ row }) => row.id).join(' '));
    expect(found).toEqual(groups);
    expect([...findGaps(list)].join(' ')).toBe(gaps);
  });

  test('are told in a sentence', () => {
    expect(describeOverlaps(places({ a: [1, 2] }))).toBe('');
    expect(describeOverlaps(places({ a: [5, 9], b: [1, 4] }))).toBe(
      'a is ahead of all others. No two intervals overlap.',
    );
    expect(describeOverlaps(places({ a: [8, 9], b: [4, 6], c: [3, 5] }))).toBe(
      'a is ahead of all others. Overlapping intervals, so these can’t be told apart: b and c. Their order may be chance.',
    );
  });
});
