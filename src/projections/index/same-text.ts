/** Notes that may have the same text as a given one, found by the length of their bodies without reading any. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { prepared } from '../prepared.js';
import { type IndexedNote, type NoteColumns, noteColumns, toIndexedNote } from './query.js';

/**
 * Notes whose body has one of these lengths in UTF-16 units; superseded and expired ones too. Reads the whole table.
 */
export const notesOfLength = (database: Database.Database, units: readonly number[]): readonly IndexedNote[] =>
  selectOfLength(database)
    .all(JSON.stringify([...new Set(units)]))
    .map(toIndexedNote);

/** Those of the ids that are in the index. */
export const idsThere = (database: Database.Database, ids: readonly NoteId[]): ReadonlySet<NoteId> =>
  new Set(
    selectThere(database)
      .all(JSON.stringify(ids))
      .map(({ id }) => id),
  );

/** An imported note, with its foreign id. */
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
const selectOfLength = prepared<[string], NoteColumns>(
  `SELECT ${noteColumns} FROM notes n WHERE n.shadowed = 0 AND n.units IN (SELECT value FROM json_each(?)) ORDER BY n.id`,
);
const selectThere = prepared<[string], { id: string }>(
  'SELECT DISTINCT id FROM notes WHERE id IN (SELECT value FROM json_each(?))',
);
