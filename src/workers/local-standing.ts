/** Whether a note is machine-local here though no file of it says so, as this machine's own events tell. */
import type Database from 'better-sqlite3';
import { mentionOf } from '../events/mention.js';
import type { JournalName, NoteId } from '../events/note/note.js';
import { type ListedEvent, lastEvents } from '../projections/history/query.js';

/**
 * Both halves of a move have one time, and where it made the note portable a later one is ours. Of the portable events
 * those in `except` don't count.
 */
export const wasLocalLast = (database: Database.Database, note: NoteId, except: ReadonlySet<string>): boolean => {
  const { locals, portables } = ownEvents(database, note);
  return newestOf(locals) > newestOf(portables.filter(({ id }) => !except.has(id)));
};

/** True also where another command wrote to the file since: only a move says that the note is portable. */
export const needsMove = (database: Database.Database, note: NoteId): boolean => {
  const { locals, portables } = ownEvents(database, note);
  const undone = new Set(portables.map(({ undoes }) => undoes));
  const moves = portables.filter(({ id, move }) => move !== undefined && !undone.has(id));
  return newestOf(locals) > newestOf(moves);
};

/** Events of this machine: those in `local` that had a file of the note there, and those in `memory` that name it. */
const ownEvents = (
  database: Database.Database,
  note: NoteId,
): Readonly<Record<'locals' | 'portables', readonly ListedEvent[]>> => {
  const events = lastEvents(database, { note }, most);
  const named = events.filter(isIn('local'));
  const machines = new Set(named.map(({ machine }) => machine));
  const mentions = named.map((event) => ({ event, mention: mentionOf(event, note) }));
  // Every note that was ever there has an event that says so, which may be among those that are not read.
  const wasThere = events.length === most || mentions.some(({ mention }) => mention === 'changes');
  return {
    locals: wasThere ? mentions.flatMap(({ event, mention }) => (mention === 'names' ? [] : [event])) : [],
    portables: events.filter((event) => isIn('portable')(event) && machines.has(event.machine)),
  };
};

const most = 1000;

const isIn =
  (name: JournalName) =>
  ({ journal }: ListedEvent): boolean =>
    journal === name;

/** The time in the newest id. */
const newestOf = (events: readonly ListedEvent[]): string =>
  events.reduce((newest, { id }) => (id.slice(0, 10) > newest ? id.slice(0, 10) : newest), '');
