/** anamnesis review: lists proposals, and accepts or rejects them. */
import { Command } from 'commander';
import type { NoteJson, Proposal, SettledProposal } from '../../answers/note-schema.js';
import { type ReviewVerdict, readProposals, settleProposals } from '../../app/reviewing.js';
import { cutLongTitle } from '../../events/note/note.js';
import { describe, type JsonOption } from '../answer.js';
import { answerOrThrow, wrongUsage } from '../errors.js';
import { localDay } from '../local-time.js';
import { sayNamedWarnings, withNames } from '../note-names.js';
import { parseCount, subcommand } from '../options.js';
import { cleanLine, ink, isTerminal, print, printJson, say } from '../output.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';
import { cutTo, terminalWidth } from '../table.js';
import { wrapWords } from '../wrap.js';

export const reviewCommand = (): Command =>
  new Command('review')
    .description('Accept or reject notes that are proposed, or that propose to replace older ones')
    .addHelpText(
      'after',
      '\nExamples:\n  $ anamnesis review\n  $ anamnesis review accept 01J9XK3V\n  $ anamnesis review reject 01J9XK3V --keep\n\nWithout a subcommand: list.',
    )
    .addCommand(listProposalsCommand(), { isDefault: true })
    .addCommand(acceptCommand())
    .addCommand(rejectCommand());

/** Formats both notes of each proposal, the newer one first. */
export const formatProposals = (proposals: readonly Proposal[], width: number): string =>
  proposals.map((proposal) => formatProposal(proposal, width)).join('\n');

type ListOptions = JsonOption & {
  readonly project?: string;
  readonly user?: string;
  readonly workspace?: string;
  readonly limit: number;
};

const listProposalsCommand = (): Command =>
  subcommand('list', 'List open proposals, with the notes that they would replace', [
    'review list',
    'review list --project github.com/acme/shop',
    'review list --json',
  ])
    .option('--project <key>', 'only proposals of notes of this project')
    .option('--user <id>', 'only notes of this user')
    .option('--workspace <id>', 'only notes of this workspace')
    .option('-n, --limit <count>', 'maximum number of proposals', parseCount, 50)
    .action(async ({ limit, json, project: given, ...filter }: ListOptions) => {
      await withApp(async (app) => {
        const project = await projectAsked(app, given);
        const { proposals, total } = await readProposals(await app.wholeToRead(), { ...filter, project }, limit);
        if (json === true) return printJson({ proposals, total });
        print(formatProposals(proposals, Math.min(terminalWidth(), widest)));
        if (total === 0) say('nothing to review');
        else if (proposals.length < total) say(`${proposals.length} of ${total}; more: -n ${total}`);
        if (total > 0 && isTerminal('stderr')) {
          const hint =
            'anamnesis review accept ID: the new note takes over, and agents get it; reject ID: it is forgotten, with --keep both stay';
          for (const line of wrapWords(hint, terminalWidth())) say(line);
        }
      });
    });

type SettleOptions = JsonOption & { readonly older?: string };

const idsArgument = 'ids of the new notes, their beginnings or their ends';
const olderOption = [
  '--older <id>',
  'only the proposal about this note (default: all proposals of the new note)',
] as const;

const acceptCommand = (): Command =>
  subcommand('accept', 'Accept proposals: agents get the new notes, and they supersede the old ones', [
    'review accept 01J9XK3V 01J9XK5A',
    'review accept 01J9XK3V --older 01HZB2M7',
  ])
    .argument('<ids...>', idsArgument)
    .option(...olderOption)
    .action((given: readonly string[], options: SettleOptions) => settleAndPrint(given, 'accept', options));

const rejectCommand = (): Command =>
  subcommand('reject', 'Reject proposals: forget the new notes, or keep both', [
    'review reject 01J9XK3V',
    'review reject 01J9XK3V --keep --older 01HZB2M7',
  ])
    .argument('<ids...>', idsArgument)
    .option('--keep', 'keep the new note beside the old one')
    .option(...olderOption)
    .action((given: readonly string[], options: SettleOptions & { readonly keep?: true }) =>
      settleAndPrint(given, options.keep === true ? 'keep-both' : 'forget', options),
    );

const settleAndPrint = async (
  given: readonly string[],
  verdict: ReviewVerdict,
  options: SettleOptions,
): Promise<void> => {
  if (options.older !== undefined && given.length > 1) {
    throw wrongUsage('--older picks a proposal of one note', 'give one id with it');
  }
  await withApp(async (app) => {
    const { notes } = app;
    const asked = { ids: given, verdict, older: options.older };
    const settled = answerOrThrow(await settleProposals(await app.whole(), asked));
    if (options.json === true) printJson({ settled });
    else print((await withNames(notes, settled.map(formatReviewed))).join(''));
    await sayNamedWarnings(
      notes,
      settled.flatMap(({ warnings }) => warnings),
    );
  });
};

const formatReviewed = ({ id, older, verdict, status, event }: SettledProposal): string => {
  const named = older.map((one) => `note ${one}`).join(', ');
  const isAlone = older.length === 0;
  const what = {
    accept: isAlone ? 'is yours now: agents get it' : `supersedes ${named}`,
    'keep-both': isAlone ? 'stays' : `stays beside ${named}`,
    forget: `is forgotten${isAlone ? '' : `; ${named} ${older.length === 1 ? 'stays' : 'stay'}`}`,
  }[verdict];
  return `${describe({ status, event: event ?? undefined })} ${id}${status === 'recorded' ? ` ${what}` : ''}\n`;
};

/** Longer lines are hard to read, also in a pipe. */
const widest = 120;
const maxTitleLines = 2;
const maxBodyLines = 6;
/** More than these lines can hold. */
const maxBodyChars = 2000;

const formatProposal = ({ newer, older }: Proposal, width: number): string => {
  const about = [newer.project, localDay(newer.created_at), describeOrigin(newer)].map(cleanLine).join('  ');
  const what = older === undefined ? 'is proposed' : `proposes to supersede ${ink('yellow', older.short_id)}`;
  return [
    `${ink('yellow', newer.short_id)} ${what}`,
    ink('dim', cutTo(about, width)),
    ...formatSide('NEW', newer, width),
    ...(older === undefined ? [] : formatSide('OLD', older, width)),
  ]
    .map((line) => `${line}\n`)
    .join('');
};

const formatSide = (name: string, note: NoteJson, width: number): readonly string[] => [
  ink('dim', cutTo(`${name}  confidence ${note.confidence}  ${localDay(note.updated_at)}`, width)),
  ...linesOf(note.title === '' ? '(untitled)' : cutLongTitle(note.title), width, maxTitleLines).map((line) =>
    ink('bold', line),
  ),
  ...linesOf((note.body ?? '').slice(0, maxBodyChars), width, maxBodyLines),
];

/** `…` marks the end if lines were left out. */
const linesOf = (text: string, width: number, most: number): readonly string[] => {
  const lines = wrapWords(cleanLine(text), width);
  const kept = lines.length <= most ? lines : [...lines.slice(0, most - 1), lines.slice(most - 1).join(' ')];
  return kept.map((line) => cutTo(line, width)).filter((line) => line !== '');
};

const describeOrigin = ({ agent, prov_source: source, prov_model: model, machine_id: machine, claimed }: NoteJson) =>
  `${claimed === true ? 'it says: ' : ''}by ${agent ?? source} on ${machine}${model === undefined ? '' : ` (${model})`}`;
