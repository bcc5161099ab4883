/** A program with only the setup commands, for tests. */

import { makeProgram, runProgram } from '../../src/cli/run.js';
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

process.umask(0o077);
const groups = [['Store:', [initCommand(firstSteps), uninstallCommand(), configCommand()]]] as const;
await runProgram(makeProgram(groups), process.argv.slice(2));
