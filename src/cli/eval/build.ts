/** anamnesis eval build: makes eval cases from the notes. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CaseType } from '../../app/maintenance.js';
import type { JsonOption } from '../answer.js';
import { parseCount, parseOffset, subcommand } from '../options.js';
import { counted, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

const types = ['title', 'body', 'typo', 'trace'] as const satisfies readonly CaseType[];

type BuildOptions = JsonOption & {
  readonly types?: readonly CaseType[];
  readonly n: number;
  readonly seed: number;
  readonly out?: string;
};

export const buildCommand = (): Command =>
  subcommand('build', 'Make eval cases from your notes, for you to approve', [
    'eval build --n 40',
    'eval build --types title,body --n 30',
    'eval build --types trace --out mine.jsonl',
  ])
    .addOption(
      new Option('--types <types>', `kinds of question, separated by commas: ${types.join(', ')}`).argParser(
        parseTypes,
      ),
    )
    .option('--n <count>', 'maximum number of cases', parseCount, 20)
    .option('--seed <number>', 'seed for choosing the notes', parseOffset, 1)
    .option('--out <file>', 'where to add them (default: memory/eval/built.jsonl)')
    .action(async ({ types: chosen, n, seed, out, json }: BuildOptions) => {
      await withApp(async ({ maintenance }) => {
        const built = await maintenance.buildCases({ types: chosen, n, seed, file: out });
        if (json === true) return printJson(built);
        const { file, cases, first, without } = built;
        print(
          formatTable(
            [
              { head: 'KIND', of: ({ category }) => category },
              { head: 'QUESTION', of: ({ query }) => query, cut: 'end', main: true },
              { head: 'NOTE', of: ({ note_titles: [title = ''] }) => title, cut: 'end' },
            ],
            cases,
          ),
        );
        for (const { type, reason } of without) say(`${type}: ${reason}`);
        if (cases.length === 0) return say('nothing was added');
        say(`${counted(cases.length, 'case')} added to ${file}`);
        if (first > 0) say(`${first} of them are first in a search already: these can only show what gets worse`);
        say('eval run leaves them out until you have read each and approved it: anamnesis eval approve');
      });
    });

const parseTypes = (text: string): readonly CaseType[] => {
  const given = text.split(',').map((one) => one.trim());
  const known = types.filter((type) => given.includes(type));
  if (given.some((one) => !types.some((type) => type === one))) {
    throw new InvalidArgumentError(`Allowed kinds are ${types.join(', ')}.`);
  }
  return known;
};
