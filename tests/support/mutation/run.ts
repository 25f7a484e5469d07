/**
 * `npm run mutants`: breaks a source in one place after another and says which breaks no test notices.
 *
 *     npm run mutants -- --source actors/engine/consult.ts --tests tests/actors/engine/consult.test.ts
 *
 * A source is never changed on disk: the tests are given a mutant in its place. A mutant that keeps a process busy for
 * ever is killed with it, and counts as noticed.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TestSpecification } from 'vitest/node';
import { uniform } from '../endpoint/pick.ts';
import { listMutants, type Mutant } from './mutate.ts';

/** Milliseconds for a test, and for a mutant that says nothing. */
const TEST_MS = 10_000;
const SILENT_MS = 90_000;
/** The exit status of a process in which the tests fail without a mutant. */
const UNSOUND = 3;

const { values } = parseArgs({
  options: {
    source: { type: 'string' },
    tests: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
    share: { type: 'string', default: '1' },
    /** Where a process goes on that follows another one. */
    from: { type: 'string' },
  },
});

const path = values.source ?? '';
const source = readFileSync(path, 'utf8');
const chosen = listMutants(path, source).filter(
  (_, index) => uniform(`${values.seed} ${path} ${index}`) < Number(values.share),
);

if (values.from === undefined) await supervise();
else await tryAll(Number(values.from));

/** Tries mutants in processes of their own, the next where one was lost. */
async function supervise(): Promise<void> {
  console.log(`${path}: ${chosen.length} mutants, seed ${values.seed}, share ${values.share}`);
  const survivors: Mutant[] = [];
  for (let next = 0; next < chosen.length; ) {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const args = [...process.argv.slice(1), '--from', String(next)];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
    let timer = setTimeout(kill, SILENT_MS);
    let text = '';
    const first = next;
    child.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines.filter((one) => /^mutant (noticed|survives)$/.test(one))) {
        const mutant = chosen[next];
        next += 1;
        if (line !== 'mutant survives' || mutant === undefined) continue;
        survivors.push(mutant);
        console.log(describeMutant(mutant));
      }
      clearTimeout(timer);
      timer = setTimeout(kill, SILENT_MS);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === UNSOUND)
        throw new Error('without a mutant the tests must pass, and there must be some');
      // What was tried when the process was lost is noticed: it never ended.
      if (next < chosen.length && (next > first || text === '')) next += 1;
      end();
    });
    await promise;
  }
  console.log(`${path}: ${chosen.length - survivors.length} of ${chosen.length} noticed`);
}

function describeMutant({ line, was, is }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 90);
  return `survives: ${path}:${line} ${short(was)} → ${short(is)}`;
}

async function tryAll(from: number): Promise<void> {
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
      include: values.tests,
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
  if (specifications.length === 0 || (await isNoticed(source))) process.exit(UNSOUND);
  for (const mutant of chosen.slice(from)) {
    console.log((await isNoticed(mutant.source)) ? 'mutant noticed' : 'mutant survives');
  }
  await vitest.close();
  process.exit(0);
}
