/** anamnesis conflicts and resolve: list conflicting edits and settle them. */
import { type Command, Option } from 'commander';
import type { Conflict, LostValue } from '../../answers/machines-schema.js';
import {
  type ConflictPair,
  findConflict,
  markedText,
  type ResolveVerdict,
  readConflicts,
  readLostValues,
  resolveConflict,
  settledAlready,
} from '../../app/conflicts.js';
import { type JsonOption, printAnswer } from '../answer.js';
import { withEditedText } from '../editor.js';
import { answerOrThrow, doneOrThrow, wrongUsage } from '../errors.js';
import { localTime, timeColumn } from '../local-time.js';
import { parseCount, subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { patchLines } from '../patch.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';
import { formatTable, terminalWidth } from '../table.js';
import { wrapWords } from '../wrap.js';

type ListOptions = JsonOption & {
  readonly project?: string;
  readonly user?: string;
  readonly workspace?: string;
  readonly limit: number;
  readonly full?: true;
  readonly lost?: true;
};

export const conflictsCommand = (): Command =>
  subcommand('conflicts', 'List conflicting edits of two machines, and how they differ', [
    'conflicts',
    'conflicts --full --project github.com/acme/shop',
    'conflicts --lost -n 50',
  ])
    .option('--full', 'all lines that differ')
    .addOption(
      new Option('--lost', 'list the values that merges dropped instead, newest first').conflicts(['full', 'project']),
    )
    .option('--project <key>', 'only conflicts about notes of this project')
    .option('--user <id>', 'only notes of this user')
    .option('--workspace <id>', 'only notes of this workspace')
    .option('-n, --limit <count>', 'maximum number of conflicts or values', parseCount, 20)
    .action(async (options: ListOptions) => {
      if (options.lost === true) await listLost(options);
      else await listConflicts(options);
    });

const maxDiffLines = 20;

const listConflicts = ({ limit, full, json, project: given, user, workspace }: ListOptions): Promise<void> =>
  withApp(async (app) => {
    const project = await projectAsked(app, given);
    const most = { conflicts: limit, diffLines: full === true ? Number.POSITIVE_INFINITY : maxDiffLines };
    const { conflicts, total } = await readConflicts(await app.wholeToRead(), { project, user, workspace }, most);
    if (json === true) return printJson({ conflicts, total });
    print(conflicts.map(formatConflict).join('\n'));
    if (total === 0) say('no conflicts');
    else if (conflicts.length < total) say(`${conflicts.length} of ${total}; more: -n ${total}`);
  });

const listLost = ({ limit, json }: ListOptions): Promise<void> =>
  withApp(async (app) => {
    const lost = await readLostValues(await app.wholeToRead(), limit);
    if (json === true) return printJson({ lost, total: lost.length });
    print(formatLostValues(lost));
    if (lost.length === 0) say('no values were dropped by merges');
  });

const formatConflict = (conflict: Conflict): string => {
  const { short_id: id, project, created_at, conflicts_with: other, diff, more_lines: more } = conflict;
  const about = [`copy ${id}`, project, `since ${localTime(created_at)}`].map(cleanLine).join('  ');
  const lines = [
    `${ink('yellow', other.short_id)}  ${ink('bold', cleanLine(other.title ?? conflict.title))}`,
    ...wrapWords(describeSides(conflict), terminalWidth() - 2).map((line) => `  ${line}`),
    `  ${ink('dim', about)}`,
    ...diff.flatMap(patchLines).map((line) => `  ${line}`),
    ...(more > 0 ? [ink('dim', `  ${counted(more, 'more line')}: anamnesis conflicts --full`)] : []),
    ...(diff.length === 0 ? [ink('dim', '  both texts are now the same')] : []),
    ...formatWays(conflict),
  ];
  return lines.map((line) => `${line}\n`).join('');
};

const describeSides = ({ machine, conflicts_with: { title, machine: other } }: Conflict): string => {
  const copy = cleanLine(machine);
  if (title === null) return `${copy} changed it (+), and the note is gone`;
  if (other === null) return `the note (-) and another version of it from ${copy} (+)`;
  if (other === machine) return `both texts are from ${copy}: what the note says now (-), and another one (+)`;
  return `${cleanLine(other)} (-, what the note says now) and ${copy} (+) changed the same lines`;
};

/** Lists each way to settle the conflict, with its command. */
const waysOut = ({ short_id: id, machine, conflicts_with: { title, machine: other } }: Conflict) => {
  const resolve = (how: string): string => `anamnesis resolve ${id} ${how}`;
  if (title === null)
    return [
      [`keep the text of ${cleanLine(machine)} as a note`, resolve('--ours')],
      ['drop it too', resolve('--theirs')],
    ] as const;
  const named = other !== null && other !== machine;
  return [
    [
      `keep the text of ${named ? cleanLine(other) : 'the note'}`,
      resolve(named ? `--keep ${quoted(other)}` : '--theirs'),
    ],
    [
      named ? `take the text of ${cleanLine(machine)}` : 'take the other text',
      resolve(named ? `--keep ${quoted(machine)}` : '--ours'),
    ],
    ['keep both', resolve('--both')],
    ['write it yourself', resolve('--edit')],
  ] as const;
};

/** Puts each command below what it does. */
const formatWays = (conflict: Conflict): readonly string[] =>
  waysOut(conflict).flatMap(([what, how]) => [`  ${what}:`, `    ${ink('cyan', how)}`]);

/** Quotes a machine's name as one shell word. */
const quoted = (machine: string): string =>
  /^[\w.-]+$/.test(machine) ? machine : `'${cleanLine(machine).replaceAll("'", "'\\''")}'`;

const formatLostValues = (lost: readonly LostValue[]): string =>
  formatTable<LostValue>(
    [
      timeColumn('AT', lost, ({ at }) => at, { optional: true }),
      { head: 'NOTE', of: ({ short_id: id }) => id, style: 'yellow' },
      { head: 'KEY', of: ({ key }) => key, style: 'cyan' },
      { head: 'LOST', of: ({ value }) => (value === null ? '(removed)' : String(value)), cut: 'end' },
      { head: 'TITLE', of: ({ title }) => title ?? '(gone)', cut: 'end', main: true },
    ],
    lost,
  );

type ResolveOptions = JsonOption & { readonly [Verdict in ResolveVerdict]?: true } & { readonly keep?: string };

const verdicts = ['ours', 'theirs', 'both', 'edit'] as const satisfies readonly ResolveVerdict[];

export const resolveCommand = (): Command =>
  subcommand('resolve', 'Resolve a conflict: choose the text of the note; the conflict copy goes away', [
    'resolve 01J9XK3V --keep laptop',
    'resolve 01J9XK3V --both',
    'resolve 01J9XK3V --edit',
  ])
    .argument('<id>', 'id of the conflict copy, or of the note that it conflicts with, its beginning or its end')
    .option('--keep <machine>', "use the text that conflicts shows as this machine's")
    .option('--ours', 'use the text of the conflict copy; if the note is gone, the copy becomes a note of its own')
    .option('--theirs', 'keep the note as it is; if the note is gone, drop the copy too')
    .option('--both', 'keep both texts, the copy below the note')
    .option('--edit', 'write the text in $EDITOR, from both')
    .action(async (given: string, options: ResolveOptions) => {
      const [chosen, ...others] = [
        ...verdicts.filter((one) => options[one] === true),
        ...(options.keep === undefined ? [] : (['keep'] as const)),
      ];
      if (chosen === undefined || others.length > 0)
        throw wrongUsage(
          'one of --keep, --ours, --theirs, --both and --edit is needed',
          'anamnesis conflicts prints the command for each',
        );
      await withApp(async (app) => {
        const memory = await app.whole();
        const pair = answerOrThrow(await findConflict(memory, given));
        if (pair === 'settled') return printAnswer(app.notes, settledAlready, options);
        const resolve = async (verdict: ResolveVerdict, asSeen: boolean, body?: string): Promise<void> => {
          const answer = doneOrThrow(await resolveConflict(memory, pair, { verdict, body, asSeen }));
          await printAnswer(app.notes, answer, options);
        };
        // A text that has changed meanwhile may come from another machine.
        if (chosen === 'keep') return resolve(verdictFor(options.keep ?? '', pair), true);
        if (chosen !== 'edit') return resolve(chosen, false);
        const marked = markedText(pair);
        // Without the note there is nothing to mark; the refusal says what can be done.
        if (marked === undefined) return resolve('edit', true);
        await withEditedText(marked, (body) => resolve('edit', true, body));
      });
    });

const verdictFor = (machine: string, { sides }: ConflictPair): 'ours' | 'theirs' => {
  if (sides.note !== sides.copy) {
    if (machine === sides.copy) return 'ours';
    if (machine === sides.note) return 'theirs';
  }
  const known = [sides.note, sides.copy].filter((one) => one !== undefined);
  throw wrongUsage(
    sides.note === sides.copy ? `both texts are from ${sides.copy}` : `neither text is from ${machine}`,
    sides.note === sides.copy
      ? '--theirs keeps what the note says now, --ours takes the text of the conflict copy, --both keeps both'
      : `the machines are ${known.join(' and ')}`,
  );
};
