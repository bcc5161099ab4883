/** Updates the source keys of edited notes whose files moved; an import would leave them as they are. Pure. */
import type { NoteId } from '../../events/note/note.js';
import { formatNoteFile, isEditable, setNoteFields } from '../../events/note/note-file.js';
import { type Decide, type Handler, quiet, removeCopies } from '../command.js';

export type FollowFiles = {
  readonly kind: 'follow';
  /** Notes whose files were moved, with the source keys that these have now. */
  readonly notes: readonly { readonly id: NoteId; readonly sourceKey: string }[];
};

/** Records an event that keeps the text: after an import event, the edit would count as the source's, and be lost. */
const decideFollow: Decide<FollowFiles> = ({ notes }, known) => {
  const followed = notes.flatMap(({ id, sourceKey }) => {
    const before = known.find(id);
    if (before === undefined || !known.editedSinceImport(id) || !isEditable(before.file)) return [];
    if (before.file.note.sourceKey === sourceKey) return [];
    const { journal, path } = before.place;
    const bytes = formatNoteFile(setNoteFields(before.file, { sourceKey }));
    return [{ id, changes: [{ journal, path, bytes }, ...removeCopies(before)] }];
  });
  if (followed.length === 0) return quiet(undefined);
  return {
    kind: 'record',
    event: {
      kind: 'note.moved',
      subject: `the source ${followed.length === 1 ? 'file of an edited note' : `files of ${followed.length} edited notes`}`,
      notes: followed.map(({ id }) => id),
    },
    changes: followed.flatMap(({ changes }) => changes),
    noteId: undefined,
    masked: [],
    warnings: [],
  };
};

export const followHandler: Handler<FollowFiles> = {
  touches: ({ notes }) => notes.map(({ id }) => id),
  decide: decideFollow,
  noteOf: () => undefined,
};
