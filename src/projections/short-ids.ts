/** Short ids: the shortest ending of an id that is unique in the store, and the ids that a typed text may mean. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../events/note/note.js';
import { wasTouched } from './history/query.js';
import type { Access } from './index/query.js';
import { parseTexts } from './index/texts.js';
import { prepared } from './prepared.js';
import { reverseText } from './reverse-text.js';

/** With fewer, nearly every new note would lengthen one; of 10,000 notes, about one in 100,000 needs more. */
const minShortId = 6;

/**
 * The last characters of each id: at least 6, and more only where the id of another note in the store ends or begins
 * with them. Forgotten notes count, since restore and history accept their ids. Six index lookups a note, in two
 * statements for all: a session's inject block has more than a hundred notes.
 */
export const shortNoteIds = (database: Database.Database, ids: readonly NoteId[]): ReadonlyMap<NoteId, string> =>
  shortIdsAmong(ids, {
    neighbours: (texts) => selectNoteNeighbours(database).all(texts),
    beginnings: (texts) => selectNoteBeginnings(database).all(texts),
  });

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
  shortIdsAmong(ids, {
    neighbours: (texts) => selectEventNeighbours(database).all(texts),
    beginnings: (texts) => selectEventBeginnings(database).all(texts),
  });

type Among = {
  /**
   * Takes reversed ids as a JSON list; returns each with the ids just before and just after it in order, '' for none.
   */
  readonly neighbours: (texts: string) => readonly Neighbours[];
  /** Takes pairs of a text and an id as JSON; returns those ids for which another id begins with the text. */
  readonly beginnings: (texts: string) => readonly Row<'id'>[];
};

const shortIdsAmong = (ids: readonly string[], { neighbours, beginnings }: Among): ReadonlyMap<string, string> => {
  const shortOf = new Map<string, string>();
  for (const { reversed, others } of neighbours(JSON.stringify([...new Set(ids)].map(reverseText)))) {
    const shared = parseTexts(others).map((other) => countShared(reversed, other));
    const id = reverseText(reversed);
    shortOf.set(id, id.slice(-Math.max(minShortId, ...shared.map((count) => count + 1))));
  }
  for (let open = [...shortOf]; open.length > 0; ) {
    const clashing = beginnings(JSON.stringify(open.map(([id, short]) => [short, id]))).map(idOf);
    for (const id of clashing) shortOf.set(id, id.slice(-(shortOf.get(id)?.length ?? 0) - 1));
    open = clashing.flatMap((id) => {
      const short = shortOf.get(id) ?? id;
      return short.length < id.length ? [[id, short] as const] : [];
    });
  }
  return shortOf;
};

/** Length of the common prefix. */
const countShared = (one: string, other: string): number => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
};

/** A note that a typed id may mean. */
export type NoteCandidate = {
  readonly id: NoteId;
  /** Undefined for a forgotten note. */
  readonly title: string | undefined;
};

export type Candidates<Candidate> = { readonly found: readonly Candidate[]; readonly total: number };

/**
 * Notes whose id begins or ends with the text (upper case), by id; returns at most `limit` of them and counts all. A
 * restricted access sees only its own notes and no forgotten ones, since nothing records whose those were.
 */
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

// Each aggregate reads one index entry. `~` sorts after every letter and digit of an id.
const neighboursIn = (tables: readonly string[]): string => {
  const each = tables.flatMap((table) => [
    `(SELECT max(reversed_id) FROM ${table} WHERE reversed_id < j.value)`,
    `(SELECT min(reversed_id) FROM ${table} WHERE reversed_id > j.value)`,
  ]);
  const texts = each.map((one) => `ifnull(${one}, '')`).join(', ');
  return `SELECT j.value AS reversed, json_array(${texts}) AS others FROM json_each(?) j`;
};
const beginsIn = (table: string, column: string): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${column} >= j.value ->> 0 AND ${column} < (j.value ->> 0) || '~'
     AND ${column} <> j.value ->> 1)`;
type Row<Key extends string> = { readonly [key in Key]: string };
type Neighbours = Row<'reversed' | 'others'>;
const selectNoteNeighbours = prepared<[string], Neighbours>(neighboursIn(['notes', 'touched_notes']));
const selectEventNeighbours = prepared<[string], Neighbours>(neighboursIn(['events']));
const selectNoteBeginnings = prepared<[string], Row<'id'>>(
  `SELECT j.value ->> 1 AS id FROM json_each(?) j WHERE ${beginsIn('notes', 'id')} OR ${beginsIn('event_notes', 'note')}`,
);
const selectEventBeginnings = prepared<[string], Row<'id'>>(
  `SELECT j.value ->> 1 AS id FROM json_each(?) j WHERE ${beginsIn('events', 'id')}`,
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
