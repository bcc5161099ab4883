/** Short ids: the end of an id, as long as it takes to be the only one of the store, and what a person types for an id. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../events/note/note.js';
import type { Access } from './index/query.js';
import { prepared } from './prepared.js';
import { reverseId } from './reverse-id.js';

/** Fewer would grow with nearly every note; of 10,000 notes, about one in 100,000 needs more. */
const minShortId = 6;

/**
 * The last characters of each id: at least 6, and more only where another note of the store ends alike or begins with
 * them. Forgotten notes count, since restore and history take their ids. Six index lookups a note.
 */
export const shortNoteIds = (database: Database.Database, ids: readonly NoteId[]): ReadonlyMap<NoteId, string> =>
  shortIdsAmong(ids, {
    neighbours: (reversed) => selectNoteNeighbours(database).all(reversed, reversed, reversed, reversed),
    isBeginning: (text, id) =>
      selectNoteBeginning(database).get(text, `${text}~`, id, text, `${text}~`, id) !== undefined,
  });

/** The same for events, among events. */
export const shortEventIds = (database: Database.Database, ids: readonly string[]): ReadonlyMap<string, string> =>
  shortIdsAmong(ids, {
    neighbours: (reversed) => selectEventNeighbours(database).all(reversed, reversed),
    isBeginning: (text, id) => selectEventBeginning(database).get(text, `${text}~`, id) !== undefined,
  });

type Among = {
  /** Reversed ids just before and just after this one; what is null is none. */
  readonly neighbours: (reversed: string) => readonly { readonly reversed: string | null }[];
  /** Whether another id than this one begins with the text. */
  readonly isBeginning: (text: string, id: string) => boolean;
};

const shortIdsAmong = (ids: readonly string[], { neighbours, isBeginning }: Among): ReadonlyMap<string, string> => {
  const shortOf = new Map<string, string>();
  for (const id of ids) {
    if (shortOf.has(id)) continue;
    const reversed = reverseId(id);
    const shared = neighbours(reversed).map((other) => countShared(reversed, other.reversed ?? ''));
    let length = Math.max(minShortId, ...shared.map((count) => count + 1));
    while (length < id.length && isBeginning(id.slice(-length), id)) length += 1;
    shortOf.set(id, id.slice(-length));
  }
  return shortOf;
};

/** How many characters two texts begin with alike. */
const countShared = (one: string, other: string): number => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
};

/** A note that a typed id may stand for. */
export type NoteCandidate = {
  readonly id: NoteId;
  /** Undefined of a note that was forgotten. */
  readonly title: string | undefined;
};

export type Candidates<Candidate> = { readonly found: readonly Candidate[]; readonly total: number };

/**
 * Notes whose id begins or ends with the text, in upper case, by id; at most `limit` of them are answered, all are
 * counted. An access that is restricted sees only its notes, and no forgotten ones: nothing says whose those were.
 */
export const notesLike = (
  database: Database.Database,
  text: string,
  { user, workspace }: Access,
  limit: number,
): Candidates<NoteCandidate> => {
  const reversed = reverseId(text);
  const isRestricted = user !== undefined || workspace !== undefined;
  const fitting = [text, `${text}~`, reversed, `${reversed}~`, user ?? null, workspace ?? null];
  const ids = new Set(
    selectNotesLike(database)
      .all(...fitting)
      .map(idOf),
  );
  if (!isRestricted) {
    for (const { id } of selectTouchedFrom(database).all(text, `${text}~`)) ids.add(id);
    for (const one of selectTouchedTo(database).all(reversed, `${reversed}~`)) ids.add(reverseId(one.reversed));
  }
  const sorted = [...ids].sort();
  const found = sorted.slice(0, limit).map((id) => ({ id, title: selectTitle(database).get(id)?.title }));
  return { found, total: sorted.length };
};

/** Ids of events that begin or end with the text, in upper case and in order. */
export const eventIdsLike = (database: Database.Database, text: string): readonly string[] => {
  const reversed = reverseId(text);
  return selectEventsLike(database).all(text, `${text}~`, reversed, `${reversed}~`).map(idOf);
};

const idOf = ({ id }: { readonly id: string }): string => id;

// The aggregates read one entry of the index each. `~` is behind every letter and digit of an id.
const neighboursIn = (table: string): string => `
  SELECT max(reversed_id) AS reversed FROM ${table} WHERE reversed_id < ?
  UNION ALL SELECT min(reversed_id) FROM ${table} WHERE reversed_id > ?`;
type Row<Key extends string> = { readonly [key in Key]: string };
const selectNoteNeighbours = prepared<[string, string, string, string], { readonly reversed: string | null }>(
  `${neighboursIn('notes')} UNION ALL ${neighboursIn('touched_notes')}`,
);
const selectEventNeighbours = prepared<[string, string], { readonly reversed: string | null }>(neighboursIn('events'));
const selectNoteBeginning = prepared<[string, string, string, string, string, string], unknown>(
  `SELECT 1 FROM (SELECT 1 FROM notes WHERE id >= ? AND id < ? AND id <> ? LIMIT 1)
   UNION ALL SELECT 1 FROM (SELECT 1 FROM event_notes WHERE note >= ? AND note < ? AND note <> ? LIMIT 1) LIMIT 1`,
);
const selectEventBeginning = prepared<[string, string, string], unknown>(
  'SELECT 1 FROM events WHERE id >= ? AND id < ? AND id <> ? LIMIT 1',
);
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
