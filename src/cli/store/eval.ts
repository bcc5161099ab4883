/** anamnesis eval */
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import type { BenchResult } from '../../app/maintenance.js';
import type { JsonOption } from '../answer.js';
import { parseOffset, repeatable, subcommand } from '../options.js';
import { print, printJson, say, sayWarnings } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

export const evalCommand = (): Command =>
  new Command('eval')
    .description('Measure how well search finds what it should')
    .addHelpText(
      'after',
      '\nExamples:\n  $ anamnesis eval run\n  $ anamnesis eval bench sets/ruby-docs\n\nWithout a subcommand: run.',
    )
    .addCommand(runCommand(), { isDefault: true })
    .addCommand(benchCommand());

type RunOptions = JsonOption & { readonly evalSet?: readonly string[]; readonly includeUnreviewed?: true };

const runCommand = (): Command =>
  subcommand('run', 'Run the cases of an eval set against this store', [
    'eval run',
    'eval run --eval-set cases.jsonl --json',
  ])
    .option('--eval-set <file>', 'JSONL file of cases; may be repeated (default: memory/eval/*.jsonl)', repeatable)
    .option('--include-unreviewed', 'include cases that nobody has approved')
    .action(async ({ evalSet, includeUnreviewed, json }: RunOptions) => {
      await withApp(async ({ maintenance }) => {
        const evaluated = await maintenance.evaluate({ sets: evalSet, includeUnreviewed });
        const { report, text, warnings, timings, reportFile } = evaluated;
        if (json === true) {
          printJson({ ...report, timings });
          sayWarnings(warnings);
          return;
        }
        print(text);
        print(`\nSearch: p50 ${timings.p50Ms.toFixed(2)} ms, p95 ${timings.p95Ms.toFixed(2)} ms\n`);
        say(`the report is in ${reportFile}`);
      });
    });

type BenchOptions = JsonOption & { readonly plain?: true; readonly typos?: number; readonly fuzzy: boolean };

const benchCommand = (): Command =>
  subcommand('bench', 'Measure search on folders of notes.jsonl and cases.jsonl', [
    'eval bench sets/ruby-docs sets/errata',
    'eval bench sets/* --typos 1 --json',
  ])
    .argument('<folders...>', 'folders with notes.jsonl and cases.jsonl (.gz too); each gets a throw-away store')
    .option('--plain', 'measure the plain query that asks for every word')
    .option('--typos <seed>', 'make one slip in a word of each query, the same ones for the same number', parseOffset)
    .option('--no-fuzzy', 'leave words that stand in no note as they are')
    .action(async (folders: readonly string[], { json, ...options }: BenchOptions) => {
      await withApp(async ({ maintenance }) => {
        const sets: Record<string, BenchResult> = {};
        for (const folder of folders) {
          const name = basename(resolve(folder));
          sets[name in sets ? folder : name] = await maintenance.bench(folder, options);
        }
        if (json === true) printJson({ sets });
        else print(formatSets(sets));
      });
    });

const formatSets = (sets: Readonly<Record<string, BenchResult>>): string => {
  const rows = Object.entries(sets).flatMap(([name, { hybrid, ...words }]) => [
    [name, words] as const,
    ...(hybrid === undefined ? [] : [[`${name}, hybrid`, { ...words, ...hybrid }] as const]),
  ]);
  const share = (head: string, of: (result: BenchResult) => number | undefined, optional?: true) =>
    ({
      head,
      optional,
      align: 'right',
      of: ([, result]: readonly [string, BenchResult]) => of(result)?.toFixed(4) ?? '',
    }) as const;
  return formatTable(
    [
      { head: 'SET', of: ([name]) => name, cut: 'end' },
      { head: 'NOTES', align: 'right', of: ([, { notes }]) => String(notes) },
      { head: 'CASES', align: 'right', of: ([, { cases }]) => String(cases) },
      share('hit@1', ({ hit }) => hit[1]),
      share('hit@3', ({ hit }) => hit[3], true),
      share('hit@5', ({ hit }) => hit[5], true),
      share('hit@8', ({ hit }) => hit[8]),
      share('hit@10', ({ hit }) => hit[10], true),
      share('Recall@8', ({ recall8 }) => recall8),
      share('MRR@10', ({ mrr10 }) => mrr10),
      share('nDCG@10', ({ ndcg10 }) => ndcg10),
      { head: 'p50 ms', align: 'right', of: ([, { p50Ms }]) => p50Ms.toFixed(2) },
      { head: 'p95 ms', align: 'right', of: ([, { p95Ms }]) => p95Ms.toFixed(2) },
    ],
    rows,
  );
};
