/** The event that records how a text of ours clashed with a published one. Pure. */
import type { NoteId } from '../../events/note/note.js';
import { derivedUlid } from '../../events/ulid-form.js';

/** Its id, which follows from the event of ours, from its time and its note; `round` counts the clashes of one event, from 1. */
export const clashId = (epochMs: number, event: string, note: NoteId, round: number): string =>
  derivedUlid(epochMs, 'conflict.recorded', event, note, ...(round === 1 ? [] : [`${round}`]));
