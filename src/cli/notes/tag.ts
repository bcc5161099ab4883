/** anamnesis tag and untag: add tags to a note or remove them. */
import type { Command } from 'commander';
import { type JsonOption, printAnswer } from '../answer.js';
import { doneOrThrow } from '../errors.js';
import { noteArgument, subcommand } from '../options.js';
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
