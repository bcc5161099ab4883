/** anamnesis eval bench and prompts: measure every way of searching, and what prompts get, on sets of notes. */
import { type Command, Option } from 'commander';
import type { PromptSets } from '../../answers/store-schema.js';
import { readSettings } from '../../config/settings.js';
import { type BenchReport, benchFolders } from '../../eval/benching.js';
import { benchPrompts } from '../../eval/prompt-bench.js';
import type { JsonOption } from '../answer.js';
import { parseOffset, subcommand } from '../options.js';
import { counted, ink, print, printJson, say } from '../output.js';
import { type Column, formatTable } from '../table.js';

const modes = ['keyword', 'hybrid', 'semantic', 'bm25', 'grep'] as const;
type Mode = (typeof modes)[number];

type BenchOptions = JsonOption & {
  readonly mode?: readonly Mode[];
  readonly typos?: number;
  readonly fuzzy: boolean;
};

export const benchCommand = (): Command =>
  subcommand('bench', 'Measure every way of searching on folders of notes.jsonl and cases.jsonl', [
    'eval bench sets/ruby-docs sets/errata',
    'eval bench sets/* --typos 1 --json',
  ])
    .argument('<folders...>', 'folders with notes.jsonl and cases.jsonl (.gz too); each gets a throw-away store')
    .addOption(new Option('--mode <mode...>', 'measure only these').choices(modes))
    .option('--typos <seed>', 'make one slip in a word of each query; the same seed makes the same ones', parseOffset)
    .option('--no-fuzzy', 'leave words that occur in no note as they are')
    .action(async (folders: readonly string[], { json, mode, ...options }: BenchOptions) => {
      const { home, searchModel: name } = readSettings(process.env);
      const model = name === undefined ? undefined : { home, name };
      const report = await benchFolders(folders, { ...options, modes: mode, model });
      if (json === true) printJson(report);
      else print(formatBench(report));
      for (const [name, { casesWithUnknownNote: unknown = 0 }] of Object.entries(report.sets)) {
        const ask = `${counted(unknown, 'case')} of ${name} ${unknown === 1 ? 'asks' : 'ask'}`;
        if (unknown > 0) say(`warning: ${ask} for a note that isn't in notes.jsonl; it counts as not found`);
      }
    });

const formatBench = ({ sets, mean }: BenchReport): string => {
  const parts = Object.entries(sets).flatMap(([name, set]) => {
    const { notes, cases, casesWithoutRelevant: without } = set;
    const left = without === 0 ? '' : `, ${without} of them without a right note (left out of the means)`;
    const heading = `${ink('bold', name)}: ${counted(notes, 'note')}, ${counted(cases, 'case')}${left}\n`;
    return [heading + formatTable(columns(rowsOf(set.modes)), rowsOf(set.modes))];
  });
  const meanRows = rowsOf(mean ?? {});
  const all = `${ink('bold', `Mean of ${counted(Object.keys(sets).length, 'set')}`)}, each weighted equally\n`;
  const last = meanRows.length === 0 ? '' : all + formatTable(columns(meanRows), meanRows);
  return [...parts, last].filter((part) => part !== '').join('\n');
};

type Row = readonly [Mode, ModeNumbers];

/** A row of either table: both have the required numbers; only a set's own table has the optional ones. */
type ModeNumbers = Pick<
  NonNullable<NonNullable<BenchReport['mean']>[Mode]>,
  'ndcg10' | 'p50Ms' | 'gain' | 'interval'
> & {
  readonly hit8?: number;
  readonly hit?: NonNullable<BenchReport['sets'][string]['modes'][Mode]>['hit'];
  readonly recall8?: number;
  readonly mrr10?: number;
  readonly p95Ms?: number;
};

const rowsOf = (byMode: Readonly<Partial<Record<Mode, ModeNumbers>>>): readonly Row[] =>
  modes.flatMap((mode): readonly Row[] => {
    const numbers = byMode[mode];
    return numbers === undefined ? [] : [[mode, numbers]];
  });

const columns = (rows: readonly Row[]): readonly Column<Row>[] => {
  const first = rows[0]?.[0] ?? '';
  type Numbers = (numbers: ModeNumbers) => number | undefined;
  const number = (head: string, digits: number, of: Numbers, optional?: true): Column<Row> => ({
    head,
    optional,
    align: 'right',
    of: ([, numbers]) => of(numbers)?.toFixed(digits) ?? '',
  });
  /** Left out if no row has the number. */
  const optional = (head: string, digits: number, of: Numbers): readonly Column<Row>[] =>
    rows.some(([, numbers]) => of(numbers) !== undefined) ? [number(head, digits, of, true)] : [];
  return [
    { head: 'MODE', of: ([mode]) => mode },
    number('nDCG@10', 4, ({ ndcg10 }) => ndcg10),
    number('hit@8', 4, ({ hit, hit8 }) => hit?.[8] ?? hit8),
    ...optional('hit@1', 4, ({ hit }) => hit?.[1]),
    ...optional('Recall@8', 4, ({ recall8 }) => recall8),
    ...optional('MRR@10', 4, ({ mrr10 }) => mrr10),
    number('p50 ms', 2, ({ p50Ms }) => p50Ms),
    ...optional('p95 ms', 2, ({ p95Ms }) => p95Ms),
    ...(rows.some(([, { gain }]) => gain !== undefined)
      ? [
          {
            head: `nDCG@10 AGAINST ${first.toUpperCase()}`,
            of: ([, { gain }]: Row) => (gain === undefined ? '' : gainText(gain)),
          },
        ]
      : []),
  ];
};

/** `+0.0131 (+0.0060 to +0.0204) better`. */
const gainText = ({ difference, low, high, verdict }: NonNullable<ModeNumbers['gain']>): string =>
  `${signed(difference)} (${signed(low)} to ${signed(high)}) ${verdict}`;

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;

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
    .action(async (folders: readonly string[], { json, mode, typos }: PromptsOptions) => {
      const settings = mode === 'keyword' ? undefined : readSettings(process.env);
      const measured = await benchPrompts(folders, { typos, settings });
      if (json === true) return printJson(measured);
      print(formatTable(promptColumns, promptRowsOf(measured)));
    });

const legend = `
Columns, as shares of the prompts:
  RIGHT       given a right note, of the prompts that have one
  OR NAMED    given a right note, or told its title
  SHOWN       notes given, on average
  UNANSWERED  given a note although the right ones were removed
  FALSE       given a note although none fits
  LINES       told a title although none fits`;

type PromptRow = readonly [name: string, shares: PromptSets['mean'], cases: number | undefined];

const promptRowsOf = ({ sets, mean }: PromptSets): readonly PromptRow[] => [
  ...Object.entries(sets).map(([name, set]): PromptRow => [name, set, set.cases]),
  ['mean', mean, undefined],
];

const share = (head: string, key: keyof PromptSets['mean'], optional?: true): Column<PromptRow> => ({
  head,
  optional,
  align: 'right',
  of: ([, shares]) => shares[key].toFixed(3),
});

const promptColumns: readonly Column<PromptRow>[] = [
  { head: 'SET', of: ([name]) => name, cut: 'end' },
  { head: 'CASES', align: 'right', of: ([, , cases]) => String(cases ?? '') },
  share('RIGHT', 'right'),
  share('OR NAMED', 'named'),
  share('SHOWN', 'shown', true),
  share('UNANSWERED', 'unanswered'),
  share('FALSE', 'false_alarms'),
  share('LINES', 'false_lines', true),
];
