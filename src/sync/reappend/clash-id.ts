/** The id of the event that records how a text of ours clashed with a published one. Pure. */
import type { NoteId } from '../../events/note/note.js';
import { derivedUlid } from '../../events/ulid-form.js';

/** Derives the id from our event, its time and its note; `round` counts the clashes of one event, from 1. */
export const clashId = (epochMs: number, event: string, note: NoteId, round: number): string =>
  derivedUlid(epochMs, 'conflict.recorded', event, note, ...(round === 1 ? [] : [`${round}`]));
