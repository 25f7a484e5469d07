/** The process in which mutants are tried: `trials.ts` starts it with the path of a plan. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from 'vitest/node';
import type { z } from 'zod';
import { EXIT } from '../../../cli/exit.ts';
import { MARK, type messageSchema, trialSchema } from './trials.ts';

/** Milliseconds for a test. */
const TEST_MS = 10_000;

const [plan = ''] = process.argv.slice(2);
const { path, source, tests, mutants } = trialSchema.parse(JSON.parse(readFileSync(plan, 'utf8')));
const target = resolve(path);
let current = source;

/** In the order in which the tests are named: those come first that are most likely to notice. */
class AsNamed extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(tests.map((one, place) => [resolve(one), place]));
    const placeOf = ({ moduleId }: TestSpecification) => places.get(moduleId) ?? tests.length;
    return specs.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

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
    sequence: { sequencer: AsNamed },
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
const began = performance.now();
if (specifications.length === 0 || (await findNotice(source)) !== null) process.exit(EXIT.unusable);
say({ soundMs: Math.ceil(performance.now() - began) });
for (const mutant of mutants) {
  const notice = await findNotice(mutant);
  say(notice ?? { noticedBy: null, test: null });
}
await vitest.close();
process.exit(EXIT.done);

type Notice = { readonly noticedBy: string; readonly test: string | null };

/** The first test that fails; null where all pass. */
async function findNotice(text: string): Promise<Notice | null> {
  current = text;
  vitest.invalidateFile(target);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const one of testModules) {
    if (one.ok()) continue;
    return { noticedBy: relative(process.cwd(), one.moduleId), test: failedTest(one) };
  }
  return unhandledErrors.length === 0
    ? null
    : { noticedBy: 'an error outside of tests', test: null };
}

function failedTest(module: TestModule): string | null {
  for (const one of module.children.allTests('failed')) return one.fullName;
  return null;
}

function say(message: z.infer<typeof messageSchema>): void {
  console.log(`${MARK}${JSON.stringify(message)}`);
}
