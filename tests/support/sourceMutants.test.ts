/**
 * Rules and charts of a meeting, broken in every place: each mutant is refused by the compiler, noticed by a test or a
 * proof, or explained. A few are drawn by the seed of the suite; the long run tries all and writes docs/source-mutants.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listNamedMutants } from './mutation/judge.ts';
import { listStaleReasons, renderSurvivors } from './mutation/mutantReport.ts';
import { MUTATED_SOURCES } from './mutation/sources.ts';
import { SURVIVORS } from './mutation/survivors.ts';
import { checkTypes } from './mutation/typing.ts';
import { IS_LONG, seeds } from './seeds.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = new URL('../../docs/source-mutants.md', import.meta.url);
const SEED = process.env['FC_SEED'] ?? '1';

function judge(...args: readonly string[]) {
  const program = 'tests/support/mutation/everyMutant.ts';
  // Tests of ours are run by it, which must not take this for their run.
  const { VITEST: _, VITEST_POOL_ID: _pool, VITEST_WORKER_ID: _worker, ...env } = process.env;
  return spawnSync(process.execPath, [program, ...args], { cwd: ROOT, encoding: 'utf8', env });
}

test(`${seeds(2, 10_000)} mutants are dead or explained (seed ${SEED})`, () => {
  const before = readFileSync(PAGE, 'utf8');
  const { status, stdout, stderr } = IS_LONG
    ? judge('--write')
    : judge('--few', '6', '--seed', SEED);
  expect(stderr).toBe('');
  expect(stdout).toContain('| all |');
  expect(status, stdout).toBe(0);
  expect(readFileSync(PAGE, 'utf8'), 'the page has changed: review the difference').toBe(before);
});

/** A mistake in a chart, and the property of its small proofs that finds it; without a mistake none does. */
test.each([
  ['player', "actions: ['place', 'note']", "actions: ['note']", 'awaited-answers-are-handed-on'],
  ['player', "actions: ['dismiss', 'die']", "actions: 'dismiss'", 'begins-as-it-is'],
  ['player', '', '', null],
  ['gallery', "guard: 'isDone', ", '', 'last-turns-are-kept'],
  [
    'gallery',
    "always: { guard: 'everyGhostAnswered', target: 'settling' },",
    '',
    'waits-for-somebody',
  ],
  ['gallery', '', '', null],
] as const)(
  'the small proofs of the %s, with %j instead of %j, find %j',
  (kind, was, is, property) => {
    const path = `machines/charts/${kind}.ts`;
    const source = readFileSync(`${ROOT}${path}`, 'utf8');
    expect(source).toContain(was);
    const folder = mkdtempSync(join(tmpdir(), 'planted-'));
    const mutant = join(folder, 'mutant.ts');
    writeFileSync(mutant, source.replace(was, is));
    const program = 'tests/support/mutation/proveMutant.ts';
    const { stdout } = spawnSync(process.execPath, [program, path, mutant, kind], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    const found = JSON.parse(stdout);
    expect(found?.property ?? null).toBe(property);
  },
);

test('every reason is one of a mutant that there is, and the page tells them', () => {
  const names = new Map(
    MUTATED_SOURCES.map(({ path }) => [path, listNamedMutants(path).map(({ name }) => name)]),
  );
  for (const [path, all] of names) expect(new Set(all).size, path).toBe(all.length);
  expect(listStaleReasons(names, SURVIVORS)).toEqual([]);
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toContain(renderSurvivors(SURVIVORS));
});

test('the page counts as many that live as are explained', () => {
  const page = readFileSync(PAGE, 'utf8');
  for (const { path } of MUTATED_SOURCES) {
    const [, living] =
      new RegExp(`^\\| \`${path}\`(?: \\| \\d+){5} \\| (\\d+) \\|`, 'm').exec(page) ?? [];
    const explained = SURVIVORS.filter((one) => one.path === path).flatMap(
      ({ mutants }) => mutants,
    );
    expect([path, Number(living)]).toEqual([path, explained.length]);
  }
});

test('a mutant that does not parse keeps the compiler from refusing no other', () => {
  const sources = [
    'export const = 1;',
    "export const one: number = 'one';",
    'export const one = 1;',
  ];
  const mutants = sources.map((source) => ({ line: 1, was: '', is: '', source }));
  expect(checkTypes('machines/rules/pads.ts', mutants)).toEqual([false, false, true]);
});
