/** Notes by their titles, for a person who has no id at hand, and imported notes by their foreign ids. */
import type Database from 'better-sqlite3';
import { normalForm } from '../../events/normal-form.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { prepared } from '../prepared.js';
import { type IndexedNote, type NoteColumns, noteColumns, toIndexedNote } from './query.js';

export type TitleMatch = {
  readonly id: NoteId;
  readonly title: string;
  /** False if the title only contains the words. */
  readonly isWhole: boolean;
};

/** The title of a note; for one that is gone, its last title. */
export type TitleOfNote = Pick<TitleMatch, 'id' | 'title'>;

/** Two levels: live notes, and superseded or expired ones; the last updated first. Reads every title of the store. */
export const titlesHere = (database: Database.Database, nowSeconds: number): readonly (readonly TitleOfNote[])[] => {
  const rows = selectTitles(database).all(nowSeconds);
  return [rows.filter(({ live }) => live === 1), rows.filter(({ live }) => live === 0)];
};

/** With exactly these words, ignoring case, or containing them (`isWhole` false); from the first level with any. */
export const notesTitled = (
  levels: readonly (readonly TitleOfNote[])[],
  words: string,
  isWhole: boolean,
): readonly TitleMatch[] => {
  const wanted = plain(words);
  if (wanted === '') return [];
  for (const level of levels) {
    const found = level.filter(({ title }) => (isWhole ? plain(title) === wanted : plain(title).includes(wanted)));
    if (found.length > 0) return found.map(({ id, title }) => ({ id, title, isWhole }));
  }
  return [];
};

/** Its title is the subject of the event that forgot it; null if it must be read from what the commit removed. */
export type GoneNote = {
  readonly id: NoteId;
  readonly journal: JournalName;
  readonly commit: string;
  readonly title: string | null;
};

/** The last removed first, once for each journal that had it; at most `limit`. Reads the ids of all events. */
export const goneNotes = (database: Database.Database, limit: number): readonly GoneNote[] =>
  selectGone(database).all(limit);

const plain = (text: string): string => normalForm(text).toLowerCase().split(/\s+/).join(' ').trim();

type Row = { readonly id: NoteId; readonly title: string; readonly live: number };

const selectTitles = prepared<[number], Row>(
  `SELECT id, title, (superseded_by IS NULL AND (expires_at IS NULL OR expires_at > ?)) AS live
   FROM notes WHERE shadowed = 0 ORDER BY updated_at DESC, id DESC`,
);

/** A note that is gone has no row. */
const selectGone = prepared<[number], GoneNote>(
  `SELECT x.note AS id, e.journal, e.commit_id AS "commit", max(e.depth) AS depth, e.at,
     CASE e.kind WHEN 'note.forgotten' THEN e.subject END AS title
   FROM event_notes x CROSS JOIN events e ON e.rowid = x.event
   WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.id = x.note)
   GROUP BY x.note, e.journal ORDER BY e.at DESC, x.note DESC LIMIT ?`,
);
export type NoteOfSource = IndexedNote & { readonly sourceKey: string };

/** Notes whose foreign id begins with `beginning`, superseded ones too, ordered by that id. */
export const notesOfSource = (database: Database.Database, beginning: string): readonly NoteOfSource[] =>
  selectOfSource(database)
    .all(beginning, `${beginning}\uffff`)
    .map(toIndexedNote)
    .flatMap((note) => (note.sourceKey?.startsWith(beginning) ? [{ ...note, sourceKey: note.sourceKey }] : []));

const selectOfSource = prepared<[string, string], NoteColumns>(
  `SELECT ${noteColumns} FROM notes n WHERE n.source_key >= ? AND n.source_key < ? AND n.shadowed = 0 ORDER BY n.source_key, n.id`,
);
