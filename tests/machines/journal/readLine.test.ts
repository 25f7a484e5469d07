/** Values that were read from a journal become lines only if the schema allows them, however they are made. */
import { describe, expect, test } from 'vitest';
import { readLine } from '../../../machines/journal/readLine.ts';
import { DEEPEST } from '../../../machines/text.ts';

/** A line of the living with these fields more, as text. */
function rowWith(fields: string): string {
  return `{"channel":"living","seq":0,"type":"scratchpads.erased"${fields},"hash":""}`;
}

/** Arrays in arrays. */
function nest(levels: number): string {
  return `${'['.repeat(levels)}0${']'.repeat(levels)}`;
}

// The line and its clock are two levels.
test.each([
  [0, true],
  [64, true],
  [DEEPEST - 2, true],
  [DEEPEST - 1, false],
  [100_000, false],
])('a line whose clock is nested %i levels deep is a line: %s', (levels, isLine) => {
  const row = rowWith(`,"clock":{"deep":${nest(levels)}}`);
  expect(readLine(JSON.parse(row)) !== null).toBe(isLine);
});

describe('names that every object has', () => {
  test('a field of the name __proto__ makes a line none', () => {
    expect(readLine(JSON.parse(rowWith(',"__proto__":{"seq":1}')))).toBeNull();
  });

  test('a clock with a field of that name is read without it', () => {
    const line = readLine(JSON.parse(rowWith(',"clock":{"__proto__":{},"ms":1}')));
    expect(line?.clock).toEqual({ ms: 1 });
    expect(Object.getPrototypeOf(line?.clock)).toBe(Object.prototype);
  });

  test('a field of the name constructor makes a line none', () => {
    expect(readLine(JSON.parse(rowWith(',"constructor":1')))).toBeNull();
  });
});

test('of a field that is there twice the last one counts, as in all JSON', () => {
  expect(readLine(JSON.parse(rowWith(',"seq":7')))?.seq).toBe(7);
});

test.each([null, 1, 'text', [], {}, [rowWith('')]])('%j is no line', (value) => {
  expect(readLine(value)).toBeNull();
});
