/** Confirms a note whose lesson was learned again. Pure. */
import { type NoteId, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, setNoteFields } from '../events/note/note-file.js';
import { type Decide, type Handler, quiet, record, refuse } from './command.js';
import { checkLimits } from './limits.js';
import { redactFields } from './redact-fields.js';
import { notEditable, noteForgotten, noteUnknown } from './refusals.js';

/** A note that no person wrote never becomes certain, however often it is confirmed. */
const maxConfidence = 0.95;
/** Share of the remaining doubt that one confirmation takes away. */
const step = 0.25;

export type ConfirmNote = { readonly kind: 'confirm'; readonly id: NoteId; readonly reason?: string | undefined };

/** Quiet when the confidence can't rise any further. updated_at stays, because the text says nothing new. */
const decideConfirm: Decide<ConfirmNote> = ({ id, reason }, notes) => {
  const known = notes.find(id);
  if (known === undefined) return refuse(notes.wasThere(id) ? noteForgotten(id) : noteUnknown(id));
  const { confidence } = known.file.note;
  const raised = Math.round(Math.min(maxConfidence, confidence + (1 - confidence) * step) * 100) / 100;
  if (raised <= confidence) return quiet(id);
  const { journal, path } = known.place;
  const refusal = checkLimits({ reason });
  if (refusal !== undefined) return refuse(refusal);
  if (!isEditable(known.file)) return refuse(notEditable(id, path));
  const { fields, masked } = redactFields({ body: reason });
  const after = setNoteFields(known.file, { confidence: raised });
  return record(
    {
      kind: 'note.confirmed',
      subject: shownTitle(after.note),
      notes: [id],
      reason: fields.body,
      project: after.note.project,
    },
    [{ journal, path, bytes: formatNoteFile(after) }],
    id,
    { masked },
  );
};

export const confirmHandler: Handler<ConfirmNote> = {
  touches: ({ id }) => [id],
  decide: decideConfirm,
  noteOf: ({ id }) => id,
};
