/** anamnesis eval build and approve: make eval cases from the notes, and approve them. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { approveCases, type CaseToApprove, openCases } from '../../eval/approving-cases.js';
import { buildCases, type CaseType, caseTypes as types } from '../../eval/building-cases.js';
import type { JsonOption } from '../answer.js';
import { wrongUsage } from '../errors.js';
import { parseCount, parseOffset, repeatable, subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

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
    .action(({ types: chosen, n, seed, out, json }: BuildOptions) =>
      withApp(async (app) => {
        const built = await buildCases(await app.whole(), { types: chosen, n, seed, file: out });
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
      }),
    );

const parseTypes = (text: string): readonly CaseType[] => {
  const given = text.split(',').map((one) => one.trim());
  if (given.some((one) => !types.some((type) => type === one)))
    throw new InvalidArgumentError(`Allowed kinds are ${types.join(', ')}.`);
  return types.filter((type) => given.includes(type));
};

type ApproveOptions = JsonOption & { readonly all?: true; readonly evalSet?: readonly string[] };

export const approveCommand = (): Command =>
  subcommand('approve', 'Show eval cases that are not approved yet, and approve them', [
    'eval approve                                      (lists them)',
    'eval approve 1 4-9',
    'eval approve --all --eval-set cases.jsonl',
  ])
    .argument('[numbers...]', 'numbers of cases in the list, or ranges: 4-9', parseNumbers)
    .option('--all', 'approve all of them')
    .option('--eval-set <file>', 'JSONL file of cases; may be repeated (default: memory/eval/*.jsonl)', repeatable)
    .action((numbers: readonly number[], { all, evalSet: sets, json }: ApproveOptions) => {
      if (all === true && numbers.length > 0)
        throw wrongUsage('--all and numbers exclude each other', 'give one of them');
      return withApp(async (app) => {
        const memory = await app.whole();
        const open = openCases(memory, { sets });
        const isAsked = all !== true && numbers.length === 0;
        const chosen = all === true ? open.map(({ number }) => number) : numbers;
        const approved = approveCases(memory, { sets, numbers: chosen });
        const left = open.filter(({ number }) => !approved.some((one) => one.number === number));
        if (json === true) return printJson({ approved, open: left });
        if (isAsked) print(open.map(formatCase).join(''));
        else print(`${ink('green', 'approved')} ${counted(approved.length, 'case')}\n`);
        if (open.length === 0) say('every case is approved');
        else if (isAsked) say('approve them by number: anamnesis eval approve 1 4-9; or all of them: --all');
        else say(leftText(left.length));
      });
    });

const leftText = (left: number): string =>
  left === 0 ? 'every case is approved: anamnesis eval run' : `${counted(left, 'case')} left to approve`;

const formatCase = ({ number, query, note_titles: titles, relevant_ids: ids, project, category }: CaseToApprove) => {
  const about = [category, project].flatMap((part) => part ?? []).join(', ');
  const right = (titles.length === 0 ? ids : titles).map((title) => `   right: ${cleanLine(title)}\n`);
  const heading = `${ink('yellow', String(number))}  ${ink('bold', cleanLine(query))}`;
  return `${heading}${about === '' ? '' : `  ${ink('dim', `(${cleanLine(about)})`)}`}\n${right.join('')}`;
};

/** More than any list of cases that a person reads. */
const maxRange = 10_000;

const parseNumbers = (text: string, before: readonly number[] = []): readonly number[] => {
  const [, first = '', last = first] = /^([1-9]\d{0,6})(?:-([1-9]\d{0,6}))?$/.exec(text) ?? [];
  const length = Number(last) - Number(first) + 1;
  if (first === '' || length < 1 || length > maxRange)
    throw new InvalidArgumentError('It must be a number from the list, or a range: 4-9.');
  return [...before, ...Array.from({ length }, (_, at) => Number(first) + at)];
};
