/** anamnesis inject and recall: print what hooks would give a session. */
import type { Command } from 'commander';
import type { RecallAnswer } from '../../app/notes.js';
import type { JsonOption } from '../answer.js';
import { parseCount, subcommand } from '../options.js';
import { printInjection, printRecall, recallDefaults } from './recall.js';

type InjectOptions = JsonOption & { readonly project?: string; readonly k: number; readonly budget: number };

export const injectCommand = (): Command =>
  subcommand('inject', 'Print the notes that a session should start with', [
    'inject',
    'inject --project github.com/acme/shop -k 4 --budget 4000',
  ])
    .option('--project <key>', "project of the session (default: the current folder's)")
    .option('-k <count>', 'maximum number of notes of the project', parseCount, recallDefaults.k)
    .option('--budget <units>', 'maximum length of the text, in UTF-16 units', parseCount, recallDefaults.budget)
    .action((options: InjectOptions) => printInjection(options));

type RecallOptions = JsonOption & { readonly project?: string; readonly k: number; readonly explain?: boolean };

export const recallCommand = (): Command =>
  subcommand('recall', 'Print the notes relevant enough to add to a prompt', [
    "recall 'why does the deploy hang'",
    "recall 'the refund webhook times out' --json",
  ])
    .argument('<prompt...>', 'the prompt')
    .option('--project <key>', "project of the session (default: the current folder's)")
    .option('-k <count>', 'maximum number of notes', parseCount, recallDefaults.promptNotes)
    .option('--explain', 'say what judged the notes, and how well each of them fits')
    .action((words: readonly string[], options: RecallOptions) =>
      printRecall({
        ...options,
        prompt: words.join(' '),
        formatHow: options.explain === true ? formatHow : undefined,
      }),
    );

/** The rule that judged, each note's relevance, best first, then the notes that came closest to a line. */
const formatHow = ({ text, explain: how, notes, maybe }: RecallAnswer): string => {
  if (how === undefined) return '';
  const by = how.model === null ? 'by words' : `by words and ${how.model}`;
  const whyNot = (relevance: number): string => (relevance < how.named_from ? '' : ', since others fit far better');
  const lines = [
    `judged ${by}: shown from ${how.shown_from}, named from ${how.named_from}`,
    ...(how.degraded === undefined ? [] : [`words alone: ${how.degraded}`]),
    ...[...notes, ...maybe].map(({ short_id, title, relevance, resolves }) =>
      resolves === undefined
        ? `${relevance.toFixed(4)}  ${short_id}  ${title}${relevance < how.named_from ? ' (named because a name from code is in it)' : ''}`
        : `        ${short_id}  ${title} (resolves ${resolves})`,
    ),
    ...how.below.map(
      ({ short_id, title, relevance }) =>
        `${relevance.toFixed(4)}  ${short_id}  ${title} (neither shown nor named${whyNot(relevance)})`,
    ),
  ];
  return `${text === '' ? '' : '\n'}${lines.join('\n')}\n`;
};
