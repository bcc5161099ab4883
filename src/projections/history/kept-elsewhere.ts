/** Notes that another machine made machine-local: they are gone here, and were not forgotten. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { derivedUlid } from '../../events/ulid-form.js';
import { eventWithId, type ListedEvent, lastEvents } from './query.js';

/** Who made a note machine-local and when, as the commit claims it. */
export type KeptElsewhere = { readonly machine: string; readonly at: string };

/**
 * Of a note that has no file here. The last thing that happened to it in the portable journal was a move out of it, or the
 * undoing of a move into it by the machine that made that, and the other half is in the local journal of another machine.
 * A commit may claim that of any machine: `own`, this one, knows what it did, and a note that it doesn't have is forgotten.
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
  // It may name the half that only the other machine has.
  const undone = eventWithId(database, undoes) ?? events.find(({ id }) => id.slice(-16) === otherHalf(undoes));
  // Only the machine that moved the note has the half of it that comes back; on another one the note is forgotten.
  return undone?.kind === 'note.moved' && undone.machine === machine;
};

/** True of the ids of two events that one command made, one in each journal. */
export const areHalves = (one: string, other: string): boolean =>
  otherHalf(one) === other.slice(-16) || otherHalf(other) === one.slice(-16);

/** How the id of the event ends that the same command has in the other journal; it begins with a time. */
export const otherHalf = (id: string): string => derivedUlid(0, 'other-journal', id).slice(-16);
