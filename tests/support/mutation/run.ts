/**
 * `npm run mutants`: breaks a source in one place after another and says which breaks no test notices.
 *
 *     npm run mutants -- --source actors/engine/consult.ts --tests tests/actors/engine/consult.test.ts
 *
 * With `--lines 12,15-20` only mutants of these lines are tried; those that survived come last, in this form.
 *
 * A source is never changed on disk: the tests are given a mutant in its place. A mutant that keeps a process busy for
 * ever is killed with it, and counts as noticed.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { createFailure, EXIT, Failure } from '../../../cli/exit.ts';
import { uniform } from '../endpoint/pick.ts';
import { formatLines, type MutationPlan, readArguments } from './arguments.ts';
import { listMutants, type Mutant } from './mutate.ts';

/** Milliseconds for a test. */
const TEST_MS = 10_000;

/** Milliseconds for a process that says nothing: at first, and for a mutant, where tests pass that much sooner without. */
const SILENT_MS = { most: 90_000, least: 30_000, times: 20 };

/**
 * What a process says once the tests have passed without a mutant, and the milliseconds that they took. A loss before
 * says nothing of a mutant.
 */
const SOUND = /^sound (\d+)$/;

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  for (const { text, code } of error.notes) console.error(`${text} [${code}]`);
  process.exitCode = error.exit;
}

async function main(plan: MutationPlan): Promise<void> {
  const { path, source, seed, share, lines } = plan;
  const chosen = listMutants(path, source).filter(
    ({ line }, index) =>
      (lines === null || lines.has(line)) && uniform(`${seed} ${path} ${index}`) < share,
  );
  if (chosen.length === 0) {
    const text = `${path} has no mutants, of those lines or in that share: try more of it`;
    throw createFailure(EXIT.usage, 'mutants/none', text);
  }
  if (plan.from === null) await supervise(plan, chosen);
  else await tryAll(plan, chosen.slice(plan.from));
}

/** Tries mutants in processes of their own, the next where one was lost. */
async function supervise(
  { path, seed, share }: MutationPlan,
  chosen: readonly Mutant[],
): Promise<void> {
  console.log(`${path}: ${chosen.length} mutants, seed ${seed}, share ${share}`);
  const survivors: Mutant[] = [];
  for (let next = 0; next < chosen.length; ) {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const args = [...process.argv.slice(1), '--from', String(next)];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
    let silentMs = SILENT_MS.most;
    let timer = setTimeout(kill, silentMs);
    let text = '';
    let isSound = false;
    child.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      const took = lines.map((line) => SOUND.exec(line)?.[1]).find((ms) => ms !== undefined);
      if (took !== undefined) {
        isSound = true;
        const { most, least, times } = SILENT_MS;
        silentMs = Math.min(most, Math.max(least, times * Number(took)));
      }
      for (const line of lines.filter((one) => /^mutant (noticed|survives)$/.test(one))) {
        const mutant = chosen[next];
        next += 1;
        if (line !== 'mutant survives' || mutant === undefined) continue;
        survivors.push(mutant);
        console.log(describeMutant(path, mutant));
      }
      clearTimeout(timer);
      timer = setTimeout(kill, silentMs);
    });
    child.on('close', () => {
      clearTimeout(timer);
      end();
    });
    await promise;
    if (!isSound) {
      const text =
        'without a mutant the tests must pass, and there must be some: run them with vitest';
      throw createFailure(EXIT.unusable, 'mutants/unsound-tests', text);
    }
    // What was tried when the process was lost is noticed: it never ended.
    if (next < chosen.length) next += 1;
  }
  console.log(`${path}: ${chosen.length - survivors.length} of ${chosen.length} noticed`);
  if (survivors.length > 0)
    console.log(`once more: --lines ${formatLines(survivors.map(({ line }) => line))}`);
}

function describeMutant(path: string, { line, was, is }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 90);
  return `survives: ${path}:${line} ${short(was)} → ${short(is)}`;
}

async function tryAll(
  { path, source, tests }: MutationPlan,
  chosen: readonly Mutant[],
): Promise<never> {
  const { createVitest } = await import('vitest/node');
  const target = resolve(path);
  let current = source;
  const vitest = await createVitest(
    'test',
    {
      config: false,
      watch: false,
      bail: 1,
      pool: 'forks',
      isolate: false,
      fsModuleCache: false,
      maxWorkers: 1,
      testTimeout: TEST_MS,
      reporters: [{}],
      include: [...tests],
      globalSetup: ['tests/setup.ts'],
      setupFiles: ['tests/setup.ts'],
    },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          transform: (_: string, id: string) => (id.split('?')[0] === target ? current : null),
        },
      ],
    },
  );
  const specifications: TestSpecification[] = await vitest.globTestSpecifications();
  const isNoticed = async (text: string) => {
    current = text;
    vitest.invalidateFile(target);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    return unhandledErrors.length > 0 || testModules.some((one) => !one.ok());
  };
  const began = performance.now();
  if (specifications.length === 0 || (await isNoticed(source))) process.exit(EXIT.unusable);
  console.log(`sound ${Math.ceil(performance.now() - began)}`);
  for (const mutant of chosen) {
    console.log((await isNoticed(mutant.source)) ? 'mutant noticed' : 'mutant survives');
  }
  await vitest.close();
  process.exit(EXIT.done);
}
