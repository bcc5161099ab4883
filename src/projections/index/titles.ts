/** Notes by their titles, for a person who has no id at hand. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { prepared } from '../prepared.js';

export type Titled = {
  readonly id: NoteId;
  readonly title: string;
  /** False where the title only holds the words. */
  readonly isWhole: boolean;
};

/**
 * Notes whose title is these words, whatever their case; if there is none, whose title holds them. Live ones before those that
 * were superseded or expired, these before forgotten ones, and never of two of these. Reads every title of the store.
 */
export const notesTitled = (database: Database.Database, words: string, nowSeconds: number): readonly Titled[] => {
  const wanted = plain(words);
  if (wanted === '') return [];
  const rows = selectTitles(database).all(nowSeconds);
  const levels: readonly (() => readonly Row[])[] = [
    () => rows.filter(({ live }) => live === 1),
    () => rows.filter(({ live }) => live === 0),
    () => selectForgotten(database).all(),
  ];
  for (const isWhole of [true, false]) {
    for (const level of levels) {
      const found = level().filter(({ title }) => (isWhole ? plain(title) === wanted : plain(title).includes(wanted)));
      if (found.length > 0) return found.map(({ id, title }) => ({ id, title, isWhole }));
    }
  }
  return [];
};

const plain = (text: string): string => text.normalize('NFC').toLowerCase().split(/\s+/).join(' ').trim();

type Row = { readonly id: NoteId; readonly title: string; readonly live: number };

const selectTitles = prepared<[number], Row>(
  `SELECT id, title, (superseded_by IS NULL AND (expires_at IS NULL OR expires_at > ?)) AS live
   FROM notes WHERE shadowed = 0 ORDER BY updated_at DESC, id DESC`,
);

/** A forgotten note has no row: what it was called is the subject of the event. */
const selectForgotten = prepared<[], Row>(
  `SELECT x.note AS id, e.subject AS title, 0 AS live FROM events e JOIN event_notes x ON x.event = e.rowid
   WHERE e.kind = 'note.forgotten' AND NOT EXISTS (SELECT 1 FROM notes n WHERE n.id = x.note)
   GROUP BY x.note ORDER BY max(e.at) DESC, x.note DESC`,
);
