/** Restores a forgotten note. Pure. */
import { type NoteId, shownTitle } from '../events/note/note.js';
import { type Decide, type Handler, quiet, refuse } from './command.js';
import { noteUnknown } from './refusals.js';
import { findPlaceFor, isBeside } from './revert.js';
import { noteKeptElsewhere } from './write-path/kept-elsewhere.js';

export type RestoreNote = {
  readonly kind: 'restore';
  readonly id: NoteId;
  /** If given, restores even a note that another machine made machine-local. */
  readonly scope?: 'portable' | undefined;
};

/**
 * Quiet when the note exists, unless it was machine-local here and only another machine's portable file exists: then
 * its own text is restored beside that file. The note is restored as it last was, at its old path unless that is taken,
 * and keeps its updated_at.
 */
const decideRestore: Decide<RestoreNote> = ({ id, scope }, notes) => {
  const known = notes.find(id);
  const lost = notes.lost(id);
  if (known !== undefined && !isBeside(lost, known)) return quiet(id);
  if (lost === undefined) return refuse(noteUnknown(id));
  if (lost.keptElsewhere !== undefined && scope === undefined) return refuse(noteKeptElsewhere(id, lost.keptElsewhere));
  const found = findPlaceFor(id, lost.file.note.type, lost.place, notes);
  if (!found.ok) return refuse(found.refusal);
  const { journal, path } = found.place;
  return {
    kind: 'record',
    event: {
      kind: 'note.restored',
      subject: shownTitle(lost.file.note),
      notes: [id],
      project: lost.file.note.project,
    },
    changes: [{ journal, path, bytes: lost.bytes }],
    noteId: id,
    masked: [],
    warnings: [],
  };
};

export const restoreHandler: Handler<RestoreNote> = {
  touches: ({ id }) => [id],
  decide: decideRestore,
  noteOf: ({ id }) => id,
};
