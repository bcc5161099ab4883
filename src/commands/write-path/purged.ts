/** What is said of a note that was purged. Pure. */
import type { NoteId } from '../../events/note/note.js';
import type { Refusal } from '../refusals.js';

export const notePurged = (id: NoteId): Refusal => ({
  code: 'note-purged',
  message: `note ${id} was purged: its text is in no history any more`,
  next: `nothing brings it back; anamnesis history ${id} tells when it was purged, and by which machine`,
});
