/** anamnesis list */
import { type Command, Option } from 'commander';
import type { JsonOption } from '../answer.js';
import { wrongUsage } from '../errors.js';
import { formatNotes } from '../note-view.js';
import { addFilterOptions, type FilterOptions, filterOf, parseCount, parseOffset, subcommand } from '../options.js';
import { print, printJson, say } from '../output.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';

export const listCommand = (): Command =>
  addFilterOptions(
    subcommand('list', 'List notes, most recently updated first', [
      'list --project github.com/acme/shop',
      'list --type procedural --tag deploy -n 10',
      'list --after "last monday"',
      'list --after 2026-06-01 --json',
    ]),
  )
    .option('-n, --limit <count>', 'maximum number of notes', parseCount, 50)
    .option('--offset <count>', 'number of notes to skip', parseOffset, 0)
    .addOption(new Option('-k <count>', 'as in search: here it is -n').hideHelp())
    .action(
      async (
        options: JsonOption & FilterOptions & { readonly k?: string; readonly limit: number; readonly offset: number },
      ) => {
        if (options.k !== undefined)
          throw wrongUsage('list takes no -k', `give the number of notes with -n ${options.k}`);
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
          else if (notes.length === 0) say(`--offset ${options.offset} leaves out all of them: there are ${total}`);
          else if (seen < total) say(`${seen} of ${total}; more: --offset ${seen}`);
        });
      },
    );
