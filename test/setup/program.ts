/** Runs the setup commands as a process. */
import { runProgram } from '../../src/cli/run.js';
import { setupProgram } from './setup-program.js';

process.umask(0o077);
await runProgram(setupProgram(), process.argv.slice(2));
