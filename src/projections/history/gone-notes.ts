/** Why a note is not here: it was moved to the other journal, or purged. */
import type Database from 'better-sqlite3';
import { purgedSubject } from '../../events/event.js';
import type { NoteId } from '../../events/note/note.js';
import { filesOfNote } from '../index/query.js';
import { eventsOfCommand, type ListedEvent, lastEvents, listEvents, notesOfEvent } from './query.js';

/** Ends the Command-Id of the event that forgets a note after it was written anew in the other journal. */
export const endOfMove = '/moved';

/** `as` is the note's id in the other journal, if that is here; the rest is what the commit claims. */
export type MovedNote = { readonly as: NoteId | undefined; readonly machine: string; readonly at: string };

/** Undefined if forgotten. Before 0.4, a note.moved removed the file, and the other journal kept the id. */
export const whereMoved = (
  database: Database.Database,
  note: NoteId,
  last: ListedEvent | undefined = lastEvents(database, { note }, 1)[0],
): MovedNote | undefined => {
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

/** For a note that isn't here. A purge removes its events' subjects: where one has it, a commit only claims a purge. */
export const wasPurged = (database: Database.Database, id: NoteId): boolean => {
  const events = lastEvents(database, { note: id }, 1000);
  const purge = events.findIndex(({ kind, subject }) => kind === 'notes.purged' && subject === `note ${id}`);
  const others = events.filter(({ kind }) => !leavesGone.has(kind));
  const [last] = others;
  if (purge === -1 || (last !== undefined && events.indexOf(last) < purge)) return false;
  return others.every((event) => event.subject === purgedSubject || notesOfEvent(database, event).length > 1);
};

/** Kinds of events that may name a note without restoring it. */
const leavesGone: ReadonlySet<string> = new Set(['notes.purged', 'conflict.resolved', 'proposal.settled']);

/** Notes that were purged and are shared again, because an old clone or another program brought them back. */
export const purgedAndBack = (database: Database.Database): readonly NoteId[] => {
  const subjects = listEvents(database, { kind: 'notes.purged' }, 1000).map(({ subject }) => subject);
  const ids = subjects.flatMap((subject) => (subject.startsWith('note ') ? [subject.slice('note '.length)] : []));
  return [...new Set(ids)].filter((id) => filesOfNote(database, id).some(({ journal }) => journal === 'portable'));
};

/** One line, which names the command; undefined when none is back. */
export const describePurgedAndBack = (ids: readonly NoteId[]): string | undefined => {
  const [first] = ids;
  if (first === undefined) return undefined;
  const what = ids.length === 1 ? `note ${first} was purged and is` : `${ids.length} notes were purged and are`;
  return `${what} back, from an old clone or another program; to erase it again: anamnesis purge ${first}`;
};
