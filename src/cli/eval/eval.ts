/** anamnesis eval: groups the subcommands that measure search, with the one that measures this store. */
import { Command } from 'commander';
import { evaluateStore } from '../../app/measuring.js';
import type { JsonOption } from '../answer.js';
import { repeatable, subcommand } from '../options.js';
import { print, printJson, say, sayWarnings } from '../output.js';
import { withApp } from '../session.js';
import { benchCommand, promptsCommand } from './bench.js';
import { approveCommand, buildCommand } from './cases.js';

export const evalCommand = (): Command =>
  new Command('eval')
    .description('Measure how well search finds what it should')
    .addHelpText(
      'after',
      '\nExamples:\n  $ anamnesis eval run\n  $ anamnesis eval bench sets/ruby-docs\n  $ anamnesis eval prompts sets/*\n\nWithout a subcommand: run.',
    )
    .addCommand(runCommand(), { isDefault: true })
    .addCommand(benchCommand())
    .addCommand(promptsCommand())
    .addCommand(buildCommand())
    .addCommand(approveCommand());

type RunOptions = JsonOption & {
  readonly evalSet?: readonly string[];
  readonly includeUnreviewed?: true;
};

const runCommand = (): Command =>
  subcommand('run', 'Run the cases of an eval set against this store', [
    'eval run',
    'eval run --eval-set cases.jsonl --json',
  ])
    .option('--eval-set <file>', 'JSONL file of cases; may be repeated (default: memory/eval/*.jsonl)', repeatable)
    .option('--include-unreviewed', 'include cases that are not approved yet')
    .action(({ evalSet, includeUnreviewed, json }: RunOptions) =>
      withApp(async (app) => {
        const options = { sets: evalSet, includeUnreviewed };
        const { report, text, warnings, timings, reportFile } = await evaluateStore(await app.whole(), options);
        if (json === true) {
          printJson({ ...report, timings });
          return sayWarnings(warnings);
        }
        print(text);
        print(`\nSearch: p50 ${timings.p50Ms.toFixed(2)} ms, p95 ${timings.p95Ms.toFixed(2)} ms\n`);
        say(`the report is in ${reportFile}`);
      }),
    );
