/** Notes whose origin and source are only a claim: they come from a commit that this program did not make. */
import type Database from 'better-sqlite3';
import { type EventKind, unknownMachine } from '../../events/event.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { isIdOfForeign } from '../../events/ulid-form.js';
import { prepared } from '../prepared.js';

/**
 * Those of the notes whose shown text was added or changed by a commit without an event of ours (a person's, another
 * tool's, or that of anyone who may push) and not written by an event of ours since. An event that restores an older
 * text may restore a foreign one.
 */
export const foreignNotes = (database: Database.Database, ids: readonly NoteId[]): ReadonlySet<NoteId> => {
  const adopted = selectAdopted(database).all(JSON.stringify(ids));
  const foreign = adopted.filter((one) => isIdOfForeign(one.id, one.commit_id) && isInText(database, one));
  return new Set(foreign.map(({ note }) => note));
};

/**
 * Compares depths, since a foreign commit may claim any time. A commit in the other journal counts only if the note was
 * moved here after it: anything pushed later under the id of a machine-local note is another file.
 */
const isInText = (database: Database.Database, { note, journal, depth, shown }: Adopted): boolean => {
  const isUnchanged = (where: JournalName, after: number, to = Infinity): boolean => {
    const events = selectBetween(database).all(note, where, after, to);
    const last = events.find(({ kind }) => Object.hasOwn(wordings, kind));
    return last === undefined || !wordings[last.kind] || last.machine === unknownMachine;
  };
  if (shown === journal) return isUnchanged(journal, depth);
  const move = selectMove(database).get(note, shown);
  if (move === undefined || depth >= move.left) return false;
  return isUnchanged(journal, depth, move.left) && isUnchanged(shown, move.depth);
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
  /** The journal of the shown file; without one, that of the event. */
  readonly shown: JournalName;
};

const selectAdopted = prepared<[string], Adopted>(
  // A file may be named after another note, and a foreign commit's event lists the note in the file's name.
  `SELECT i.value AS note, e.id, e.commit_id, e.journal, e.depth, ifnull(n.journal, e.journal) AS shown FROM json_each(?) i
   LEFT JOIN notes n ON n.id = i.value AND n.shadowed = 0
   CROSS JOIN event_notes x ON x.note IN (i.value, substr(n.path, -29, 26))
   CROSS JOIN events e ON e.rowid = x.event WHERE e.kind = 'hand.adopted'`,
);
const selectBetween = prepared<[NoteId, JournalName, number, number], { kind: string; machine: string }>(
  `SELECT kind, machine FROM event_notes CROSS JOIN events ON events.rowid = event
   WHERE note = ? AND journal = ? AND depth > ? AND depth <= ? ORDER BY depth DESC, id DESC`,
);
/**
 * The last command that changed the note in both journals; of commits that claim the same one, the first is its own.
 */
const selectMove = prepared<[NoteId, JournalName], { left: number; depth: number }>(
  `SELECT min(h.depth) AS left, e.depth FROM event_notes x JOIN events e ON e.rowid = x.event
   JOIN events h USING (command_id) JOIN event_notes y ON y.event = h.rowid AND y.note = x.note
   WHERE x.note = ? AND e.journal = ? AND h.journal <> e.journal GROUP BY e.depth ORDER BY 2 DESC LIMIT 1`,
);
