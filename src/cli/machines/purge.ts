/** anamnesis purge: erases a note or a text from everything, history included. */
import { type Command, Option } from 'commander';
import type { PurgePlan, PurgeReceipt } from '../../answers/store-schema.js';
import { purgeEverywhere } from '../../app/purge-everywhere.js';
import { valueInvalid } from '../../commands/refusals.js';
import { cutLongTitle, type JournalFolder, maxFileBytes } from '../../events/note/note.js';
import { readGivenFile } from '../../files/given-file.js';
import { planPurge } from '../../purge/purging.js';
import type { PurgeRequest } from '../../purge/rule/request.js';
import type { JsonOption } from '../answer.js';
import { answerOrThrow, cancelled, exitCodes, needTerminal, refused, wrongUsage } from '../errors.js';
import type { Namer } from '../note-names.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, ink, isTerminal, print, printJson, say, sayWarnings, streams } from '../output.js';
import { withApp } from '../session.js';
import { formatPairs } from '../table.js';

type PurgeOptions = JsonOption & {
  readonly literal?: string | true;
  readonly pattern?: string;
  readonly ignoreCase?: true;
  readonly reason?: string;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly journal?: JournalFolder;
  readonly hereOnly?: true;
};

export const purgeCommand = (): Command =>
  subcommand('purge', 'Erase a note or a leaked secret from everything, including all of history', [
    'purge 01M7YJ8TF29JMS5AJJCM0PNT7V --dry-run',
    'purge --literal                    (asks for the text)',
    'purge --literal secret.txt --yes   (- reads standard input)',
    "purge --pattern 'AKIA[0-9A-Z]{16}' --reason 'leaked key'",
  ])
    .argument('[id]', 'note to erase with all its versions')
    .option('--literal [file]', 'erase the text in this file wherever it occurs; asks for it if no file is given')
    .option('--pattern <regex>', 'erase whatever matches this JavaScript regular expression')
    .option('--ignore-case', 'match the pattern regardless of case')
    .addOption(
      new Option('--journal <name>', 'only from this journal, as for a local note that was published').choices([
        'memory',
        'local',
      ]),
    )
    .option('--here-only', 'purge although the remote cannot be reached; the next sync publishes it first')
    .option('-r, --reason <text>', 'why, for the history')
    .option('-n, --dry-run', 'only show what would be erased')
    .option('-y, --yes', 'do not ask')
    .action(async (given: string | undefined, options: PurgeOptions) => {
      const text = await readLiteral(given, options);
      await withApp(async (app) => {
        const { notes } = app;
        const memory = await app.whole();
        const what: PurgeRequest['what'] =
          text !== undefined
            ? { kind: 'literal', text }
            : options.pattern !== undefined
              ? { kind: 'pattern', source: options.pattern, ignoreCase: options.ignoreCase === true }
              : { kind: 'note', id: answerOrThrow(await notes.resolveId(given ?? '')) };
        const journal = options.journal === undefined ? undefined : options.journal === 'memory' ? 'portable' : 'local';
        const asked: PurgeRequest = { what, journal, reason: options.reason };
        if (what.kind === 'pattern') {
          say('warning: your shell may keep the pattern in its history; --literal reads the text from a file instead');
        }
        if (options.dryRun === true || options.yes !== true) {
          const plan = answerOrThrow(await planPurge(memory, asked));
          if (options.dryRun !== true)
            needTerminal('purge', 'give --yes, or --dry-run to see what would be erased', options.json);
          await printPlan(notes, plan, options);
          if (options.dryRun === true) return;
          await confirm(what.kind === 'note' ? what.id : 'purge');
        }
        const receipt = answerOrThrow(
          await purgeEverywhere(memory, asked, { interactive: isTerminal('stdin'), hereOnly: options.hereOnly }),
        );
        printReceipt(receipt, options);
        if (!receipt.clean) process.exitCode = exitCodes.refused;
      });
    });

const readLiteral = async (
  given: string | undefined,
  { literal, pattern }: PurgeOptions,
): Promise<string | undefined> => {
  const ways = [given, literal, pattern].filter((way) => way !== undefined).length;
  if (ways !== 1) {
    throw wrongUsage(
      ways === 0 ? 'there is nothing to erase' : 'a note id, --literal and --pattern exclude each other',
      'see: anamnesis purge --help',
    );
  }
  if (literal === undefined) return undefined;
  if (literal !== true) return withoutLineEnd(readText(literal));
  if (!isTerminal('stdin')) return withoutLineEnd(readText('-'));
  const { isCancel, password } = await import('@clack/prompts');
  const typed = await password({ message: 'Text to erase (not shown)' });
  if (isCancel(typed)) throw cancelled('purge');
  return typed;
};

const readText = (file: string): string => {
  const read = readGivenFile(file === '-' ? streams.stdin : file, maxFileBytes);
  const text = read.ok ? decode(read.bytes) : undefined;
  if (text !== undefined) return text;
  const why = read.ok ? "it isn't UTF-8" : read.why;
  throw refused(valueInvalid('literal', 'a file with text in UTF-8', `${file} (${why})`));
};

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** echo and editors end a text with a line break that isn't part of it. */
const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

const confirm = async (word: string): Promise<void> => {
  const { isCancel, text } = await import('@clack/prompts');
  const typed = await text({ message: `This can't be undone. Type ${word} to continue` });
  if (isCancel(typed) || typed.trim().toUpperCase() !== word.toUpperCase()) throw cancelled('purge');
};

const printPlan = async (notes: Namer, plan: PurgePlan, { json }: JsonOption): Promise<void> => {
  if (json === true) return printJson({ status: 'planned', ...plan });
  const ids = [...plan.notes.map(({ id }) => id), ...plan.changed_notes];
  const names = await notes.names(ids);
  const shown = (id: string): string => names.get(id)?.shortId ?? id;
  const named = {
    ...plan,
    notes: plan.notes.map((note) => ({ ...note, id: shown(note.id) })),
    changed_notes: plan.changed_notes.map(shown),
  };
  print(`${ink('yellow', 'would purge')} ${summaryOf(named)}\n`);
  print(formatPairs(detailsOf(named)));
  for (const file of plan.files) print(`  now in ${cleanLine(file)}\n`);
};

const printReceipt = (receipt: PurgeReceipt, { json }: JsonOption): void => {
  if (json === true) printJson(receipt);
  else {
    print(`${ink(receipt.status === 'purged' ? 'green' : 'dim', receipt.status)} ${summaryOf(receipt)}\n`);
    print(
      formatPairs([
        ['event', receipt.purge ?? undefined],
        [
          'remote',
          receipt.remote === null
            ? undefined
            : `${receipt.remote.published ? 'published' : 'not yet'}: ${receipt.remote.detail}`,
        ],
        ...detailsOf(receipt),
        ...receipt.heads.map(({ journal, before, after }): [string, string] => [
          `${journal} head`,
          before === after ? 'unchanged' : `${before?.slice(0, 12)} → ${after?.slice(0, 12)}`,
        ]),
      ]),
    );
    print('checked afterwards:\n');
    for (const { place, how, looked, found } of receipt.checked) {
      print(
        `  ${found.length === 0 ? ink('green', 'none') : ink('red', String(found.length))} in ${place} (${looked}, ${how})\n`,
      );
      for (const where of found.slice(0, maxNamed)) print(`    ${cleanLine(where)}\n`);
    }
    print('not checked; please check these yourself:\n');
    for (const place of receipt.not_checked) print(`  ${cleanLine(place)}\n`);
    for (const file of receipt.transcripts) print(`  found in the transcript ${cleanLine(file)}\n`);
  }
  sayWarnings(receipt.warnings);
  if (!receipt.clean)
    say('anamnesis: it was found again afterwards; clean up the files named above, then repeat the purge');
};

const maxNamed = 20;

const summaryOf = ({ notes, changed_notes: changed, places }: Omit<PurgePlan, 'files'>): string =>
  notes.length > 0
    ? notes
        .map(({ id, title, versions }) => `${id} ${cleanLine(cutLongTitle(title))} (${counted(versions, 'version')})`)
        .join(', ')
    : `${counted(places, 'place')} in ${counted(changed.length, 'note')}`;

const detailsOf = ({
  changed_notes: changed,
  journals,
  dropped_refs: dropped,
}: Omit<PurgePlan, 'files'>): [string, string | undefined][] => [
  ['notes', changed.length === 0 ? undefined : changed.slice(0, maxNamed).join(', ')],
  ...journals.map(({ journal, commits, changed: rewritten, messages }): [string, string] => [
    `${journal} history`,
    `${rewritten} of ${counted(commits, 'commit')} rewritten, ${counted(messages, 'message')} changed`,
  ]),
  ['dropped refs', dropped.length === 0 ? undefined : dropped.join(', ')],
];
