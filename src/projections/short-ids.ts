/** Short ids: the shortest ending of an id that is unique in the store, and the ids that a typed text may mean. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../events/note/note.js';
import { wasTouched } from './history/query.js';
import type { Access } from './index/query.js';
import { prepared, reverseText } from './prepared.js';

/** With fewer, nearly every new note would lengthen one; of 10,000 notes, about one in 100,000 needs more. */
const minShortId = 6;

/**
 * The last characters, at least 6, and more where another note's id ends or begins with them, a forgotten one's too:
 * restore and history accept those. Four index lookups a note, in one statement: a block has more than a hundred.
 */
export const shortNoteIds = (database: Database.Database, ids: readonly NoteId[]): ReadonlyMap<NoteId, string> =>
  shortIdsAmong(ids, (endings) => selectSharedByNotes(database).all(endings));

/** A note as a person knows it; a forgotten one has no title. */
export type NoteName = { readonly shortId: string; readonly title: string | undefined };

/** Names those of the ids that are notes of the store, forgotten or not. A restricted access gets none. */
export const noteNames = (
  database: Database.Database,
  ids: readonly NoteId[],
  { user, workspace }: Access,
): ReadonlyMap<NoteId, NoteName> => {
  if (user !== undefined || workspace !== undefined) return new Map();
  const titled = ids.map((id) => [id, selectTitle(database).get(id)?.title] as const);
  const known = titled.filter(([id, title]) => title !== undefined || wasTouched(database, id));
  const shortIds = shortNoteIds(
    database,
    known.map(([id]) => id),
  );
  return new Map(known.map(([id, title]) => [id, { shortId: shortIds.get(id) ?? id, title }]));
};

/** The same for events, among events. */
export const shortEventIds = (database: Database.Database, ids: readonly string[]): ReadonlyMap<string, string> =>
  shortIdsAmong(ids, (endings) => selectSharedByEvents(database).all(endings));

/** `shared` takes ids with their endings as JSON; returns those ids whose ending fits another id as well. */
const shortIdsAmong = (
  ids: readonly string[],
  shared: (endings: string) => readonly Row<'id'>[],
): ReadonlyMap<string, string> => {
  const shortOf = new Map(ids.map((id) => [id, id.slice(-minShortId)]));
  for (let open = [...shortOf]; open.length > 0; ) {
    const endings = open.map(([id, short]) => [short, reverseText(short), id, reverseText(id)]);
    open = shared(JSON.stringify(endings)).flatMap(({ id }) => {
      const longer = id.slice(-(shortOf.get(id)?.length ?? 0) - 1);
      shortOf.set(id, longer);
      return longer.length < id.length ? [[id, longer] as const] : [];
    });
  }
  return shortOf;
};

export type NoteCandidate = {
  readonly id: NoteId;
  /** Undefined for a forgotten note. */
  readonly title: string | undefined;
};

export type Candidates<Candidate> = { readonly found: readonly Candidate[]; readonly total: number };

/** Ids that begin or end with the text (upper case); counts all. A restricted access sees no forgotten ones. */
export const notesLike = (
  database: Database.Database,
  text: string,
  { user, workspace }: Access,
  limit: number,
): Candidates<NoteCandidate> => {
  const reversed = reverseText(text);
  const isRestricted = user !== undefined || workspace !== undefined;
  const fitting = [text, `${text}~`, reversed, `${reversed}~`, user ?? null, workspace ?? null];
  const ids = new Set(
    selectNotesLike(database)
      .all(...fitting)
      .map(idOf),
  );
  if (!isRestricted) {
    for (const { id } of selectTouchedFrom(database).all(text, `${text}~`)) ids.add(id);
    for (const one of selectTouchedTo(database).all(reversed, `${reversed}~`)) ids.add(reverseText(one.reversed));
  }
  const sorted = [...ids].sort();
  const found = sorted.slice(0, limit).map((id) => ({ id, title: selectTitle(database).get(id)?.title }));
  return { found, total: sorted.length };
};

/** Ids of events that begin or end with the text (upper case), in order. */
export const eventIdsLike = (database: Database.Database, text: string): readonly string[] => {
  const reversed = reverseText(text);
  return selectEventsLike(database).all(text, `${text}~`, reversed, `${reversed}~`).map(idOf);
};

const idOf = ({ id }: { readonly id: string }): string => id;

// `~` sorts after every letter and digit of an id.
const begins = (table: string, column: string, text: number, own: number): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${column} >= j.value ->> ${text} AND ${column} < (j.value ->> ${text}) || '~'
     AND ${column} <> j.value ->> ${own})`;
const sharedBy = (...places: readonly (readonly [table: string, column: string, reversed: string])[]): string => {
  const each = places.flatMap(([table, column, reversed]) => [
    ...(column === '' ? [] : [begins(table, column, 0, 2)]),
    ...(reversed === '' ? [] : [begins(table, reversed, 1, 3)]),
  ]);
  return `SELECT j.value ->> 2 AS id FROM json_each(?) j WHERE ${each.join(' OR ')}`;
};
type Row<Key extends string> = { readonly [key in Key]: string };
const selectSharedByNotes = prepared<[string], Row<'id'>>(
  sharedBy(['notes', 'id', 'reversed_id'], ['event_notes', 'note', ''], ['touched_notes', '', 'reversed_id']),
);
const selectSharedByEvents = prepared<[string], Row<'id'>>(sharedBy(['events', 'id', 'reversed_id']));
const selectNotesLike = prepared<(string | null)[], Row<'id'>>(
  `SELECT DISTINCT id FROM notes WHERE shadowed = 0
     AND rowid IN (SELECT rowid FROM notes WHERE id >= ? AND id < ?
                   UNION SELECT rowid FROM notes WHERE reversed_id >= ? AND reversed_id < ?)
     AND user_id = ifnull(?, user_id) AND workspace_id = ifnull(?, workspace_id)`,
);
const selectTouchedFrom = prepared<[string, string], Row<'id'>>(
  'SELECT DISTINCT note AS id FROM event_notes WHERE note >= ? AND note < ?',
);
const selectTouchedTo = prepared<[string, string], Row<'reversed'>>(
  'SELECT reversed_id AS reversed FROM touched_notes WHERE reversed_id >= ? AND reversed_id < ?',
);
const selectEventsLike = prepared<[string, string, string, string], Row<'id'>>(
  `SELECT id FROM events WHERE id >= ? AND id < ?
   UNION SELECT id FROM events WHERE reversed_id >= ? AND reversed_id < ? ORDER BY id`,
);
const selectTitle = prepared<[NoteId], Row<'title'>>('SELECT title FROM notes WHERE id = ? AND shadowed = 0');
