/** anamnesis eval bench: measures every way of searching on sets of notes. */
import { type Command, Option } from 'commander';
import type { BenchReport } from '../../app/maintenance.js';
import type { JsonOption } from '../answer.js';
import { wrongUsage } from '../errors.js';
import { parseOffset, subcommand } from '../options.js';
import { counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { type Column, columnsLeftOut, formatTable } from '../table.js';
import { gainText } from './gain-text.js';
import { sayOmittedColumns } from './omitted-columns.js';

const modes = ['keyword', 'hybrid', 'semantic', 'bm25', 'grep'] as const;
type Mode = (typeof modes)[number];

type BenchOptions = JsonOption & {
  readonly mode?: readonly Mode[];
  readonly plain?: true;
  readonly typos?: number;
  readonly fuzzy: boolean;
  readonly save?: string;
};

export const benchCommand = (): Command =>
  subcommand('bench', 'Measure every way of searching on folders of notes.jsonl and cases.jsonl', [
    'eval bench sets/ruby-docs sets/errata',
    'eval bench sets/* --typos 1 --json',
    'eval bench sets/* --save today.json',
  ])
    .argument('<folders...>', 'folders with notes.jsonl and cases.jsonl (.gz too); each gets a throw-away store')
    .addOption(new Option('--mode <mode...>', 'measure only these').choices(modes))
    .option('--plain', 'the same as --mode bm25: the plain query that asks for every word')
    .option('--typos <seed>', 'make one slip in a word of each query; the same seed makes the same ones', parseOffset)
    .option('--no-fuzzy', 'leave words that occur in no note as they are')
    .option('--save <file>', 'save the results, for eval compare')
    .action(async (folders: readonly string[], { json, mode, plain, ...options }: BenchOptions) => {
      if (plain === true && mode !== undefined) {
        throw wrongUsage('--plain and --mode exclude each other', 'use --mode alone');
      }
      const chosen = plain === true ? (['bm25'] as const) : mode;
      await withApp(async ({ maintenance }) => {
        const report = await maintenance.bench(folders, { ...options, modes: chosen });
        if (json === true) printJson(report);
        else {
          print(formatBench(report));
          sayOmittedColumns(tablesOf(report).flatMap((rows) => columnsLeftOut(columns(rows), rows)));
        }
        for (const [name, { casesWithUnknownNote: unknown = 0 }] of Object.entries(report.sets)) {
          const cases = `${counted(unknown, 'case')} of ${name}`;
          if (unknown > 0)
            say(
              `warning: ${cases} ${unknown === 1 ? 'asks' : 'ask'} for a note that isn't in notes.jsonl; it counts as not found`,
            );
        }
        if (options.save !== undefined) say(`the report is in ${options.save}`);
      });
    });

const formatBench = ({ sets, mean }: BenchReport): string => {
  const parts = Object.entries(sets).flatMap(([name, set]) => {
    const { notes, cases, casesWithoutRelevant: without } = set;
    const left = without === 0 ? '' : `, ${without} of them without a right note (left out of the means)`;
    const heading = `${ink('bold', name)}: ${counted(notes, 'note')}, ${counted(cases, 'case')}${left}\n`;
    return [heading + formatTable(columns(rowsOf(set.modes)), rowsOf(set.modes)), categoryTable(set)];
  });
  const meanRows = rowsOf(mean ?? {});
  const all = `${ink('bold', `Mean of ${counted(Object.keys(sets).length, 'set')}`)}, each weighted equally\n`;
  const last = meanRows.length === 0 ? '' : all + formatTable(columns(meanRows), meanRows);
  return [...parts, last].filter((part) => part !== '').join('\n');
};

const tablesOf = ({ sets, mean }: BenchReport): readonly (readonly Row[])[] =>
  [...Object.values(sets).map((set) => set.modes), mean ?? {}].map(rowsOf);

type Row = readonly [Mode, ModeNumbers];

/** A row of either table: both have the required numbers; only a set's own table has the optional ones. */
type ModeNumbers = Pick<
  NonNullable<NonNullable<BenchReport['mean']>[Mode]>,
  'ndcg10' | 'p50Ms' | 'gain' | 'interval'
> & {
  readonly hit8?: number;
  readonly hit?: BenchReport['sets'][string]['hit'];
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
  const share = (head: string, of: (numbers: ModeNumbers) => number | undefined, optional?: true): Column<Row> => ({
    head,
    optional,
    align: 'right',
    of: ([, numbers]) => of(numbers)?.toFixed(4) ?? '',
  });
  const ms = (head: string, of: (numbers: ModeNumbers) => number | undefined, optional?: true): Column<Row> => ({
    head,
    optional,
    align: 'right',
    of: ([, numbers]) => of(numbers)?.toFixed(2) ?? '',
  });
  const all: readonly (Column<Row> & { readonly has?: (numbers: ModeNumbers) => unknown })[] = [
    { head: 'MODE', of: ([mode]) => mode },
    { ...share('nDCG@10', ({ ndcg10 }) => ndcg10) },
    { ...share('hit@8', ({ hit, hit8 }) => hit?.[8] ?? hit8) },
    { ...share('hit@1', ({ hit }) => hit?.[1], true), has: ({ hit }) => hit },
    { ...share('Recall@8', ({ recall8 }) => recall8, true), has: ({ recall8 }) => recall8 },
    { ...share('MRR@10', ({ mrr10 }) => mrr10, true), has: ({ mrr10 }) => mrr10 },
    ms('p50 ms', ({ p50Ms }) => p50Ms),
    { ...ms('p95 ms', ({ p95Ms }) => p95Ms, true), has: ({ p95Ms }) => p95Ms },
    {
      head: `nDCG@10 AGAINST ${first.toUpperCase()}`,
      of: ([, { gain }]) => (gain === undefined ? '' : gainText(gain['nDCG@10'])),
      has: ({ gain }) => gain,
    },
  ];
  return all.filter(({ has }) => has === undefined || rows.some(([, numbers]) => has(numbers) !== undefined));
};

/** Formats nDCG@10 of each mode by category; empty if the cases have fewer than two categories. */
const categoryTable = ({ modes: byMode }: BenchReport['sets'][string]): string => {
  const measured = modes.filter((mode) => byMode[mode]?.categories !== undefined);
  const names = Object.keys(byMode[measured[0] ?? 'keyword']?.categories ?? {});
  if (names.length < 2) return '';
  const resultOf = (mode: Mode | undefined, name: string) =>
    mode === undefined ? undefined : byMode[mode]?.categories?.[name];
  return formatTable(
    [
      { head: 'CATEGORY (nDCG@10)', of: (name: string) => name, cut: 'end', main: true },
      { head: 'CASES', align: 'right', of: (name) => String(resultOf(measured[0], name)?.cases ?? 0) },
      ...measured.map(
        (mode): Column<string> => ({
          head: mode,
          align: 'right',
          of: (name) => resultOf(mode, name)?.ndcg10.toFixed(4) ?? '',
        }),
      ),
    ],
    names,
  );
};
