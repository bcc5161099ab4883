/** anamnesis eval run: measures search with eval cases on this store. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { repeatable, subcommand } from '../options.js';
import { print, printJson, say, sayWarnings } from '../output.js';
import { withApp } from '../session.js';

type RunOptions = JsonOption & {
  readonly evalSet?: readonly string[];
  readonly includeUnreviewed?: true;
  readonly save?: string;
};

export const runCommand = (): Command =>
  subcommand('run', 'Run the cases of an eval set against this store', [
    'eval run',
    'eval run --eval-set cases.jsonl --json',
    'eval run --save before.json',
  ])
    .option('--eval-set <file>', 'JSONL file of cases; may be repeated (default: memory/eval/*.jsonl)', repeatable)
    .option('--include-unreviewed', 'include cases that are not approved yet')
    .option('--save <file>', 'save the report, for eval compare')
    .action(async ({ evalSet, includeUnreviewed, save, json }: RunOptions) => {
      await withApp(async ({ maintenance }) => {
        const evaluated = await maintenance.evaluate({ sets: evalSet, includeUnreviewed, save });
        const { report, text, warnings, timings, reportFile } = evaluated;
        if (json === true) {
          printJson({ ...report, timings });
          sayWarnings(warnings);
          return;
        }
        print(text);
        print(`\nSearch: p50 ${timings.p50Ms.toFixed(2)} ms, p95 ${timings.p95Ms.toFixed(2)} ms\n`);
        say(`the report is in ${save ?? reportFile}`);
      });
    });
