/** Notes whose origin and source are no more than a claim: a commit that this program did not make says them. */
import type Database from 'better-sqlite3';
import { type EventKind, unknownMachine } from '../../events/event.js';
import { isIdOfForeign } from '../../events/foreign-id.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { prepared } from '../prepared.js';

/**
 * Of these notes, those whose text, as it is shown, a commit without an event of ours brought or changed (a person's, another
 * tool's, or anybody's who may push) and no event of ours wrote since. What brings an older text back may bring theirs.
 */
export const foreignNotes = (database: Database.Database, ids: readonly NoteId[]): ReadonlySet<NoteId> => {
  const adopted = selectAdopted(database).all(JSON.stringify(ids));
  const foreign = adopted.filter((one) => isIdOfForeign(one.id, one.commit_id) && isInText(database, one));
  return new Set(foreign.map(({ note }) => note));
};

/**
 * Told by depth, since a foreign commit may claim any time. What stands in the other journal is in the text that is shown only
 * if that was moved here after it: whatever is pushed later under the id of a machine-local note is another file.
 */
const isInText = (database: Database.Database, { note, journal, depth, shown }: Adopted): boolean => {
  const isLeft = (where: JournalName, after: number, to = Infinity): boolean => {
    const events = selectBetween(database).all(note, where, after, to);
    const last = events.find(({ kind }) => Object.hasOwn(wordings, kind));
    return last === undefined || !wordings[last.kind] || last.machine === unknownMachine;
  };
  if (shown === journal) return isLeft(journal, depth);
  const move = selectMove(database).get(note, shown);
  return move !== undefined && depth < move.left && isLeft(journal, depth, move.left) && isLeft(shown, move.depth);
};

/** Kinds of ours that give a note its words: true of ours, false of earlier ones, whoever's those are. */
const wordings: Readonly<Record<string, boolean>> = {
  'note.written': true,
  'note.edited': true,
  'note.restored': false,
  'session.captured': true,
  'event.undone': false,
  'conflict.resolved': true,
} satisfies Readonly<Record<Exclude<EventKind, NoWords>, boolean>>;
/** They leave the text to whoever wrote it; a purge writes down as `hand.adopted` what a foreign commit did. */
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
  | 'conflict.recorded';
type Adopted = {
  readonly note: NoteId;
  readonly id: string;
  readonly commit_id: string;
  readonly journal: JournalName;
  readonly depth: number;
  /** The journal of the file that is shown, or would be. */
  readonly shown: JournalName;
};

const selectAdopted = prepared<[string], Adopted>(
  // A file may lie under another note's name, which is the one that a foreign commit is told by.
  `SELECT i.value AS note, e.id, e.commit_id, e.journal, e.depth, ifnull(n.journal, e.journal) AS shown FROM json_each(?) i
   LEFT JOIN notes n ON n.id = i.value AND n.shadowed = 0
   CROSS JOIN event_notes x ON x.note IN (i.value, substr(n.path, -29, 26))
   CROSS JOIN events e ON e.rowid = x.event WHERE e.kind = 'hand.adopted'`,
);
const selectBetween = prepared<[NoteId, JournalName, number, number], { kind: string; machine: string }>(
  `SELECT kind, machine FROM event_notes CROSS JOIN events ON events.rowid = event
   WHERE note = ? AND journal = ? AND depth > ? AND depth <= ? ORDER BY depth DESC, id DESC`,
);
/** The last command that changed the note in both journals; of commits that say the same, the first is its own. */
const selectMove = prepared<[NoteId, JournalName], { left: number; depth: number }>(
  `SELECT min(h.depth) AS left, e.depth FROM event_notes x JOIN events e ON e.rowid = x.event
   JOIN events h USING (command_id) JOIN event_notes y ON y.event = h.rowid AND y.note = x.note
   WHERE x.note = ? AND e.journal = ? AND h.journal <> e.journal GROUP BY e.depth ORDER BY 2 DESC LIMIT 1`,
);
