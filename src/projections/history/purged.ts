/** Notes that were purged: no restore brings them back, and nobody forgot them. */
import type Database from 'better-sqlite3';
import { purgedSubject } from '../../events/event.js';
import type { NoteId } from '../../events/note/note.js';
import { lastEvents, notesOfEvent } from './query.js';

/**
 * Of a note that is not here. What came after the purge may have brought it back. A purge leaves no subject of an event
 * that was about the note alone: where one stands, a commit only claims that there was a purge.
 */
export const wasPurged = (database: Database.Database, id: NoteId): boolean => {
  const events = lastEvents(database, { note: id }, 1000);
  const purge = events.findIndex(({ kind, subject }) => kind === 'notes.purged' && subject === `note ${id}`);
  const others = events.filter(({ kind }) => !leavesGone.has(kind));
  const [last] = others;
  if (purge === -1 || (last !== undefined && events.indexOf(last) < purge)) return false;
  return others.every((event) => event.subject === purgedSubject || notesOfEvent(database, event).length > 1);
};

/** They name a note that is not there too. */
const leavesGone: ReadonlySet<string> = new Set(['notes.purged', 'conflict.resolved', 'proposal.settled']);
