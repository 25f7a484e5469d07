import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { Slowest } from './tests/support/slowest.ts';

// Tests run the build of a library that runs in production, not the one with warnings for people who try it out.
process.env['NODE_ENV'] = 'production';

const IS_LONG = process.env['TEST_LONG'] === '1';
const REPORT = process.env['TEST_REPORT'];
const jsonTo = (outputFile: string): ['json', { outputFile: string }] => ['json', { outputFile }];

/**
 * Files that change nothing of the process in which they run: they can share one, what it has loaded, its browser, and
 * its sessions (tests/cli/session.ts).
 */
export const PURE = [
  'machines',
  'prompts',
  'analysis',
  'actors/minds',
  'actors/engine',
  'actors/replay',
  'actors/laws',
  'actors/league',
  'actors/stores',
  'proofs',
  'storm',
].map((folder) => `tests/${folder}/**/*.test.ts`);
PURE.push(
  'checker/tests/**/*.test.ts',
  'tests/actors/*.test.ts',
  'tests/actors/ownMinds/*.test.ts',
  'tests/cli/**/*.test.ts',
  'tests/doors/**/*.test.ts',
  'tests/docs.test.ts',
  'tests/games/*.test.ts',
  'tests/support/fakeEndpoint.test.ts',
  'tests/visualizer/*.test.ts',
  'tests/visualizer/page/!(explorer.long|panels).test.ts',
);

/** Tests with real models: only `npm run test:models` and the long run have them. */
const MODELS = ['tests/models/**/*.test.ts'];

/** Files that take longest, the longest first. If one of them began last, it would keep one processor busy alone. */
const LONG = [
  'tests/docs.test.ts',
  'tests/cli/benchmark.test.ts',
  'tests/cli/border/border.test.ts',
  'tests/visualizer/page/steps.test.ts',
  'tests/proofs/mutants.test.ts',
  'tests/proofs/arbiter.test.ts',
  'tests/cli/league.test.ts',
];

/** The long files first, also where nothing is known of an earlier run; then as vitest sorts them. */
class LongestFirst extends BaseSequencer {
  override async sort(specs: Parameters<BaseSequencer['sort']>[0]): Promise<typeof specs> {
    const place = ({ moduleId }: (typeof specs)[number]) => {
      const found = LONG.findIndex((path) => moduleId.endsWith(`/${path}`));
      return found < 0 ? LONG.length : found;
    };
    return (await super.sort(specs)).toSorted((one, other) => place(one) - place(other));
  }
}

/** `npm test` leaves these files to the long run. */
const LEFT_OUT = IS_LONG ? [] : ['**/*.long.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // Many tests wait for a browser, a command or a server. Vitest would read "200%" as 100 %.
    maxWorkers: 2 * availableParallelism(),
    reporters: [
      'default',
      new Slowest(),
      // The count that continuous integration prints last is read from a file.
      ...(REPORT === undefined ? [] : [jsonTo(REPORT)]),
    ],
    // A limit ends what hangs, and nothing else: a machine that is busy must not fail a test.
    testTimeout: IS_LONG ? 0 : 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 300_000 } },
    sequence: { sequencer: LongestFirst },
    globalSetup: ['tests/setup.ts'],
    setupFiles: ['tests/setup.ts'],
    coverage: {
      provider: 'v8',
      include: ['machines/**', 'prompts/**'],
    },
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, exclude: LEFT_OUT, isolate: false } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['tests/**/*.test.ts', 'checker/tests/**/*.test.ts'],
          exclude: [...PURE, ...MODELS, ...LEFT_OUT],
        },
      },
      ...(IS_LONG || process.env['TEST_MODELS'] === '1'
        ? [
            {
              extends: true as const,
              test: { name: 'models', include: MODELS, exclude: LEFT_OUT, testTimeout: 0 },
            },
          ]
        : []),
    ],
  },
});
