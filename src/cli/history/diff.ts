/** anamnesis diff */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { cleanText, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';
import { readPoint } from '../typed-time.js';

export const diffCommand = (): Command =>
  subcommand('diff', 'Print what changed between two points of the history', [
    'diff 2026-06-01 2026-06-24',
    'diff 4f1c2ab HEAD',
    'diff HEAD~3 HEAD --json --text',
  ])
    .argument('<from>', 'commit, event id or time')
    .argument('[to]', 'commit, event id or time', 'HEAD')
    .option('--text', 'with --json: include the unified diff')
    .action(async (from: string, to: string, options: JsonOption & { readonly text?: true }) => {
      await withApp(async ({ history }) => {
        const { notes, text } = await history.diff(await readPoint(from), await readPoint(to));
        if (options.json === true) {
          printJson({ from, to, notes, ...(options.text === true ? { text } : {}) });
          return;
        }
        if (notes.length === 0) say(`no note differs between ${from} and ${to}`);
        print(
          formatTable(
            [
              { head: 'CHANGE', of: ({ change }) => change, style: 'cyan' },
              { head: 'ID', of: ({ id }) => id, style: 'yellow' },
              { head: 'JOURNAL', of: ({ journal }) => journal, optional: true },
              { head: 'TITLE', of: ({ title }) => title, cut: 'end', main: true },
            ],
            notes,
          ),
        );
        if (text !== '') print(`\n${formatDiff(text)}`);
      });
    });

const formatDiff = (text: string): string =>
  cleanText(text)
    .split('\n')
    .map((line) => {
      if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return ink('bold', line);
      if (line.startsWith('@@')) return ink('cyan', line);
      if (line.startsWith('+')) return ink('green', line);
      return line.startsWith('-') ? ink('red', line) : line;
    })
    .join('\n');
