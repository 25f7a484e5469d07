import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical } from '../../../machines/journal/canonical.ts';
import { law } from '../builders.ts';

test.each<[unknown, string]>([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ a: 2, b: 1 }, '{"a":2,"b":1}'],
  [[{ b: [{ d: 1, c: 2 }], a: [] }, 3], '[{"a":[],"b":[{"c":2,"d":1}]},3]'],
  [{ é: 1, z: 2, A: 3, '': 4 }, '{"":4,"A":3,"z":2,"é":1}'],
  [{ '😀': 1, '\ufb33': 2 }, '{"😀":1,"\ufb33":2}'],
  ['“ü”\n\u2028', '"“ü”\\n\u2028"'],
  [[1e21, 0.1, -0, 1.0], '[1e+21,0.1,0,1]'],
  [null, 'null'],
  [undefined, 'null'],
  [{}, '{}'],
  [{ 10: 'a', 9: 'b', x: 'c' }, '{"10":"a","9":"b","x":"c"}'],
  [{ a: undefined, b: null }, '{"b":null}'],
])('%j is written as one text', (value, text) => {
  expect(canonical(value)).toBe(text);
});

test('the value itself is not changed', () => {
  const value = Object.freeze({ b: Object.freeze({ d: 1, c: 2 }), a: 1 });
  expect(canonical(value)).toBe('{"a":1,"b":{"c":2,"d":1}}');
  expect(Object.keys(value)).toEqual(['b', 'a']);
});

/** The same value with the keys of every object written in the opposite order. */
function turnedAround(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(turnedAround);
  const pairs = Object.entries(value).reverse();
  return Object.fromEntries(pairs.map(([key, inner]) => [key, turnedAround(inner)]));
}

law(
  'the order in which keys were written does not show',
  fc.property(fc.jsonValue(), (value) => {
    expect(canonical(turnedAround(value))).toBe(canonical(value));
  }),
);

law(
  'the text says what the value said, and is its own canonical text',
  fc.property(fc.jsonValue(), (value) => {
    const text = canonical(value);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    expect(canonical(JSON.parse(text))).toBe(text);
  }),
);

law(
  'names come in the order of their code units, however many there are',
  fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 60 }), (names) => {
    const value: object = Object.fromEntries(names.map((name) => [name, 0]));
    const fields = [...names].sort().map((name) => `${JSON.stringify(name)}:0`);
    expect(canonical(value)).toBe(`{${fields.join(',')}}`);
  }),
);

test('the order of a list does show', () => {
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
});
