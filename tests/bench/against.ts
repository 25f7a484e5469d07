/**
 * This checkout against an earlier commit: `node tests/bench/against.ts [COMMIT] [--rounds N] [--record]`.
 *
 * Both are measured in turn, each time in a fresh process, so that a noisy machine slows both alike; what is printed is
 * the ratio, with its least and most over the rounds. `--record` appends the ratios to tests/bench/history.jsonl, which a
 * release refreshes.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import manifest from '#manifest' with { type: 'json' };
import { median } from './rounds.ts';

/** The tree before the charts were compiled: what ratios are told against unless another one is named. */
const BASELINE = '0724bf03';
const ROUNDS = 5;

const HERE = fileURLToPath(new URL('../..', import.meta.url));
const HISTORY = fileURLToPath(new URL('./history.jsonl', import.meta.url));

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string' }, record: { type: 'boolean' } },
  allowPositionals: true,
});
const commit = positionals[0] ?? BASELINE;
const rounds = Number(values.rounds ?? ROUNDS);

type Measured = {
  readonly firstMs: number;
  /** The first game again, when all is warm. */
  readonly againMs: number;
  readonly scriptedMs: number;
  readonly freeMs: number;
  readonly asked: number;
  readonly ticks: Readonly<Record<string, number>>;
  /** Function calls of a game whose minds cost nothing: the same on any machine. */
  readonly calls: number;
};

function measure(root: string): Measured {
  const script = join(HERE, 'tests', 'bench', 'tree.ts');
  return JSON.parse(execFileSync(process.execPath, [script, root], { encoding: 'utf8' }));
}

/** What is compared, in the order in which it is printed: the less, the better. */
function figuresOf(measured: Measured): Record<string, number> {
  const { firstMs, againMs, scriptedMs, freeMs, ticks, calls } = measured;
  return {
    'game of eight, scripted minds, journal (ms)': scriptedMs,
    'game of eight, minds that cost nothing (ms)': freeMs,
    'first game of a process (ms)': firstMs,
    'first game, times the same one warm': firstMs / againMs,
    'function calls of a game, minds that cost nothing (thousands)': calls / 1000,
    ...Object.fromEntries(Object.entries(ticks).map(([name, us]) => [`tick: ${name} (µs)`, us])),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'glassbox-against-'));
const tree = join(folder, 'tree');
const found: { readonly before: Measured; readonly after: Measured }[] = [];
try {
  execFileSync('git', ['-C', HERE, 'worktree', 'add', '-q', '--detach', tree, commit]);
  symlinkSync(resolve(HERE, 'node_modules'), join(tree, 'node_modules'));
  for (let round = 0; round < rounds; round++) {
    found.push({ before: measure(tree), after: measure(HERE) });
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
} finally {
  execFileSync('git', ['-C', HERE, 'worktree', 'remove', '--force', tree]);
  rmSync(folder, { recursive: true, force: true });
}

const rows = found.map(({ before, after }) => ({
  before: figuresOf(before),
  after: figuresOf(after),
}));
const history: Record<string, { times: number; least: number; most: number }> = {};
console.log(`${rounds} rounds against ${commit}\n    before     after  times faster (least–most)`);
for (const name of Object.keys(rows[0]?.after ?? {})) {
  const ratios = rows.map(
    ({ before, after }) => (before[name] ?? Number.NaN) / (after[name] ?? Number.NaN),
  );
  const one = (side: 'before' | 'after') =>
    median(rows.map((row) => row[side][name] ?? Number.NaN));
  const [times, least, most] = [median(ratios), Math.min(...ratios), Math.max(...ratios)];
  history[name] = { times, least, most };
  const figures = [one('before'), one('after')]
    .map((value) => value.toFixed(2).padStart(10))
    .join('');
  console.log(`${figures}  ${times.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})  ${name}`);
}
const asked = median(found.map(({ after }) => after.asked / after.freeMs)) * 1000;
console.log(`${Math.round(asked).toLocaleString('en')} minds asked a CPU-second, free minds`);
if (values.record === true) {
  const date = new Date().toISOString().slice(0, 10);
  const line = { date, version: manifest.version, against: commit, rounds, ratios: history };
  appendFileSync(HISTORY, `${JSON.stringify(line)}\n`);
}
