/** anamnesis show: prints one note in full. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { answerOrThrow } from '../errors.js';
import { formatNote, idsShown } from '../note-view.js';
import { subcommand } from '../options.js';
import { printJson, printRaw, printWhole } from '../output.js';
import { withApp } from '../session.js';
import { readPoint } from '../typed-time.js';
import { showByTitle } from './by-title.js';

export const showCommand = (): Command =>
  subcommand('show', 'Print a note in full', [
    'show 01J9XK3V',
    'show deploys need the vpn',
    'show 01J9XK3V --at 2026-06-24',
    'show 01J9XK3V --raw > note.txt',
  ])
    .argument('<note...>', 'id of the note, its beginning or its end, or its title')
    .option('--at <point>', 'as it was at this commit, event id or time')
    .option('--raw', 'only its text, with every character as it is')
    .action(async (words: readonly string[], options: JsonOption & { readonly at?: string; readonly raw?: true }) => {
      const at = options.at === undefined ? undefined : await readPoint(options.at);
      await withApp(async ({ notes }) => {
        const given = words.join(' ');
        const byId = await notes.show(given, at);
        const titled = byId.ok || at !== undefined ? byId : await showByTitle(notes, given, byId);
        const note = answerOrThrow(titled);
        if (options.json === true) printJson(note);
        else if (options.raw === true) printRaw(note.body ?? '');
        else printWhole(formatNote(note, await notes.names(idsShown(note))));
      });
    });
