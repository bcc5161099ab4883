/** Refuses to republish a note that another machine made machine-local. Pure. */
import type { NoteId } from '../../events/note/note.js';
import type { KeptElsewhere } from '../command.js';
import type { Refusal } from '../refusals.js';

/** `machine` and `at` are claims of a commit, and have passed its checks. */
export const noteKeptElsewhere = (id: NoteId, { machine, at }: KeptElsewhere): Refusal => ({
  code: 'note-kept-elsewhere',
  message: `note ${id} was made machine-local on ${machine}, at ${at}: it is kept there, and no longer published`,
  next: `to publish it again anyway: anamnesis restore ${id} --scope portable`,
});
