/** Mutants of a source: what is changed in it, one place at a time, and what is left alone. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../cli/exit.ts';
import { formatLines, readArguments } from './mutation/arguments.ts';
import type { JudgedMutant, MutantOutcome } from './mutation/judge.ts';
import { listGaps, listStaleReasons, renderCounts } from './mutation/mutantReport.ts';
import { listMutants } from './mutation/mutate.ts';
import { checkTypes } from './mutation/typing.ts';

function changesOf(source: string, isThorough = false): readonly string[] {
  return listMutants('source.ts', source, isThorough).map(({ was, is }) => `${was} → ${is}`);
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

test.each([
  ['const a = b ? c : d;', ['b → true', 'b → false']],
  ['const a = [b, c];', ['b,  → ', 'c → ', 'b, c → c, b']],
  ['const a = [b];', ['b → ']],
  ['const a = { b, ...c };', ['b,  → ', '...c → ']],
  ['const a = b ?? c;', ['?? → &&', 'b ?? c → b', 'b ?? c → c']],
  ['const a = b.some(c);', ['some → every', 'b.some(c) → b']],
  ['const a = f(b, c);', ['b, c → c, b']],
  ['const a = 3;', ['3 → 4', '3 → 2']],
  ["const a = 'living';", ["'living' → 'dead'"]],
  ["const a = 'departed';", ["'departed' → 'living'"]],
  ["const a = 'a word of no list';", []],
  ['for (const a of b) continue;', ['continue; → ;']],
  ['const a = () => b;', ['null', '[]', '({})', 'true', 'false'].map((is) => `b → ${is}`)],
])('thoroughly, of %s', (source, changes) => {
  expect(changesOf(source, true)).toEqual(changes);
});

const CHART = `import { setup } from 'xstate';
export const chart = setup({
  types: { context: {} as { a: 1 } },
  actions: { effect: () => unprovided('effect') },
}).createMachine({
  initial: 'one',
  states: {
    one: { on: { go: { guard: 'may', target: 'two', actions: ['a', 'b'] } } },
    two: { entry: { type: 'b' }, always: [{ guard: 'must', target: 'one' }, { target: 'two' }] },
  },
});
`;

test.each([
  ['a guard is left out', "guard: 'may',  → "],
  ['a guard is turned round', "'may' → isNot('may')"],
  ['a guard is exchanged', "'may' → 'must'"],
  ['a target is left out', "target: 'two',  → "],
  ['a target is exchanged', "'two' → 'one'"],
  ['an action is left out', "'a',  → "],
  ['actions come in another order', "'a', 'b' → 'b', 'a'"],
  ['an action is exchanged', "'a' → 'b'"],
  ['an action with parameters is exchanged', "'b' → 'a'"],
  ['an event is not heard', "go: { guard: 'may', target: 'two', actions: ['a', 'b'] } → "],
  ['an entry is left out', "entry: { type: 'b' },  → "],
  [
    'transitions are tried in another order',
    "{ guard: 'must', target: 'one' }, { target: 'two' } → { target: 'two' }, { guard: 'must', target: 'one' }",
  ],
  ['it begins elsewhere', 'one → two'],
])('of a chart: %s', (_, change) => {
  expect(changesOf(CHART, true)).toContain(change);
  expect(changesOf(CHART)).not.toContain(change);
});

test('of a chart, types and effects that others provide are left alone', () => {
  const of = listMutants('chart.ts', CHART, true).filter(({ line }) => line === 3 || line === 4);
  expect(of.map(({ was }) => was.split(':')[0])).toEqual(['types', 'actions', 'effect']);
});

test('every mutant of a chart is a file that can be read', () => {
  for (const { source } of listMutants('chart.ts', CHART, true))
    expect(() => listMutants('chart.ts', source)).not.toThrow();
});

test('the compiler refuses what is no value of its type, and nothing else', () => {
  const path = 'machines/rules/pads.ts';
  const source = readFileSync(path, 'utf8');
  const [wrong, right] = [
    `${source}export const a: number = null;\n`,
    `${source}export const a = null;\n`,
  ];
  const mutants = [wrong, right, source].map((text) => ({
    line: 1,
    was: '',
    is: '',
    source: text,
  }));
  expect(checkTypes(path, mutants)).toEqual([false, true, true]);
});

describe('mutants that live', () => {
  const judge = (name: string, outcome: MutantOutcome): JudgedMutant => ({
    mutant: { name, line: 7, was: '', is: '', source: '' },
    outcome,
  });
  const source = {
    path: 'a.ts',
    judged: [judge('one', { type: 'alive' }), judge('two', { type: 'test', by: 'a.test.ts' })],
  };
  const names = new Map([['a.ts', ['one', 'two']]]);
  const why = (...mutants: readonly string[]) => [{ path: 'a.ts', why: 'it is so', mutants }];

  test('need a reason', () => {
    expect(listGaps([source], [])).toEqual(['a.ts:7 is noticed by nothing: one']);
    expect(listGaps([source], why('one'))).toEqual([]);
  });

  test('are not among those that are noticed', () => {
    expect(listGaps([source], why('one', 'two'))).toEqual([
      'a.ts:7 is said to live and does not (test a.test.ts): two',
    ]);
  });

  test('are there, once, and their reason says something', () => {
    expect(listStaleReasons(names, why('one', 'two'))).toEqual([]);
    expect(listStaleReasons(names, why('three'))).toEqual(['there is no such mutant: a.ts: three']);
    expect(listStaleReasons(names, why('one', 'one'))).toEqual(['explained twice: a.ts: one']);
    expect(listStaleReasons(names, [{ path: 'a.ts', why: ' ', mutants: ['one'] }])).toEqual([
      'explained by nothing: a.ts: one',
    ]);
  });

  test('are counted', () => {
    expect(renderCounts([source])).toContain('| `a.ts` | 2 | 0 | 0 | 1 | 0 | 1 | 0 of 0 |\n');
  });
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
  expect(readArguments(ENOUGH)).toMatchObject({ lines: null, share: 1, seed: '1' });
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
