/** Take a note out of the journal's tree, and bring it back. Pure. Its text stays in history. */
import { shownTitle } from '../events/note/note.js';
import { type Decide, type ForgetNote, quiet, type RestoreNote, refuse, removeAllCopies } from './command.js';
import { checkLimits } from './limits.js';
import { redactFields } from './redact-fields.js';
import { noteUnknown } from './refusals.js';

/** Quiet when the note is already forgotten: an agent may resend a command whose answer it lost. */
export const decideForget: Decide<ForgetNote> = ({ id, reason }, notes) => {
  const known = notes.find(id);
  if (known === undefined) return notes.wasThere(id) ? quiet(undefined) : refuse(noteUnknown(id));
  const refusal = checkLimits({ reason });
  if (refusal !== undefined) return refuse(refusal);
  const { fields, masked } = redactFields({ body: reason });
  const { journal, path } = known.place;
  return {
    kind: 'record',
    event: {
      kind: 'note.forgotten',
      subject: shownTitle(known.file.note),
      notes: [id],
      reason: fields.body,
      project: known.file.note.project,
    },
    changes: [{ journal, path, bytes: undefined }, ...removeAllCopies(known)],
    noteId: undefined,
    masked,
    warnings: [],
  };
};

/** Quiet when the note is there. It comes back as it last was, at its old place, and keeps its updated_at. */
export const decideRestore: Decide<RestoreNote> = ({ id }, notes) => {
  if (notes.find(id) !== undefined) return quiet(id);
  const lost = notes.lost(id);
  if (lost === undefined) return refuse(noteUnknown(id));
  const { journal, path } = lost.place;
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
