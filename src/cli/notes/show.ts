/** anamnesis show */
import type { Command } from 'commander';
import type { NoteJson } from '../../store/note-json.js';
import type { Found } from '../../store/reading.js';
import type { JsonOption } from '../answer.js';
import { refused } from '../errors.js';
import { formatNote } from '../note-view.js';
import { subcommand } from '../options.js';
import { print, printJson, printRaw } from '../output.js';
import { withMemory, withReading } from '../session.js';

export const showCommand = (): Command =>
  subcommand('show', 'Print a note in full', [
    'show 01J9XK3V',
    'show 01J9XK3V --at 2026-06-24',
    'show 01J9XK3V --raw > note.txt',
  ])
    .argument('<id>', 'id of the note, or the beginning of one')
    .option('--at <point>', 'as it was at this commit, event id or date')
    .option('--raw', 'only its text, with every character as it is')
    .action(async (given: string, options: JsonOption & { readonly at?: string; readonly raw?: true }) => {
      const printNote = (found: Found<NoteJson>): void => {
        if (!found.ok) throw refused(found.refusal);
        if (options.json === true) printJson(found.answer);
        else if (options.raw === true) printRaw(found.answer.body ?? '');
        else print(formatNote(found.answer));
      };
      const { at } = options;
      if (at === undefined) {
        await withReading(async (reading) => printNote(await reading.show(given)));
        return;
      }
      const { showPast } = await import('../../app/past.js');
      await withMemory(async (memory) => printNote(await showPast(memory, given, at)));
    });
