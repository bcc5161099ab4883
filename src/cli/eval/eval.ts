/** anamnesis eval: groups the subcommands that measure search. */
import { Command } from 'commander';
import { approveCommand } from './approve.js';
import { benchCommand } from './bench.js';
import { buildCommand } from './build.js';
import { compareCommand } from './compare.js';
import { promptsCommand } from './prompts.js';
import { runCommand } from './run.js';

export const evalCommand = (): Command =>
  new Command('eval')
    .description('Measure how well search finds what it should')
    .addHelpText(
      'after',
      '\nExamples:\n  $ anamnesis eval run\n  $ anamnesis eval bench sets/ruby-docs\n  $ anamnesis eval compare before.json after.json\n  $ anamnesis eval prompts sets/*\n\nWithout a subcommand: run.',
    )
    .addCommand(runCommand(), { isDefault: true })
    .addCommand(benchCommand())
    .addCommand(compareCommand())
    .addCommand(promptsCommand())
    .addCommand(buildCommand())
    .addCommand(approveCommand());
