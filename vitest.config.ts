import { defineConfig } from 'vitest/config';

// Tests run the build of a library that runs in production, not the one with warnings for people who try it out.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'checker/tests/**/*.test.ts'],
    pool: 'forks',
    // All processors: many tests wait for processes of their own, and without this one processor would be idle.
    maxWorkers: '100%',
    // A limit is there to end what hangs: a machine that is busy must not fail a test.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    globalSetup: ['tests/setup.ts'],
    setupFiles: ['tests/setup.ts'],
    coverage: {
      provider: 'v8',
      include: ['machines/**', 'prompts/**'],
    },
  },
});
