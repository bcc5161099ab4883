/** Notes that another machine made machine-local: gone here, but not forgotten. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { derivedUlid } from '../../events/ulid-form.js';
import { eventWithId, type ListedEvent, lastEvents } from './query.js';

/** The machine that made a note machine-local, and when, as the commit claims. */
export type KeptElsewhere = { readonly machine: string; readonly at: string };

/**
 * For a note without a file here. Undefined unless its last event in the portable journal is a move out of it, or the
 * undoing of a move into it by the machine that made that move, and the other half is in the local journal of another
 * machine. A commit may claim any machine: this one, `own`, knows what it did, and a note that it lacks is forgotten.
 */
export const keptElsewhere = (database: Database.Database, note: NoteId, own: string): KeptElsewhere | undefined => {
  const events = lastEvents(database, { note }, 1000);
  const last = events.find(({ journal }) => journal === 'portable');
  if (last === undefined || !(last.kind === 'note.moved' || undoesMove(database, last, events))) return undefined;
  const isOurs =
    last.machine === own || events.some(({ journal, id }) => journal === 'local' && areHalves(id, last.id));
  return isOurs ? undefined : { machine: last.machine, at: last.at };
};

const undoesMove = (
  database: Database.Database,
  { kind, undoes, machine }: ListedEvent,
  events: readonly ListedEvent[],
): boolean => {
  if (kind !== 'event.undone' || undoes === undefined) return false;
  // `undoes` may name the half that only the other machine has.
  const undone = eventWithId(database, undoes) ?? events.find(({ id }) => id.slice(-16) === otherHalf(undoes));
  // Only the machine that moved the note has the half that the undo restores; on any other one the note is forgotten.
  return undone?.kind === 'note.moved' && undone.machine === machine;
};

/** Whether these are the ids of two events that one command made, one in each journal. */
export const areHalves = (one: string, other: string): boolean =>
  otherHalf(one) === other.slice(-16) || otherHalf(other) === one.slice(-16);

/** The ending of the id that the same command's event has in the other journal; such an id begins with a time. */
export const otherHalf = (id: string): string => derivedUlid(0, 'other-journal', id).slice(-16);
