/** Where a note went that is gone here because it was moved to the other journal. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { eventsOfCommand, lastEvents, notesOfEvent } from './query.js';

/** Ends the Command-Id of the event that forgets a note after it was written anew in the other journal. */
export const endOfMove = '/moved';

/** `as` is the note's id in the other journal, if that is here; the rest is what the commit claims. */
export type MovedNote = { readonly as: NoteId | undefined; readonly machine: string; readonly at: string };

/**
 * Undefined for a note that was forgotten. Versions before 0.4 removed the file of a moved note with a note.moved, and
 * the note kept its id in the other journal.
 */
export const whereMoved = (database: Database.Database, note: NoteId): MovedNote | undefined => {
  const [last] = lastEvents(database, { note }, 1);
  if (last === undefined) return undefined;
  const { machine, at, commandId = '' } = last;
  if (last.kind === 'note.moved' && last.journal === 'portable') return { as: undefined, machine, at };
  if (last.kind === 'notes.migrated' && last.journal === 'local')
    return { as: notesOfEvent(database, last).find((id) => id !== note), machine, at };
  if (last.kind !== 'note.forgotten' || !commandId.endsWith(endOfMove)) return undefined;
  const begun = eventsOfCommand(database, commandId.slice(0, -endOfMove.length)).find(
    (event) => event.kind === 'note.moved' && event.journal !== last.journal && event.machine === machine,
  );
  return { as: begun === undefined ? undefined : notesOfEvent(database, begun)[0], machine, at };
};
