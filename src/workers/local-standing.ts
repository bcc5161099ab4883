/**
 * Whether a note is machine-local here though no file of it says so, as the events of the local journal tell: nobody else
 * writes there. What an event of the portable one says of the machine that made it is anybody's claim.
 */
import type Database from 'better-sqlite3';
import { mentionOf } from '../events/mention.js';
import type { NoteId } from '../events/note/note.js';
import { otherHalf } from '../projections/history/kept-elsewhere.js';
import { lastEventsIn } from '../projections/history/query.js';

/**
 * True unless the last event that the local journal has of the note is half of one that made the note portable and was not
 * undone. Of the portable events those in `except` don't count.
 */
export const wasLocalLast = (
  database: Database.Database,
  note: NoteId,
  except: ReadonlySet<string> = new Set(),
): boolean => {
  const events = lastEventsIn(database, 'local', note, most);
  const mentions = events.map((event) => ({ id: event.id, mention: mentionOf(event, note) }));
  // Every note that was ever there has an event that says so, which may be among those that are not read.
  const wasThere = events.length === most || mentions.some(({ mention }) => mention === 'changes');
  const last = mentions.find(({ mention }) => mention !== 'names');
  if (last === undefined || !wasThere) return false;
  const portables = lastEventsIn(database, 'portable', note, most);
  // Of a portable event that came first, the id of the local half is made from its id: the other way round it took the note away.
  const half = portables.find(({ id }) => last.id.slice(-16) === otherHalf(id));
  if (half === undefined || except.has(half.id)) return true;
  return portables.some(({ undoes }) => undoes === half.id || undoes === last.id);
};

const most = 1000;
