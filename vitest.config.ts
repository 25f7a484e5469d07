import { defineConfig } from 'vitest/config';
import { Slowest } from './tests/support/slowest.ts';

// Tests run the build of a library that runs in production, not the one with warnings for people who try it out.
process.env['NODE_ENV'] = 'production';

const REPORT = process.env['TEST_REPORT'];
const jsonTo = (outputFile: string): ['json', { outputFile: string }] => ['json', { outputFile }];

/** Files that only call functions: they can share a process and what it has loaded. */
const PURE = [
  'machines',
  'prompts',
  'analysis',
  'actors/minds',
  'actors/engine',
  'actors/replay',
  'visualizer/{charts,map,terminal,server}',
].map((folder) => `tests/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    pool: 'forks',
    // All processors: many tests wait for processes of their own, and without this one processor would be idle.
    maxWorkers: '100%',
    reporters: [
      'default',
      new Slowest(),
      // The count that continuous integration prints last is read from a file.
      ...(REPORT === undefined ? [] : [jsonTo(REPORT)]),
    ],
    // A limit ends what hangs, and nothing else: a machine that is busy must not fail a test.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 300_000 } },
    globalSetup: ['tests/setup.ts'],
    setupFiles: ['tests/setup.ts'],
    coverage: {
      provider: 'v8',
      include: ['machines/**', 'prompts/**'],
    },
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['tests/**/*.test.ts', 'checker/tests/**/*.test.ts'],
          exclude: PURE,
        },
      },
    ],
  },
});
