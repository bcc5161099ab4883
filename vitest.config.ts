import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** The real Claude Code is no dependency: scripts/test-client.mjs installs it and says where. */
const hasClient = process.env['ANAMNESIS_CLIENT_BINARY'] !== undefined;
const isCi = process.env['CI'] !== undefined;

/** Kills, waits and clocks: which moment they meet depends on what else the machine does. */
const moment = /\bSIGKILL\b|\.kill\(|setTimeout|performance\.now|processorMs|cpuUsage/;
const meetsMoments = (file: string): boolean =>
  /^test\/(?:faults|client|e2e)\//.test(file) || moment.test(readFileSync(file, 'utf8'));

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll('\\', '/')}`);
const byChance = files.filter(meetsMoments);

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Every test that makes a store makes real git repositories: more workers than cores only thrash the disk.
    maxWorkers: Math.max(2, availableParallelism()),
    globalSetup: './test/support/run-folders.ts',
    reporters: ['default', './scripts/test-times.mjs'],
    projects: [
      {
        extends: true,
        test: {
          name: 'certain',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...byChance],
          // Loading the sources anew for each file would be a third of all the work. A test puts back what it changes of the
          // process.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'by chance',
          include: byChance,
          exclude: [...configDefaults.exclude, ...(hasClient ? [] : ['test/client/**'])],
          // What fails here is tried again, and reported as retried; elsewhere that would hide a fault.
          retry: isCi ? 2 : 0,
        },
      },
    ],
    env: { NO_COLOR: '1', TZ: 'UTC' },
  },
});
