import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The build of a library that runs in production is the one that is tested.
  ssr: { resolve: { conditions: ['node', 'import'], externalConditions: ['node', 'import'] } },
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    globalSetup: ['tests/setup.ts'],
    setupFiles: ['tests/setup.ts'],
    coverage: {
      provider: 'v8',
      include: ['machines/**', 'prompts/**'],
    },
  },
});
