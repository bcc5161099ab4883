/** The refusal for a note that was purged. Pure. */
import type { NoteId } from '../../events/note/note.js';
import type { Refusal } from '../refusals.js';

export const notePurged = (id: NoteId): Refusal => ({
  code: 'note-purged',
  message: `note ${id} was purged: its text is no longer in any history`,
  next: `nothing can restore it; anamnesis history ${id} shows when it was purged, and by which machine`,
});
