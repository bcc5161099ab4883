/** The program that tests of doctor run: `doctor` and `status` from their own files, everything else unchanged. */

import { subcommand } from '../../../src/cli/options.js';
import { makeProgram, runProgram } from '../../../src/cli/run.js';
import { doctorCommand } from '../../../src/cli/setup/doctor.js';
import { statusCommand } from '../../../src/cli/store/status.js';

const args = process.argv.slice(2);
if (args[0] === 'doctor' || args[0] === 'status') {
  process.umask(0o077);
  void runProgram(makeProgram([['Store:', [doctorCommand(), statusCommand(subcommand)]]]), args);
} else void import('../../../src/cli/main.js');
