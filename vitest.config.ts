import { configDefaults, defineConfig } from 'vitest/config';

/** The real Claude Code is no dependency: scripts/test-client.mjs installs it and says where. */
const hasClient = process.env['ANAMNESIS_CLIENT_BINARY'] !== undefined;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(hasClient ? [] : ['test/client/**'])],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Every test that makes a store makes real git repositories: more workers than cores only thrash the disk.
    maxWorkers: 2,
    // Some tests kill processes at moments that chance picks; what fails there is tried again, and reported as retried.
    retry: process.env['CI'] === undefined ? 0 : 2,
    env: { NO_COLOR: '1' },
  },
});
