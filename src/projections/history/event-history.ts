/** The history: every event of both journals, and the notes that it touched. */
import type Database from 'better-sqlite3';
import type { JournalEvent, RecordedEvent } from '../../events/event.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { parseTime } from '../../events/time.js';
import { isIdOfForeign } from '../../events/ulid-form.js';
import { tableVersions } from '../checkpoint.js';
import { gatherPairs, gatherTexts, prepared, reverseText } from '../prepared.js';
import { NeedsReplay, type ProjectedEvent, type Projection, type ProjectionWriter, type Way } from '../projection.js';

const begin = (database: Database.Database, way: Way): ProjectionWriter => {
  const isReplay = way === 'replay';
  const notesOfEvents = gatherPairs(database, 'event_notes (note, event)');
  const reversedIds = gatherTexts(database, 'touched_notes (reversed_id)');
  const added: ProjectedEvent[] = [];
  return {
    addEvent(event) {
      const row = insertRow(database, event);
      if (!isReplay) added.push(event);
      for (const note of event.notes) {
        if (isReplay) {
          notesOfEvents.add({ key: note, row });
          reversedIds.add(reverseText(note));
        } else {
          insertNote(database).run(note, row);
          insertReversed(database).run(reverseText(note));
        }
      }
    },
    removeEvent({ journal, commit, id, notes }) {
      refuseRepeated(database, journal, id);
      const row = selectOfCommit(database).get(commit, journal)?.rowid;
      if (row === undefined) return;
      for (const note of notes) {
        deleteNote(database).run(note, row);
        if (selectTouching(database).get(note) === undefined) deleteReversed(database).run(reverseText(note));
      }
      deleteRow(database).run(row);
    },
    finish() {
      notesOfEvents.finish();
      reversedIds.finish();
      for (const { journal, id } of added) refuseRepeated(database, journal, id);
    },
  };
};

/** Only a replay, which reads all commits with one event id, can decide which is the event and what the others are. */
const refuseRepeated = (database: Database.Database, journal: JournalName, id: string): void => {
  const count = countCommits(database).get(id, journal, id, journal)?.count ?? 0;
  if (count > 1) throw new NeedsReplay(`event ${id} is in several commits`);
};

const insertRow = (database: Database.Database, event: ProjectedEvent): number | bigint => {
  const { journal, commit, depth, repeats, id, kind, at, machine, subject, notes, commandId, move } = event;
  const { by, reason, user, project, session, agent, lost, adopted, undoes } = event;
  return insertEvent(database).run(
    journal,
    commit,
    depth,
    repeats ?? null,
    id,
    kind,
    Math.floor((parseTime(at) ?? 0) / 1000),
    machine,
    subject,
    notes.length,
    commandId ?? null,
    move ?? null,
    reverseText(id),
    JSON.stringify({ by, reason, user, project, session, agent, move, lost, adopted, undoes }),
  ).lastInsertRowid;
};

export const depthOf = (database: Database.Database, journal: JournalName, commit: string): number | undefined =>
  selectDepth(database).get(commit, journal)?.depth;

export const eventHistory: Projection = {
  name: 'history',
  version: tableVersions.history,
  // `repeats` is the id that a commit claims although another commit is that event; `touched_notes` has the notes of
  // event_notes.
  tables: `
    CREATE TABLE events (
      rowid INTEGER PRIMARY KEY,
      journal TEXT NOT NULL, commit_id TEXT NOT NULL, depth INTEGER NOT NULL, repeats TEXT,
      id TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, machine TEXT NOT NULL, subject TEXT NOT NULL,
      notes INTEGER NOT NULL, command_id TEXT, move TEXT, reversed_id TEXT NOT NULL,
      details TEXT NOT NULL
    );
    CREATE TABLE event_notes (note TEXT NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (note, event)) WITHOUT ROWID;
    CREATE TABLE touched_notes (reversed_id TEXT PRIMARY KEY) WITHOUT ROWID;
  `,
  indexes: `
    CREATE INDEX events_commit ON events (commit_id);
    CREATE INDEX events_id ON events (id);
    CREATE INDEX events_reversed_id ON events (reversed_id);
    CREATE INDEX events_at ON events (at, id);
    CREATE INDEX events_machine ON events (machine, at);
    CREATE INDEX events_repeats ON events (repeats) WHERE repeats IS NOT NULL;
    CREATE INDEX events_kind ON events (kind, at);
    CREATE INDEX events_move ON events (journal, depth) WHERE move IS NOT NULL;
    CREATE INDEX events_command ON events (command_id) WHERE command_id IS NOT NULL;
  `,
  digest: {
    perJournal: [
      `SELECT json_array(depth, id, kind, at, machine, subject, command_id, details) FROM events
       WHERE journal = ? ORDER BY depth, id, commit_id`,
      `SELECT json_array(e.id, n.note) FROM event_notes n JOIN events e ON e.rowid = n.event
       WHERE e.journal = ? ORDER BY e.id, n.note`,
    ],
    shared: [],
  },
  begin,
};

const insertEvent = prepared<(string | number | null)[], unknown>(
  `INSERT INTO events (journal, commit_id, depth, repeats, id, kind, at, machine, subject, notes, command_id, move,
     reversed_id, details)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const countCommits = prepared<[string, JournalName, string, JournalName], { count: number }>(
  `SELECT (SELECT count(*) FROM events WHERE id = ? AND journal = ?)
     + (SELECT count(*) FROM events WHERE repeats = ? AND journal = ?) AS count`,
);
const insertNote = prepared<[NoteId, number | bigint], unknown>(
  'INSERT OR IGNORE INTO event_notes (note, event) VALUES (?, ?)',
);
const selectTouching = prepared<[NoteId], unknown>('SELECT 1 FROM event_notes WHERE note = ? LIMIT 1');
const insertReversed = prepared<[string], unknown>('INSERT OR IGNORE INTO touched_notes (reversed_id) VALUES (?)');
const deleteReversed = prepared<[string], unknown>('DELETE FROM touched_notes WHERE reversed_id = ?');
const selectOfCommit = prepared<[string, JournalName], { rowid: number }>(
  'SELECT rowid FROM events WHERE commit_id = ? AND journal = ?',
);
const deleteRow = prepared<[number], unknown>('DELETE FROM events WHERE rowid = ?');
const deleteNote = prepared<[NoteId, number], unknown>('DELETE FROM event_notes WHERE note = ? AND event = ?');
const selectDepth = prepared<[string, JournalName], { depth: number }>(
  'SELECT depth FROM events WHERE commit_id = ? AND journal = ?',
);
/**
 * Commits that repeat another's event id: cherry-picked, or with its trailers. One is the event; each other is shown as
 * a foreign change, so that none goes unseen. Decided by what no later commit changes, never by order of arrival.
 */
export const findDuplicateEvents = (events: readonly RecordedEvent[]): readonly string[] => {
  const eventById = new Map<string, RecordedEvent>();
  const repeated: string[] = [];
  for (const event of events) {
    const other = eventById.get(event.id);
    const isFirst = other === undefined || comesBefore(event, other);
    if (isFirst) eventById.set(event.id, event);
    if (other !== undefined) repeated.push((isFirst ? other : event).commit);
  }
  return repeated;
};

/** The events, with repeated ones as `asForeign` describes them. */
export const withRepeated = (
  events: readonly RecordedEvent[],
  asForeign: ReadonlyMap<string, JournalEvent>,
): readonly ProjectedEvent[] =>
  events.map((event) => {
    const { journal, commit, depth, id } = event;
    const foreign = asForeign.get(commit);
    return foreign === undefined ? event : { ...foreign, journal, commit, depth, repeats: id };
  });

/** An id derived from the commit itself belongs to that commit. */
const comesBefore = (one: RecordedEvent, other: RecordedEvent): boolean => {
  const [mine, theirs] = [one, other].map(({ id, commit }) => isIdOfForeign(id, commit));
  if (mine !== theirs) return mine === true;
  return one.depth < other.depth || (one.depth === other.depth && one.commit < other.commit);
};
