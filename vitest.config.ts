import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Every test that makes a store makes real git repositories: more workers than cores only thrash the disk.
    maxWorkers: 2,
    env: { NO_COLOR: '1' },
  },
});
