/** Mutants of a source: what is changed in it, one place at a time, and what is left alone. */
import { expect, test } from 'vitest';
import { listMutants } from './mutation/mutate.ts';

function changesOf(source: string): readonly string[] {
  return listMutants('source.ts', source).map(({ was, is }) => `${was} → ${is}`);
}

test.each([
  ['const a = b < 3;', ['< → <=', '< → >=', '3 → 4']],
  ['const a = b && c;', ['&& → ||', 'b && c → b', 'b && c → c']],
  ['if (a) b();', ['a → !(a)', 'b(); → ;']],
  ['function f() { return 1; }', ['return 1; → return;', '1 → 2']],
  ['a += !b;', ['a += !b; → ;', '+= → -=', '!b → b']],
  [
    "const a = b === 'two words' || true;",
    [
      '|| → &&',
      "b === 'two words' || true → b === 'two words'",
      "b === 'two words' || true → true",
      '=== → !==',
      'true → false',
    ],
  ],
  ["const a = 'word' as const;", ["'word' → 'mutant'"]],
])('of %s', (source, changes) => {
  expect(changesOf(source)).toEqual(changes);
});

test.each([
  "import { a } from 'b';",
  "type A = 'b' | 'c';",
  'const a: 7 | string = b;',
  '// if (a && b) return 7;',
])('there are none of %s', (source) => {
  expect(changesOf(source)).toEqual([]);
});

test('each has its line, and is the source but for one place', () => {
  const source = 'const a = 1;\nconst b = a < 2;\n';
  const found = listMutants('source.ts', source);
  expect(found.map(({ line }) => line)).toEqual([1, 2, 2, 2]);
  expect(found[1]?.source).toBe('const a = 1;\nconst b = a <= 2;\n');
});
