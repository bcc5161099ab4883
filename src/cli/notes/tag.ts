/** anamnesis tag, untag and move: change where a note is filed. */
import type { Command } from 'commander';
import type { Scope } from '../../events/note/note.js';
import { type JsonOption, printAnswer } from '../answer.js';
import { doneOrThrow } from '../errors.js';
import { noteArgument, scopeOption, subcommand } from '../options.js';
import { projectToWrite } from '../project-here.js';
import { withApp } from '../session.js';
import { idToChange } from './by-title.js';

export const tagCommand = (): Command =>
  subcommand('tag', 'Add tags to a note', ['tag 01J9XK3V deploy network'])
    .argument('<note>', noteArgument)
    .argument('<tags...>', 'tags to add')
    .action((given: string, tags: readonly string[], options: JsonOption) =>
      changeTags(given, { add: tags, remove: [] }, options),
    );

export const untagCommand = (): Command =>
  subcommand('untag', 'Remove tags from a note', ['untag 01J9XK3V network'])
    .argument('<note>', noteArgument)
    .argument('<tags...>', 'tags to remove')
    .action((given: string, tags: readonly string[], options: JsonOption) =>
      changeTags(given, { add: [], remove: tags }, options),
    );

const changeTags = (
  given: string,
  change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  options: JsonOption,
): Promise<void> =>
  withApp(async ({ notes }) =>
    printAnswer(notes, doneOrThrow(await notes.tag(await idToChange(notes, given), change)), options),
  );

export const moveCommand = (): Command =>
  subcommand('move', 'Move a note to another project or scope', [
    'move 01J9XK3V --project github.com/acme/shop',
    'move 01J9XK3V --scope machine-local',
  ])
    .argument('<note>', noteArgument)
    .option('--project <key>', 'project to move it to, or global')
    .addOption(scopeOption('scope to move it to; history keeps any text that was portable'))
    .action(async (given: string, options: JsonOption & { readonly project?: string; readonly scope?: Scope }) => {
      await withApp(async (app) => {
        const named = options.project === undefined ? undefined : await projectToWrite(app, options.project);
        const answer = await app.notes.move(await idToChange(app.notes, given), {
          project: named?.key,
          scope: options.scope,
        });
        await printAnswer(app.notes, doneOrThrow(answer), options, named?.warnings);
      });
    });
