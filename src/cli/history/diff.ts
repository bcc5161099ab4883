/** anamnesis diff: shows how notes changed between two points in history. */
import type { Command } from 'commander';
import type { App } from '../../app/app.js';
import { readEventsOfNote } from '../../app/history.js';
import { diffOfNote } from '../../app/note-diff.js';
import { diffStore } from '../../app/store-diff.js';
import type { NoteId } from '../../events/note/note.js';
import type { JsonOption } from '../answer.js';
import { wrongUsage } from '../errors.js';
import { subcommand } from '../options.js';
import { print, printJson, printWhole, say } from '../output.js';
import { formatPatch } from '../patch.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';
import { readPoint } from '../typed-time.js';

export const diffCommand = (): Command =>
  subcommand('diff', 'Print what changed between two points of the history, in all notes or in one', [
    'diff yesterday',
    'diff 2026-06-01 2026-06-24',
    'diff HEAD~3 HEAD --json --text',
    'diff 01J9XK3V              (the last change of that note)',
    'diff 01J9XK3V 7d           (of that note, since then)',
  ])
    .argument('<point>', 'id of a note, or commit, event id or time')
    .argument('[points...]', 'further points: from and to (default: until now)')
    .option('--text', 'with --json: include the unified diff')
    .action(async (first: string, rest: readonly string[], options: JsonOption & { readonly text?: true }) => {
      await withApp(async (app) => {
        const note = await findNote(app, first);
        const [from, to = 'HEAD', ...more] = note === undefined ? [first, ...rest] : rest;
        if (more.length > 0) throw wrongUsage('diff takes at most two points', 'see: anamnesis diff --help');
        if (note !== undefined) await printDiffOfNote(app, note, { ...options, from, to });
        else await printDiff(app, { from: from ?? first, to, ...options });
      });
    });

/** Returns undefined if the text names a point. Events and commits have ids too; note ids are tried first. */
const findNote = async (app: App, given: string): Promise<NoteId | undefined> => {
  const id = /^[0-9a-z]{4,26}$/i.test(given) ? await app.notes.resolveId(given) : undefined;
  if (id?.ok !== true) return undefined;
  const known = await readEventsOfNote(await app.wholeToRead(), id.answer, 1);
  return known.ok ? id.answer : undefined;
};

const printDiffOfNote = async (
  app: App,
  note: NoteId,
  { from, to, json }: JsonOption & { readonly from: string | undefined; readonly to: string },
): Promise<void> => {
  const start = from === undefined ? undefined : await readPoint(from);
  const patch = await diffOfNote(await app.whole(), note, start, await readPoint(to));
  if (json === true) printJson({ note, from: from ?? null, to, patch });
  else if (patch.length === 0)
    say(from === undefined ? 'no recent event changed the note' : `the note does not differ between ${from} and ${to}`);
  else printWhole(`${formatPatch(patch.join('\n'))}\n`);
};

const printDiff = async (
  app: App,
  { from, to, json, text: withText }: JsonOption & { readonly from: string; readonly to: string; readonly text?: true },
): Promise<void> => {
  const { notes, text } = await diffStore(await app.whole(), await readPoint(from), await readPoint(to));
  if (json === true) return printJson({ from, to, notes, ...(withText === true ? { text } : {}) });
  if (notes.length === 0) say(`no note differs between ${from} and ${to}`);
  print(
    formatTable(
      [
        { head: 'CHANGE', of: ({ change }) => change, style: 'cyan' },
        { head: 'ID', of: ({ short_id: id }) => id, style: 'yellow' },
        { head: 'JOURNAL', of: ({ journal }) => journal, optional: true },
        { head: 'TITLE', of: ({ title }) => title, cut: 'end', main: true },
      ],
      notes,
    ),
  );
  if (text !== '') printWhole(`\n${formatPatch(text)}`);
};
