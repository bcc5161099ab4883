/** A program with only the setup commands, whose first steps do nothing or fail. */
import type { Command } from 'commander';
import { makeProgram } from '../../src/cli/run.js';
import { configCommand } from '../../src/cli/setup/config.js';
import { initCommand } from '../../src/cli/setup/init.js';
import { uninstallCommand } from '../../src/cli/setup/uninstall.js';

const firstSteps = {
  firstImport: async () => {
    if (process.env['TEST_IMPORT_FAILS'] !== undefined) throw new Error('the import broke');
    return { imported: 3, updated: 1, skipped: 2 };
  },
  firstSync: async () => ({ detail: 'up to date' }),
};

export const setupProgram = (): Command =>
  makeProgram([['Store:', [initCommand(firstSteps), uninstallCommand(), configCommand()]]]);
