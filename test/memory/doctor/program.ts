/** The program as tests of doctor run it: `doctor` and `status` from their own files, all else as it is. */
import { doctorCommand } from '../../../src/commands/cli/doctor.js';
import { makeProgram, runProgram } from '../../../src/commands/cli/run.js';
import { statusCommand } from '../../../src/commands/cli/status.js';

const args = process.argv.slice(2);
if (args[0] === 'doctor' || args[0] === 'status') {
  process.umask(0o077);
  void runProgram(makeProgram([['Store:', [doctorCommand(), statusCommand()]]]), args);
} else void import('../../../src/commands/cli/main.js');
