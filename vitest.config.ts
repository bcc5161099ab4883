import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** The real Claude Code is no dependency: scripts/test-client.mjs installs it and says where. */
const hasClient = process.env['ANAMNESIS_CLIENT_BINARY'] !== undefined;
const isLongRun = process.env['ANAMNESIS_TEST_LENGTH'] !== undefined;
const left = [...(hasClient ? [] : ['test/client/**']), ...(isLongRun ? [] : ['test/**/*.long.test.ts'])];

/** Tests that kill, wait or change the process get a process of their own. */
const needsOwnProcess = /\bSIGKILL\b|\.kill\(|setTimeout|performance\.now|processorMs|cpuUsage/;
const ownProcess = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((file) => /^test\/(?:faults|client|e2e)\//.test(file) || needsOwnProcess.test(readFileSync(file, 'utf8')));

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Every test that makes a store makes real git repositories: more workers than cores only thrash the disk.
    maxWorkers: Math.max(2, availableParallelism()),
    globalSetup: './test/support/run-folders.ts',
    setupFiles: './test/support/property-runs.ts',
    reporters: ['default', './scripts/test-times.mjs'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...left, ...ownProcess],
          // Loading the sources anew for each file would be a third of all the work. A test puts back what it changes of the
          // process.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'own process',
          include: ownProcess,
          exclude: [...configDefaults.exclude, ...left],
          // Which moment a kill or a clock meets depends on what else the machine does.
          retry: process.env['CI'] === undefined ? 0 : 2,
        },
      },
    ],
    env: { NO_COLOR: '1', TZ: 'UTC' },
  },
});
