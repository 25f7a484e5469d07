import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countColumns } from '../../visualizer/terminal/layout.ts';
import { alignColumns, fitTables, foldTable, wrapLine } from '../../visualizer/terminal/table.ts';

const MORE = '--wide shows all.';
/** Columns of 4, 6, 8 and 10: whole it has 4 + 6 + 8 + 10 and three gaps of 2. */
const TABLE = [
  ['name', 'points', 'comments', 'background'],
  ['one', '1', 'good', 'a'],
  ['two', '22', 'none', 'b'],
];
const fitInto = (width: number) =>
  fitTables([TABLE], { width, worth: ['always', 3, 1, 2], more: MORE });
const titlesOf = (lines: readonly string[]) => (lines[0] ?? '').split(/ {2,}/);

describe('a table', () => {
  test.each([
    [34, ['name', 'points', 'comments', 'background']],
    [33, ['name', 'points', 'background']],
    [24, ['name', 'points', 'background']],
    // The background is worth more than the comments, and these are narrower.
    [23, ['name', 'points', 'comments']],
    [22, ['name', 'points', 'comments']],
    [21, ['name', 'points']],
    [12, ['name', 'points']],
    [11, ['name']],
  ])('in %i columns shows those that are worth most', (width, titles) => {
    const lines = fitInto(width);
    expect(titlesOf(lines)).toEqual(titles);
    const left = TABLE[0]?.filter((title) => !titles.includes(title)) ?? [];
    const note = lines.slice(TABLE.length).join(' ');
    expect(note).toBe(
      left.length === 0 ? '' : `Not shown in ${width} columns: ${left.join(', ')}. ${MORE}`,
    );
  });

  test('without a limit is whole, as columns are aligned', () => {
    expect(fitInto(Number.POSITIVE_INFINITY)).toEqual(alignColumns(TABLE));
    expect(foldTable(TABLE, Number.POSITIVE_INFINITY)).toEqual(alignColumns(TABLE));
  });

  test('whose columns are all alike goes on below, with the first one again', () => {
    expect(foldTable(TABLE, 22)).toEqual([
      ...['name  points  comments', 'one   1       good', 'two   22      none', ''],
      ...['name  background', 'one   a', 'two   b'],
    ]);
  });

  test('tables of the same kind show the same columns and name the missing ones once', () => {
    const wide = [TABLE[0] ?? [], ['a name of twenty two c', '1', 'good', 'a']];
    const lines = fitTables([TABLE, wide], {
      ...{ width: 30, worth: ['always', 3, 1, 2], more: MORE },
    });
    expect(lines.filter((line) => line.startsWith('name'))).toEqual([
      'name  points',
      'name                    points',
    ]);
    expect(lines.join(' ').match(/Not shown/g)).toHaveLength(1);
  });

  test('wide letters are aligned by their columns', () => {
    expect(
      alignColumns([
        ['漢字', 'x'],
        ['abc', 'y'],
      ]),
    ).toEqual(['漢字  x', 'abc   y']);
  });
});

const cell = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '漢'), maxLength: 12 });
const rows = fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 4 });

test('every cell of a fitted or folded table is there or its column is named, and no line is too wide', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 28, max: 120 }), (body, width) => {
      const table = [['k', 'colA', 'colB', 'colC'], ...body];
      const folded = foldTable(table, width);
      // The key and one column: at most 24 + 2 + 24 columns.
      expect(Math.max(...folded.map(countColumns))).toBeLessThanOrEqual(Math.max(width, 50));
      for (const one of body.flat()) expect(folded.join('\n')).toContain(one);
      const text = fitTables([table], { width, worth: ['always', 3, 2, 1], more: MORE });
      expect(Math.max(...text.map(countColumns))).toBeLessThanOrEqual(width);
      for (const title of table[0] ?? []) expect(text.join('\n')).toContain(title);
    }),
  );
});

test('a sentence is broken between its words and loses none', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 20, max: 90 }),
      fc.nat(4),
      fc.nat(4),
      (words, width, indent, more) => {
        const text = ' '.repeat(indent) + words.join(' ');
        const lines = wrapLine(text, width, more);
        expect(lines.map((line) => line.trim()).join(' ')).toBe(words.join(' '));
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
        for (const [index, line] of lines.entries())
          expect(line.search(/\S/)).toBe(indent + (index === 0 ? 0 : more));
      },
    ),
  );
});
