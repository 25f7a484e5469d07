/** The habits: code that the linter refuses, each beside the nearest code that it lets pass. */

export type Habit = {
  /** The purpose, as a sentence. */
  readonly name: string;
  /** Where both plants stand. */
  readonly folder: string;
  readonly refused: string;
  readonly passes: string;
  /** Default: a rule of our own. */
  readonly rule?: string;
  /** Part of the linter's message, unless its own words will do. */
  readonly message?: string;
};

const CHANCE = 'Chance is a value: take it from machines/rules/dice.ts';
const TIME = 'Time is a tick or a named delay: take it from an event.';
const PORT = 'Time is a port: take it from actors/ports/time.ts, or as an argument.';
const WAITING = 'Waiting is the business of actors/: take the result from an event';
const GLOBAL = 'lint/style/noRestrictedGlobals';

const filled = (lines: number) =>
  `export function long(): number {\n${'  one();\n'.repeat(lines - 1)}  return one();\n}\nconst one = () => 1;\n`;

/** The most lines that a function may have. */
const MOST_LINES = 50;

function global(name: string, folder: string, refused: string, message: string): Habit {
  const passes = 'export const tick = (last: number) => last + 1;';
  return { name, folder, refused, passes, rule: GLOBAL, message };
}

export const HABITS: readonly Habit[] = [
  {
    name: 'no chance but the die',
    folder: 'actors',
    refused: 'export const face = () => 1 + Math.floor(6 * Math.random());',
    passes: 'export const face = (draw: number) => 1 + Math.floor(6 * draw);',
    message: CHANCE,
  },
  {
    name: 'the process is reached through a port',
    folder: 'actors/league',
    refused: 'export const end = () => process.exit(1);\nexport const key = process.env;',
    passes: 'export const end = (exit: (code: number) => never) => exit(1);',
    message: 'The process is reached through a port: take it from actors/ports/process.ts',
  },
  {
    name: 'a command too hears of signals through a port',
    folder: 'cli',
    refused: "process.on('SIGINT', () => {});\nprocess.removeAllListeners('SIGTERM');",
    passes: 'export const width = () => process.stdout.columns;',
    message: 'The process is reached through a port: take it from actors/ports/process.ts',
  },
  {
    name: 'a command opens what comes from outside by its input',
    folder: 'cli',
    refused: "realDisk.read('a.jsonl');",
    passes: "realDisk.remove('a.jsonl');",
    message: 'What comes from outside is opened by actors/files/openFiles.ts',
  },
  {
    name: 'no read of a signal that nothing is done with',
    folder: 'visualizer/page/frame',
    refused:
      'export function follow(length: { readonly value: number }): void {\n  length.value;\n}',
    passes:
      'export function follow(length: { readonly value: number }): void {\n  length.valueOf();\n}',
    message: 'Built pages leave out reads that nothing is done with',
  },
  {
    name: 'no chance by another name',
    folder: 'machines/rules',
    refused: 'const { random } = Math;\nexport const draw = () => random();',
    passes: 'const { floor } = Math;\nexport const draw = (word: number) => floor(word);',
    message: CHANCE,
  },
  {
    name: 'no import inside a type',
    folder: 'machines/rules',
    refused: "export type Books = import('../arbiter.ts').Books;",
    passes: "export type { Books } from './floor.ts';\nexport type Tick = number;",
    message: 'Import at the top of the file: no fence sees an import inside a type',
  },
  {
    name: 'nothing waits in a machine',
    folder: 'machines',
    refused: 'export async function later(bid: () => unknown) {\n  return await bid();\n}',
    passes: 'export function later(bid: () => unknown) {\n  return bid();\n}',
    message: WAITING,
  },
  global('no clock in a rule', 'machines/rules', 'export const now = () => new Date();', TIME),
  global('no clock in a machine', 'machines', 'export const now = () => Date.now();', TIME),
  global('no clock in a prompt', 'prompts', 'export const now = () => performance.now();', TIME),
  global('no clock but the port', 'actors/league', 'export const now = () => Date.now();', PORT),
  global('no clock in a command', 'cli', 'export const now = () => performance.now();', PORT),
  global('no timer in a command', 'cli', 'setTimeout(() => {}, 5);', PORT),
  global(
    'no timer in a phase',
    'machines/meeting',
    'setTimeout(() => {}, 5);',
    'Use a named delay of the statechart.',
  ),
  global(
    'no log in a machine',
    'machines',
    "console.log('red');",
    'Return a fact: the journal tells it.',
  ),
  global(
    'no environment in a prompt',
    'prompts',
    'export const home = () => process.env;',
    'Pass it in as an option.',
  ),
  global(
    'no network in a machine',
    'machines',
    "export const page = () => fetch('http://localhost');",
    'Effects live in actors/.',
  ),
  global(
    'no hidden draw in a rule',
    'machines/rules',
    'export const id = () => crypto.randomUUID();',
    CHANCE,
  ),
  global(
    'no promise in a prompt',
    'prompts',
    'export type Text = Promise<string>;',
    'Waiting is the business of actors/: take the result from an event.',
  ),
  {
    name: 'no default export',
    folder: 'actors',
    refused: 'export default 5;',
    passes: 'export const five = 5;',
    rule: 'lint/style/noDefaultExport',
  },
  {
    name: 'no enum',
    folder: 'actors',
    refused: 'export enum Colour {\n  Red = 1,\n}',
    passes: "export const COLOURS = ['red'] as const;",
    rule: 'lint/style/noEnum',
  },
  {
    name: 'no non-null assertion',
    folder: 'actors',
    refused: 'export const size = (name: string | null) => name!.length;',
    passes: 'export const size = (name: string | null) => name?.length ?? 0;',
    rule: 'lint/style/noNonNullAssertion',
  },
  {
    name: 'no any',
    folder: 'actors',
    refused: 'export const same = (value: any) => value;',
    passes: 'export const same = (value: unknown) => value;',
    rule: 'lint/suspicious/noExplicitAny',
  },
  {
    name: 'no barrel',
    folder: 'actors',
    refused: "export * from './hold.ts';",
    passes: "import { hold } from './hold.ts';\nexport const held = hold;",
    rule: 'lint/performance/noBarrelFile',
  },
  {
    name: 'no floating promise',
    folder: 'actors',
    refused: 'const ask = async () => 1;\nexport const start = () => {\n  ask();\n};',
    passes: 'const ask = async () => 1;\nexport const start = async () => {\n  await ask();\n};',
    rule: 'lint/nursery/noFloatingPromises',
  },
  {
    name: 'no forgotten case',
    folder: 'machines/rules',
    refused:
      "export function sign(kind: 'body' | 'button') {\n  switch (kind) {\n    case 'body':\n      return 1;\n  }\n}",
    passes:
      "export function sign(kind: 'body' | 'button') {\n  switch (kind) {\n    case 'body':\n      return 1;\n    case 'button':\n      return 2;\n  }\n}",
    rule: 'lint/nursery/useExhaustiveSwitchCases',
  },
  {
    name: 'four parameters at most',
    folder: 'actors',
    refused: 'export const sum = (a: 1, b: 1, c: 1, d: 1, e: 1) => a + b + c + d + e;',
    passes: 'export const sum = (a: 1, b: 1, c: 1, d: 1) => a + b + c + d;',
    rule: 'lint/complexity/useMaxParams',
  },
  {
    name: 'fifty lines at most',
    folder: 'actors',
    refused: filled(MOST_LINES + 1),
    passes: filled(MOST_LINES),
    rule: 'lint/complexity/noExcessiveLinesPerFunction',
  },
  {
    name: 'no test that silences the others',
    folder: 'tests',
    refused: "import { test } from 'vitest';\ntest.only('a tie ejects nobody', () => {});",
    passes: "import { test } from 'vitest';\ntest('a tie ejects nobody', () => {});",
    rule: 'lint/suspicious/noFocusedTests',
  },
  {
    name: 'no package that is not declared',
    folder: 'cli',
    refused: "import 'left-pad';",
    passes: "import 'commander';",
    rule: 'lint/correctness/noUndeclaredDependencies',
  },
  {
    name: 'no package of the tests in production',
    folder: 'cli',
    refused: "import 'fast-check';",
    passes: "import 'zod';",
    rule: 'lint/correctness/noUndeclaredDependencies',
  },
];
