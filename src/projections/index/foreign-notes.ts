/** Notes whose origin and source are no more than a claim: a commit that this program did not make says them. */
import type Database from 'better-sqlite3';
import { type EventKind, unknownMachine } from '../../events/event.js';
import { isIdOfForeign } from '../../events/foreign-id.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { prepared } from '../prepared.js';

/**
 * Of these notes, those that a commit without an event of ours brought or changed (a person's, another tool's, or
 * anybody's who may push) and that no event of ours wrote since. What brings an older text back may bring theirs.
 */
export const foreignNotes = (database: Database.Database, ids: readonly NoteId[]): ReadonlySet<NoteId> => {
  const foreign = selectAdopted(database)
    .all(JSON.stringify(ids))
    .filter(({ id, commit_id: commit }) => isIdOfForeign(id, commit));
  return new Set(foreign.filter((one) => !isWrittenSince(database, one)).map(({ note }) => note));
};

/** Told by depth, since a foreign commit may claim any time. */
const isWrittenSince = (database: Database.Database, { note, journal, depth }: Adopted): boolean => {
  const later = selectLater(database).all(note, journal, depth);
  const last = later.find(({ kind }) => (wordings.get(kind) ?? 'neither') !== 'neither');
  return last !== undefined && wordings.get(last.kind) === 'ours' && last.machine !== unknownMachine;
};

/** Whose words an event of ours gives a note. Not `hand.adopted`: a purge writes down with one what a foreign commit did. */
const wordingByKind: Readonly<Record<EventKind | 'notes.reflected' | 'notes.merged', 'ours' | 'earlier' | 'neither'>> =
  {
    'note.written': 'ours',
    'note.edited': 'ours',
    'note.superseded': 'neither',
    'note.forgotten': 'neither',
    'note.restored': 'earlier',
    'note.tagged': 'neither',
    'note.moved': 'neither',
    'note.confirmed': 'neither',
    'session.captured': 'ours',
    'notes.imported': 'neither',
    'notes.purged': 'neither',
    'proposal.made': 'neither',
    'proposal.settled': 'neither',
    'event.undone': 'earlier',
    'hand.adopted': 'neither',
    'conflict.recorded': 'neither',
    'conflict.resolved': 'ours',
    // Once kinds of ours, though nothing recorded them.
    'notes.reflected': 'ours',
    'notes.merged': 'ours',
  };
const wordings: ReadonlyMap<string, 'ours' | 'earlier' | 'neither'> = new Map(Object.entries(wordingByKind));

type Adopted = {
  readonly note: NoteId;
  readonly id: string;
  readonly commit_id: string;
  readonly journal: JournalName;
  readonly depth: number;
};

const selectAdopted = prepared<[string], Adopted>(
  `SELECT x.note, e.id, e.commit_id, e.journal, e.depth FROM json_each(?) ids JOIN event_notes x ON x.note = ids.value
   JOIN events e ON e.rowid = x.event WHERE e.kind = 'hand.adopted'`,
);
const selectLater = prepared<[NoteId, JournalName, number], { kind: string; machine: string }>(
  `SELECT e.kind, e.machine FROM event_notes x CROSS JOIN events e ON e.rowid = x.event
   WHERE x.note = ? AND e.journal = ? AND e.depth > ? ORDER BY e.depth DESC, e.at DESC, e.id DESC`,
);
