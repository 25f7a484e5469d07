/** Mutants of a source: what is changed in it, one place at a time, and what is left alone. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Failure } from '../../cli/exit.ts';
import { formatLines, readArguments } from './mutation/arguments.ts';
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

const SOURCE = 'tests/support/mutation/mutate.ts';
const ENOUGH = ['--source', SOURCE, '--tests', 'tests/support/mutants.test.ts'];
const LAST = readFileSync(SOURCE, 'utf8').trimEnd().split('\n').length;

test.each([
  ['7', [7]],
  ['12,15-17', [12, 15, 16, 17]],
  [' 3-3, 1', [1, 3]],
  [`1,${LAST}`, [1, LAST]],
])('--lines %s', (text, lines) => {
  const found = readArguments([...ENOUGH, '--lines', text]).lines ?? [];
  expect([...found].toSorted((a, b) => a - b)).toEqual(lines);
  expect(readArguments([...ENOUGH, '--lines', formatLines([...found])]).lines).toEqual(found);
});

test('without --lines and --share all is tried', () => {
  expect(readArguments(ENOUGH)).toMatchObject({ lines: null, share: 1, seed: '1', from: null });
});

test.each([
  [[], '--source names'],
  [['--source'], 'argument missing'],
  [['--sauce', 'x'], '(there are --source, --tests, --seed, --share, --lines)'],
  [['--source', 'README.md'], 'found README.md'],
  [['--source', 'nowhere.ts'], 'nowhere.ts: there is no such file'],
  [['--source', SOURCE], '--tests names'],
  [['--source', SOURCE, '--tests', 'nowhere.test.ts'], 'found nowhere.test.ts'],
  [['--source', SOURCE, '--tests', SOURCE], `found ${SOURCE}`],
  [[...ENOUGH, '--share', '0'], 'found 0'],
  [[...ENOUGH, '--share', '1.01'], 'found 1.01'],
  [[...ENOUGH, '--lines', '0'], `from 1 to ${LAST}`],
  [[...ENOUGH, '--lines', `1,${LAST + 1}`], `found ${LAST + 1}`],
  [[...ENOUGH, '--lines', '5-3'], 'found 5-3'],
  [[...ENOUGH, '--lines', '5,'], 'found nothing'],
])('%j is refused with a sentence', (args, sentence) => {
  expect(() => readArguments(args)).toThrow(Failure);
  expect(() => readArguments(args)).toThrow(sentence);
});
