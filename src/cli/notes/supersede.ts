/** anamnesis supersede: replaces older notes with a newer one. */
import type { Command } from 'commander';
import type { Notes } from '../../app/notes.js';
import { isNoteType } from '../../events/note/note.js';
import { printAnswer } from '../answer.js';
import { doneOrThrow, wrongUsage } from '../errors.js';
import { subcommand } from '../options.js';
import { withApp } from '../session.js';
import { idsToChange, idToChange } from './by-title.js';
import { addNewNoteOptions, type Inherit, type NewNoteOptions, recordNewNote } from './write.js';

export const supersedeCommand = (): Command =>
  addNewNoteOptions(
    subcommand('supersede', 'Replace older notes with a newer one', [
      'supersede 01J9XK3V --by 01JB2M7Q',
      "supersede 01J9XK3V 01J9XK5A --title 'No VPN' --body 'CI deploys.'",
    ])
      .argument('<notes...>', 'ids of the older notes, their beginnings or their ends, or their titles, each in quotes')
      .option(
        '--by <note>',
        'note that replaces them, by its id or its title; without it, a new one is written from the options below',
      ),
  ).action(async (given: readonly string[], options: NewNoteOptions & { readonly by?: string }) => {
    const { by } = options;
    if (by === undefined) {
      if (options.title === undefined) {
        throw wrongUsage('no replacement is given', 'give --by ID, or --title and --body of a new note');
      }
      await recordNewNote(options.title, options, given, (notes, older) =>
        inheritedFrom(notes, older, options.scope === 'portable'),
      );
      return;
    }
    if (options.title !== undefined || options.body !== undefined || options.bodyFile !== undefined) {
      throw wrongUsage('--by names an existing note, so it takes no --title and no --body', 'give one or the other');
    }
    await withApp(async ({ notes }) => {
      const { commandId } = options;
      const older = await idsToChange(notes, given);
      const newer = await idToChange(notes, by);
      await printAnswer(notes, doneOrThrow(await notes.supersede(older, newer, { commandId })), options);
    });
  });

/** The tags of all, the type if shared, the greatest importance; nothing from machine-local ones if published. */
const inheritedFrom = async (notes: Notes, ids: readonly string[], isPublished: boolean): ReturnType<Inherit> => {
  const shown = await Promise.all(ids.map((id) => notes.show(id)));
  const older = shown
    .flatMap((one) => (one.ok ? [one.answer] : []))
    .filter(({ scope }) => !isPublished || scope === 'portable');
  const [type, ...otherTypes] = new Set(older.map((note) => note.type));
  const importances = older.flatMap(({ importance }) => importance ?? []);
  return {
    ...(type !== undefined && isNoteType(type) && otherTypes.length === 0 ? { type } : {}),
    tags: [...new Set(older.flatMap(({ tags }) => tags))],
    ...(importances.length === 0 ? {} : { importance: Math.max(...importances) }),
  };
};
