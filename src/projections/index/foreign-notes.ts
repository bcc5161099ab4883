/** Notes whose origin and source are only a claim: they come from a commit that this program did not make. */
import type Database from 'better-sqlite3';
import { type EventKind, unknownMachine } from '../../events/event.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { isIdOfForeign } from '../../events/ulid-form.js';
import { prepared } from '../prepared.js';

/**
 * Those whose shown text came with a commit without an event of ours (of anyone who may push) and was not written by
 * one since. An event that restores an older text may restore a foreign one.
 */
export const foreignNotes = (database: Database.Database, ids: readonly NoteId[]): ReadonlySet<NoteId> => {
  const adopted = selectAdopted(database).all(JSON.stringify(ids));
  const foreign = adopted.filter((one) => isIdOfForeign(one.id, one.commit_id) && isInText(database, one));
  return new Set(foreign.map(({ note }) => note));
};

/** Compares depths, since a foreign commit may claim any time. */
const isInText = (database: Database.Database, { note, journal, depth }: Adopted): boolean => {
  const events = selectAfter(database).all(note, journal, depth);
  const last = events.find(({ kind }) => Object.hasOwn(wordings, kind));
  return last === undefined || !wordings[last.kind] || last.machine === unknownMachine;
};

/** Our events that set a note's words: true for words of ours, false for earlier ones, which may be anyone's. */
const wordings: Readonly<Record<string, boolean>> = {
  'note.written': true,
  'note.edited': true,
  'note.restored': false,
  'session.captured': true,
  'event.undone': false,
  'conflict.resolved': true,
} satisfies Readonly<Record<Exclude<EventKind, NoWords>, boolean>>;
/** Events that leave a note's words alone; a purge records as `hand.adopted` what a foreign commit did. */
type NoWords =
  | 'note.superseded'
  | 'note.forgotten'
  | 'note.tagged'
  | 'note.moved'
  | 'note.confirmed'
  | 'notes.imported'
  | 'notes.purged'
  | 'notes.migrated'
  | 'proposal.made'
  | 'proposal.settled'
  | 'hand.adopted'
  | 'machines.merged'
  | 'conflict.recorded';
type Adopted = {
  readonly note: NoteId;
  readonly id: string;
  readonly commit_id: string;
  readonly journal: JournalName;
  readonly depth: number;
};

/** Only events of the journal that the note is in count: its id there is another note's elsewhere. */
const selectAdopted = prepared<[string], Adopted>(
  // A file may be named after another note, and a foreign commit's event lists the note in the file's name.
  `SELECT i.value AS note, e.id, e.commit_id, e.journal, e.depth FROM json_each(?) i
   LEFT JOIN notes n ON n.id = i.value AND n.shadowed = 0
   CROSS JOIN event_notes x ON x.note IN (i.value, substr(n.path, -29, 26))
   CROSS JOIN events e ON e.rowid = x.event
   WHERE e.kind = 'hand.adopted' AND e.journal = ifnull(n.journal, e.journal)`,
);
const selectAfter = prepared<[NoteId, JournalName, number], { kind: string; machine: string }>(
  `SELECT kind, machine FROM event_notes CROSS JOIN events ON events.rowid = event
   WHERE note = ? AND journal = ? AND depth > ? ORDER BY depth DESC, id DESC`,
);
