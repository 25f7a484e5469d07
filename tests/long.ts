/**
 * The long run: every law that `npm test` tries on a few seeds, tried on thousands. `npm run test:long` runs it.
 *
 * It takes hours and can be stopped at any time: what has passed at this commit is not run again. The latest result is
 * written to docs/results.md after every file. Words after the command choose files: `npm run test:long -- replay`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, 'node_modules/.cache/test-long');
const STATE = join(FOLDER, 'state.json');
const REPORT = join(FOLDER, 'report.json');
const RESULTS = join(ROOT, 'docs/results.md');

const fileResult = z.object({
  passed: z.number(),
  failed: z.number(),
  minutes: z.number(),
});
const stateSchema = z.object({
  commit: z.string(),
  seed: z.string(),
  files: z.record(z.string(), fileResult),
});
type LongState = z.infer<typeof stateSchema>;

/** The laws: files that ask how many seeds they are tried on. */
function listLaws(): readonly string[] {
  return globSync(['tests/**/*.test.ts', 'checker/tests/**/*.test.ts'], { cwd: ROOT })
    .filter((path) => /\b(?:seeds|charts)\(\d/.test(readFileSync(join(ROOT, path), 'utf8')))
    .toSorted();
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** The commit as it stands here; a checkout with changes of its own is none that anybody else has. */
function describeCommit(): string {
  const isChanged = git('status', '--porcelain', '--', ':!docs/results.md') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
}

/** What is known of this commit; an earlier one's results prove nothing about it. */
function readState(commit: string): LongState {
  const seed = process.env['FC_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(STATE, 'utf8')));
    if (state.commit === commit) return state;
  } catch {}
  return { commit, seed, files: {} };
}

function runFile(path: string, seed: string): z.infer<typeof fileResult> {
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
  return { passed: found.numPassedTests, failed, minutes: (performance.now() - start) / 60_000 };
}

function renderResults({ commit, seed, files }: LongState, laws: readonly string[]): string {
  const rows = laws.map((path) => {
    const result = files[path];
    if (result === undefined) return `| \`${path}\` | not run | | |`;
    const { passed, failed, minutes } = result;
    return `| \`${path}\` | ${passed} | ${failed} | ${minutes.toFixed(1)} |`;
  });
  const today = new Date().toISOString().slice(0, 10);
  return `# Results of the long run

\`npm run test:long\` tries every law on thousands of seeds, games and charts; \`npm test\` tries the same laws on a few.
It can be stopped at any time and goes on where it was. It wrote this page on ${today}, at commit ${commit}, with seed
${seed}.

| file | passed | failed | minutes |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

const chosen = process.argv.slice(2);
const laws = listLaws();
const commit = describeCommit();
mkdirSync(FOLDER, { recursive: true });
const state = readState(commit);
for (const path of laws) {
  if (chosen.length > 0 && !chosen.some((part) => path.includes(part))) continue;
  if (state.files[path]?.failed === 0) continue;
  state.files[path] = runFile(path, state.seed);
  writeFileSync(STATE, JSON.stringify(state));
  writeFileSync(RESULTS, renderResults(state, laws));
}
const failed = Object.values(state.files).filter((result) => result.failed > 0).length;
console.log(`${Object.keys(state.files).length} of ${laws.length} files run, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
