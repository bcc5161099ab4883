/** Removes a note from the journal's tree; its text stays in history. Pure. */
import { type NoteId, shownTitle } from '../events/note/note.js';
import { type Decide, type Handler, quiet, record, refuse, removeNote } from './command.js';
import { checkLimits } from './limits.js';
import { redactFields } from './redact-fields.js';
import { noteUnknown } from './refusals.js';

export type ForgetNote = { readonly kind: 'forget'; readonly id: NoteId; readonly reason?: string | undefined };

/** Quiet when the note is already forgotten: an agent may resend a command whose answer it lost. */
const decideForget: Decide<ForgetNote> = ({ id, reason }, notes) => {
  const known = notes.find(id);
  if (known === undefined) return notes.wasThere(id) ? quiet(undefined) : refuse(noteUnknown(id));
  const refusal = checkLimits({ reason });
  if (refusal !== undefined) return refuse(refusal);
  const { fields, masked } = redactFields({ body: reason });
  return record(
    {
      kind: 'note.forgotten',
      subject: shownTitle(known.file.note),
      notes: [id],
      reason: fields.body,
      project: known.file.note.project,
    },
    removeNote(known),
    undefined,
    { masked },
  );
};

export const forgetHandler: Handler<ForgetNote> = {
  touches: ({ id }) => [id],
  decide: decideForget,
  noteOf: () => undefined,
};
