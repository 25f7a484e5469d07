import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capTokens, textTokens } from '../../../machines/rules/floor.ts';
import { law } from '../builders.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  ['é', 1],
  ['éa', 1],
  ['éab', 2],
  ['中文中文', 3],
  ['😀', 1],
])('"%s" takes %i tokens', (text, tokens) => {
  expect(textTokens(text)).toBe(tokens);
});

test.each([
  ['abcdefgh', 2, 'abcdefgh'],
  ['abcdefghi', 2, 'abcdefgh'],
  ['ééé', 2, 'éé'],
  ['😀😀😀', 2, '😀😀'],
  ['a😀😀', 1, 'a😀'],
  ['ab😀', 1, 'ab'],
  ['abc', 0, ''],
])('"%s" capped at %i tokens is "%s"', (text, limit, capped) => {
  expect(capTokens(text, limit)).toBe(capped);
});

law(
  'ruling 35: a capped text is the longest beginning that fits, whole characters only',
  fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(20), (text, limit) => {
    const capped = capTokens(text, limit);
    expect(text.startsWith(capped)).toBe(true);
    expect(textTokens(capped)).toBeLessThanOrEqual(limit);
    expect(capped.isWellFormed()).toBe(true);
    const next = [...text][[...capped].length];
    if (next !== undefined) expect(textTokens(capped + next)).toBeGreaterThan(limit);
  }),
);
