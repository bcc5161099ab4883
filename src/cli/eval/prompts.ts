/** anamnesis eval prompts: measures which notes prompts get. */
import { type Command, Option } from 'commander';
import type { PromptSets } from '../../app/maintenance.js';
import type { JsonOption } from '../answer.js';
import { parseOffset, subcommand } from '../options.js';
import { print, printJson } from '../output.js';
import { withApp } from '../session.js';
import { type Column, columnsLeftOut, formatTable } from '../table.js';
import { sayOmittedColumns } from './omitted-columns.js';

type PromptsOptions = JsonOption & { readonly typos?: number; readonly mode?: 'keyword' };

export const promptsCommand = (): Command =>
  subcommand(
    'prompts',
    'Measure which notes prompts get, and whether they get none when none fits',
    ['eval prompts sets/*', 'eval prompts examples --typos 1'],
    legend,
  )
    .argument('<folders...>', 'folders with notes.jsonl and cases.jsonl (.gz too); each gets a throw-away store')
    .addOption(new Option('--mode <mode>', 'words alone, whatever model is in use').choices(['keyword']))
    .option('--typos <seed>', 'make one slip in a word of each query; the same seed makes the same ones', parseOffset)
    .action(async (folders: readonly string[], { json, ...options }: PromptsOptions) => {
      await withApp(async ({ maintenance }) => {
        const measured = await maintenance.benchPrompts(folders, options);
        if (json === true) return printJson(measured);
        const rows = rowsOf(measured);
        print(formatTable(columns, rows));
        sayOmittedColumns(columnsLeftOut(columns, rows));
      });
    });

const legend = `
Columns, as shares of the prompts:
  RIGHT       given a right note, of the prompts that have one
  OR NAMED    given a right note, or told its title
  SHOWN       notes given, on average
  UNANSWERED  given a note although the right ones were removed
  FALSE       given a note although none fits
  LINES       told a title although none fits`;

type Row = readonly [name: string, shares: PromptSets['mean'], cases: number | undefined];

const rowsOf = ({ sets, mean }: PromptSets): readonly Row[] => [
  ...Object.entries(sets).map(([name, set]): Row => [name, set, set.cases]),
  ['mean', mean, undefined],
];

const share = (head: string, key: keyof PromptSets['mean'], optional?: true): Column<Row> => ({
  head,
  optional,
  align: 'right',
  of: ([, shares]) => shares[key].toFixed(3),
});

const columns: readonly Column<Row>[] = [
  { head: 'SET', of: ([name]) => name, cut: 'end' },
  { head: 'CASES', align: 'right', of: ([, , cases]) => String(cases ?? '') },
  share('RIGHT', 'right'),
  share('OR NAMED', 'named'),
  share('SHOWN', 'shown', true),
  share('UNANSWERED', 'unanswered'),
  share('FALSE', 'false_alarms'),
  share('LINES', 'false_lines', true),
];
