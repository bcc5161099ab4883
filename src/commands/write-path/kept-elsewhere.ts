/** The refusal of whatever would publish a note again that another machine made machine-local. Pure. */
import type { NoteId } from '../../events/note/note.js';
import type { KeptElsewhere } from '../command.js';
import type { Refusal } from '../refusals.js';

/** What is claimed stands in a commit, and has passed its checks. */
export const noteKeptElsewhere = (id: NoteId, { machine, at }: KeptElsewhere): Refusal => ({
  code: 'note-kept-elsewhere',
  message: `note ${id} was made machine-local on ${machine}, at ${at}: it is kept there, and no longer published`,
  next: `if it is to be published again all the same: anamnesis restore ${id} --scope portable`,
});
