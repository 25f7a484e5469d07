/**
 * The long run: every law that `npm test` tries on a few seeds, tried on thousands. `npm run test:long` runs it.
 *
 * It takes hours and can be stopped at any time. docs/results.md is written after every file and is all that is kept:
 * the latest result of each file, with the commit that it was run at. What has passed at this commit is not run again.
 * Words after the command choose files: `npm run test:long -- replay`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, 'node_modules/.cache/test-long');
const REPORT = join(FOLDER, 'report.json');
const RESULTS = join(ROOT, 'docs/results.md');

type FileResult = {
  readonly passed: number;
  readonly failed: number;
  readonly minutes: string;
  readonly commit: string;
  readonly day: string;
  readonly seed: string;
};

const ROW = /^\| `([^`]+)` \| (\d+) \| (\d+) \| ([\d.]+) \| ([^|]+) \| ([^|]+) \| (\d+) \|$/gm;

/** The laws: files that ask how many seeds they are tried on. */
function listLaws(): readonly string[] {
  return globSync(['tests/**/*.test.ts', 'checker/tests/**/*.test.ts'], { cwd: ROOT })
    .filter((path) => /\b(?:seeds|charts)\(\d/.test(readFileSync(join(ROOT, path), 'utf8')))
    .toSorted();
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

/**
 * The commit as it stands here, but for the page of results; a checkout with changes of its own is none that anybody else
 * has.
 */
function describeCommit(): string {
  const apart = ['--', '.', ':!docs/results.md'];
  const isChanged = git('status', '--porcelain', ...apart) !== '';
  const commit = git('log', '-1', '--format=%h', '--abbrev=7', ...apart);
  return `${commit}${isChanged ? ' with changes' : ''}`;
}

/** The latest result of each file. */
function readResults(): Map<string, FileResult> {
  const rows = [...readFileSync(RESULTS, 'utf8').matchAll(ROW)];
  return new Map(
    rows.map(([, path = '', passed, failed, minutes = '', commit = '', day = '', seed = '']) => [
      path,
      { passed: Number(passed), failed: Number(failed), minutes, commit, day, seed },
    ]),
  );
}

function runFile(path: string, seed: string): FileResult {
  const start = performance.now();
  writeFileSync(REPORT, '{}');
  const { status } = spawnSync('npx', ['vitest', 'run', '--testTimeout=0', path], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEST_LONG: '1', TEST_REPORT: REPORT, FC_SEED: seed },
  });
  const counts = z.object({
    numPassedTests: z.number().default(0),
    numFailedTests: z.number().default(0),
  });
  const found = counts.parse(JSON.parse(readFileSync(REPORT, 'utf8')));
  const failed = status === 0 ? found.numFailedTests : Math.max(1, found.numFailedTests);
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  return { passed: found.numPassedTests, failed, minutes, commit, day: today, seed };
}

function renderResults(laws: readonly string[], results: ReadonlyMap<string, FileResult>): string {
  const rows = laws.map((path) => {
    const result = results.get(path);
    if (result === undefined) return `| \`${path}\` | not run | | | | | |`;
    const { passed, failed, minutes, commit: at, day, seed: of } = result;
    return `| \`${path}\` | ${passed} | ${failed} | ${minutes} | ${at} | ${day} | ${of} |`;
  });
  return `# Results of the long run

\`npm run test:long\` tries every law on thousands of seeds, games and charts; \`npm test\` tries the same laws on a few.
It can be stopped at any time and goes on where it was. It writes this page after every file: the latest result of each,
and the commit that it was run at.

What long runs measure stands where it is explained: how often the intervals of leagues hold the truth, false alarms and
planted effects in [statistics](statistics.md#what-was-measured), who wins in [balance](balance.md), what planted faults the
checker finds in [mutants](mutants.md), what prompts cost in [prompts](prompts.md).

| file | passed | failed | minutes | commit | day | seed |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

const chosen = process.argv.slice(2);
const laws = listLaws();
for (const part of chosen.filter((one) => !laws.some((path) => path.includes(one)))) {
  console.error(`expected a part of the path of a test with a long run, found "${part}"`);
  process.exit(2);
}
const commit = describeCommit();
const today = new Date().toISOString().slice(0, 10);
const seed = process.env['FC_SEED'] ?? today.replaceAll('-', '');
mkdirSync(FOLDER, { recursive: true });
const results = readResults();
for (const path of laws) {
  if (chosen.length > 0 && !chosen.some((part) => path.includes(part))) continue;
  const known = results.get(path);
  if (known?.commit === commit && known.failed === 0) continue;
  results.set(path, runFile(path, seed));
  writeFileSync(RESULTS, renderResults(laws, results));
}
const here = laws.flatMap((path) => {
  const result = results.get(path);
  return result?.commit === commit ? [result] : [];
});
const failed = here.filter((result) => result.failed > 0).length;
console.log(`${here.length} of ${laws.length} files run at ${commit}, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
