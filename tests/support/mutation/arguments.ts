/** Arguments of `npm run mutants`: which source is broken, in which lines, and the tests that should notice. */
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createFailure, describeSystemError, EXIT, type Failure } from '../../../cli/exit.ts';

export type MutationPlan = {
  readonly path: string;
  readonly source: string;
  readonly tests: readonly string[];
  readonly seed: string;
  /** The part of the mutants that is tried, above 0 and at most 1. */
  readonly share: number;
  /** Lines whose mutants are tried, from 1; null for all. */
  readonly lines: ReadonlySet<number> | null;
};

const OPTIONS = {
  source: { type: 'string' },
  tests: { type: 'string', multiple: true },
  seed: { type: 'string', default: '1' },
  share: { type: 'string', default: '1' },
  lines: { type: 'string' },
} as const;

const EXAMPLE =
  'npm run mutants -- --source actors/engine/consult.ts --tests tests/actors/engine/consult.test.ts';

/** Throws a failure with a sentence where an argument is wrong. */
export function readArguments(args: readonly string[]): MutationPlan {
  const { source: path, tests = [], seed, share, lines } = parse(args);
  if (path === undefined) throw refuse(`--source names the file that is broken: ${EXAMPLE}`);
  if (!path.endsWith('.ts')) throw refuse(`--source expects a file of TypeScript, found ${path}`);
  const source = readSource(path);
  if (tests.length === 0) throw refuse(`--tests names the tests that should notice: ${EXAMPLE}`);
  for (const one of tests) refuseNoTest(one);
  const part = Number(share);
  if (!(part > 0 && part <= 1))
    throw refuse(`--share expects a number above 0 and at most 1, found ${share}`);
  return {
    path,
    source,
    tests,
    seed,
    share: part,
    lines: lines === undefined ? null : readLines(lines, source.trimEnd().split('\n').length),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    const [sentence] = String(error instanceof Error ? error.message : error).split('. ');
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw refuse(`${sentence} (there are ${names.join(', ')})`);
  }
}

function readSource(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw createFailure(
      EXIT.noInput,
      'mutants/no-source',
      `${path}: ${describeSystemError(error)}`,
    );
  }
}

/** A pattern is left to vitest; a path must be that of a test. */
function refuseNoTest(path: string): void {
  if (/[*{[]/.test(path)) return;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || !path.endsWith('.test.ts'))
    throw refuse(
      `--tests expects a file that ends in .test.ts, or a pattern of such, found ${path}`,
    );
}

/** Lines and ranges of lines, as `12,15-20`. */
function readLines(text: string, last: number): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const part of text.split(',')) {
    const [, first = '', end = first] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
    const [from, to] = [Number(first), Number(end)];
    if (first === '' || from < 1 || to < from || to > last)
      throw refuse(
        `--lines expects lines from 1 to ${last}, as 12,15-20, found ${part === '' ? 'nothing' : part}`,
      );
    for (let line = from; line <= to; line++) lines.add(line);
  }
  return lines;
}

function refuse(text: string): Failure {
  return createFailure(EXIT.usage, 'mutants/wrong-argument', text);
}

/** Lines as `--lines` takes them. */
export function formatLines(lines: readonly number[]): string {
  return [...new Set(lines)].toSorted((a, b) => a - b).join(',');
}
