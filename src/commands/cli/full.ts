/** The whole program. */
import { groups } from './groups.js';
import { isTerminal } from './output.js';
import { makeProgram, runProgram } from './run.js';
import { serveAgent } from './serve.js';

export const runFully = async (args: readonly string[]): Promise<void> => {
  const program = makeProgram(groups());
  await runProgram(program, args, async () => {
    if (isTerminal('stdin')) program.outputHelp();
    else await serveAgent();
  });
};
