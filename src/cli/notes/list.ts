/** anamnesis list: lists notes by filters, newest first. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { formatNotes } from '../note-view.js';
import {
  addFilterOptions,
  type FilterOptions,
  filterOf,
  parseCount,
  parseOffset,
  subcommand,
  takesOtherCount,
} from '../options.js';
import { print, printJson, say } from '../output.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';

export const listCommand = (): Command =>
  takesOtherCount(
    addFilterOptions(
      subcommand('list', 'List notes, most recently updated first', [
        'list --project github.com/acme/shop',
        'list --type procedural --tag deploy -n 10',
        'list --after "last monday"',
        'list --after 2026-06-01 --json',
      ]),
    ),
    'limit',
  )
    .option('-n, --limit <count>', 'maximum number of notes', parseCount, 50)
    .option('--offset <count>', 'number of notes to skip', parseOffset, 0)
    .action(async (options: JsonOption & FilterOptions & { readonly limit: number; readonly offset: number }) => {
      const filter = await filterOf(options);
      await withApp(async (app) => {
        const project = await projectAsked(app, filter.project);
        const { notes, total } = await app.notes.list({ ...filter, project }, options.limit, options.offset);
        if (options.json === true) {
          printJson({ notes, total });
          return;
        }
        print(formatNotes(notes, options));
        const seen = options.offset + notes.length;
        if (total === 0) say('no notes');
        else if (notes.length === 0) say(`--offset ${options.offset} skips all of them: there are ${total}`);
        else if (seen < total) say(`${seen} of ${total}; more: --offset ${seen}`);
      });
    });
