/** Runs the whole program, with all commands. */

import { serveAgent } from './agents/serve.js';
import { groups } from './groups.js';
import { isTerminal } from './output.js';
import { makeProgram, runProgram } from './run.js';

export const runFully = async (args: readonly string[]): Promise<void> => {
  const program = makeProgram(groups());
  await runProgram(program, args, async () => {
    if (isTerminal('stdin')) program.outputHelp();
    else await serveAgent();
  });
};
