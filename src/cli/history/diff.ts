/** anamnesis diff: shows how notes changed between two points in history. */
import type { Command } from 'commander';
import type { App } from '../../app/app.js';
import { diffStore } from '../../app/store-diff.js';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { print, printJson, printWhole, say } from '../output.js';
import { formatPatch } from '../patch.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';
import { readPoint } from '../typed-time.js';

export const diffCommand = (): Command =>
  subcommand('diff', 'Print what changed between two points of the history', [
    'diff yesterday',
    'diff 2026-06-01 2026-06-24',
    'diff HEAD~3 HEAD --json --text',
  ])
    .argument('<from>', 'commit, event id or time')
    .argument('[to]', 'a later point (default: now)')
    .option('--text', 'with --json: include the unified diff')
    .action(async (from: string, to = 'HEAD', options: JsonOption & { readonly text?: true }) => {
      await withApp(async (app) => {
        await printDiff(app, { from, to, ...options });
      });
    });

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
