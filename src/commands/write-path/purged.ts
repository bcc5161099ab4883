/** Notes that were purged: no restore brings them back, and nobody forgot them. Pure. */
import type { NoteId } from '../../events/note/note.js';
import type { Refusal } from '../refusals.js';

/** Of a note that is not here, by its events, the last one first. What came after the purge may have brought it back. */
export const wasPurged = (
  id: NoteId,
  events: readonly { readonly kind: string; readonly subject: string }[],
): boolean => {
  const last = events.find(({ kind }) => !leavesGone.has(kind));
  const purge = events.find(({ kind, subject }) => kind === 'notes.purged' && subject === `note ${id}`);
  return purge !== undefined && (last === undefined || events.indexOf(purge) < events.indexOf(last));
};

/** They name a note that is not there too. */
const leavesGone: ReadonlySet<string> = new Set(['notes.purged', 'conflict.resolved', 'proposal.settled']);

export const notePurged = (id: NoteId): Refusal => ({
  code: 'note-purged',
  message: `note ${id} was purged: its text is in no history any more`,
  next: `nothing brings it back; anamnesis history ${id} tells when it was purged, and by which machine`,
});
