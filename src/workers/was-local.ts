/**
 * Tells from the events of the local journal whether a note is machine-local here although no file says so: only this
 * machine writes there, whereas every machine can claim anything in the portable journal.
 */
import type Database from 'better-sqlite3';
import { mentionOf } from '../events/mention.js';
import type { NoteId } from '../events/note/note.js';
import { otherHalf } from '../projections/history/moved-to-another-machine.js';
import { lastEventsIn } from '../projections/history/query.js';

/**
 * Returns false if the note was never in the local journal, or if its last event there is half of one that made the
 * note portable and was not undone. Portable events in `except` don't count.
 */
export const wasLocalLast = (
  database: Database.Database,
  note: NoteId,
  except: ReadonlySet<string> = new Set(),
): boolean => {
  const events = lastEventsIn(database, 'local', note, most);
  const mentions = events.map((event) => ({ id: event.id, mention: mentionOf(event, note) }));
  // Every note that was ever there has an event that says so, but it may be older than the events read.
  const wasThere = events.length === most || mentions.some(({ mention }) => mention === 'changes');
  const last = mentions.find(({ mention }) => mention !== 'names');
  if (last === undefined || !wasThere) return false;
  const portables = lastEventsIn(database, 'portable', note, most);
  // If the portable event came first, the local half's id derives from its id; the other way round, it was a move away.
  const half = portables.find(({ id }) => last.id.slice(-16) === otherHalf(id));
  if (half === undefined || except.has(half.id)) return true;
  return portables.some(({ undoes }) => undoes === half.id || undoes === last.id);
};

const most = 1000;
