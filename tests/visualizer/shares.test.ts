import { describe, expect, test } from 'vitest';
import { formatFigure } from '../../visualizer/report/numbers.ts';
import { splitPercent, tenths } from '../../visualizer/text.ts';

const upTo = (most: number) => Array.from({ length: most + 1 }, (_, one) => one);

describe('the printed parts of a whole', () => {
  test('a share and the rest add up to 100.0, whatever the number of cases', () => {
    for (const cases of [1, 3, 7, 16, 80, 81, 160, 400, 1_000, 2_000, 4_003])
      for (const hits of upTo(cases)) {
        const parts = [hits / cases, (cases - hits) / cases];
        const shown = parts.map((part) => Number(tenths(part)));
        expect([cases, hits, (shown[0] ?? 0) + (shown[1] ?? 0)]).toEqual([cases, hits, 100]);
        expect(Math.abs((shown[0] ?? 0) - (100 * hits) / cases)).toBeLessThan(0.0501);
        expect(formatFigure(parts[0] ?? 0, 'share')).toBe(tenths(parts[0] ?? 0));
      }
  });

  test.each([
    [
      [1, 1, 1],
      ['34 %', '33 %', '33 %'],
    ],
    [
      [5, 5, 6],
      ['31 %', '31 %', '38 %'],
    ],
    [
      [1, 199, 0],
      ['1 %', '99 %', '0 %'],
    ],
    [[16], ['100 %']],
    [
      [0, 0],
      ['0 %', '0 %'],
    ],
    [[], []],
  ])('of %j games are %j', (counts, parts) => {
    expect(splitPercent(counts)).toEqual(parts);
  });

  test('add up to 100 for any number of parts', () => {
    for (const length of upTo(30).slice(1)) {
      const counts = upTo(length).map((one) => (one * 7919) % 101);
      const sum = splitPercent(counts).reduce((all, part) => all + Number.parseInt(part, 10), 0);
      expect(sum).toBe(100);
    }
  });
});
