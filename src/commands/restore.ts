/** Restores a forgotten note. Pure. */
import { type NoteId, shownTitle } from '../events/note/note.js';
import { type Decide, type Handler, quiet, record, refuse } from './command.js';
import { noteUnknown } from './refusals.js';
import { placeForType } from './revert.js';

export type RestoreNote = { readonly kind: 'restore'; readonly id: NoteId };

/** Quiet when the note exists. It is restored as it last was, at its old path. */
const decideRestore: Decide<RestoreNote> = ({ id }, notes) => {
  if (notes.find(id) !== undefined) return quiet(id);
  const lost = notes.lost(id);
  if (lost === undefined) return refuse(noteUnknown(id));
  const { journal, path } = placeForType(lost.place, lost.file.note.type, id);
  return record(
    {
      kind: 'note.restored',
      subject: shownTitle(lost.file.note),
      notes: [id],
      project: lost.file.note.project,
    },
    [{ journal, path, bytes: lost.bytes }],
    id,
  );
};

export const restoreHandler: Handler<RestoreNote> = {
  touches: ({ id }) => [id],
  decide: decideRestore,
  noteOf: ({ id }) => id,
};
