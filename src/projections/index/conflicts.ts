/** Conflict copies that await a person's decision, and values that lost in merges. */
import type Database from 'better-sqlite3';
import { type LostOfNote, parseLost } from '../../events/note/lost-values.js';
import type { NoteId } from '../../events/note/note.js';
import { formatTime } from '../../events/time.js';
import { parseTexts, prepared, preparedTexts } from '../prepared.js';
import {
  type Access,
  type Condition,
  filterCondition,
  type IndexedNote,
  joinConditions,
  type NoteColumns,
  noteColumns,
  toIndexedNote,
} from './query.js';

/** Applies to the copy. */
export type ConflictFilter = Access & {
  readonly project?: string | undefined;
  /** Id of the copy, or of the note that it conflicts with. */
  readonly about?: NoteId | undefined;
};

export type OpenConflict = { readonly copy: IndexedNote; readonly original: NoteId };

/** Copies that exist and are not superseded, newest first, then by id. `total` counts past the limit. */
export const openConflicts = (
  database: Database.Database,
  filter: ConflictFilter,
  limit: number,
): { readonly conflicts: readonly OpenConflict[]; readonly total: number } => {
  const { sql, args } = openCondition(filter);
  const rows = selectCopies(
    database,
    `SELECT ${noteColumns}, c.original ${sql} ORDER BY n.created_at DESC, n.id DESC LIMIT ?`,
  ).all(...args, limit);
  return {
    conflicts: rows.map((row) => ({ copy: toIndexedNote(row), original: row.original })),
    total: selectTotal(database, `SELECT count(*) AS total ${sql}`).get(...args)?.total ?? 0,
  };
};

/** A value that lost in a merge, with the event that recorded it. */
export type LostInMerge = LostOfNote & { readonly eventId: string; readonly at: string; readonly machine: string };

/** Newest first; only of `note` if it is given. */
export const lostValues = (
  database: Database.Database,
  { note }: { readonly note?: NoteId | undefined },
  limit: number,
): readonly LostInMerge[] => {
  const found: LostInMerge[] = [];
  for (const row of selectMerges(database).iterate()) {
    for (const lost of parseTexts(row.lost).flatMap((text) => parseLost(text) ?? [])) {
      if (note !== undefined && lost.noteId !== note) continue;
      found.push({ ...lost, eventId: row.id, at: formatTime(row.at * 1000), machine: row.machine });
      if (found.length === limit) return found;
    }
  }
  return found;
};

/** CROSS JOIN makes SQLite start from the few copies, whatever it estimates the sizes of the tables to be. */
const openCondition = ({ project, user, workspace, about }: ConflictFilter): Condition => {
  const condition = joinConditions([
    filterCondition({ project, user, workspace }),
    { sql: 'n.superseded_by IS NULL', args: [] },
    ...(about === undefined ? [] : [{ sql: '(c.copy = ? OR c.original = ?)', args: [about, about] }]),
  ]);
  return {
    sql: `FROM conflicts c CROSS JOIN notes n ON n.rowid = c.note WHERE ${condition.sql}`,
    args: condition.args,
  };
};

const selectCopies = preparedTexts<(string | number)[], NoteColumns & { readonly original: string }>();
const selectTotal = preparedTexts<(string | number)[], { total: number }>();
const selectMerges = prepared<[], { id: string; at: number; machine: string; lost: string }>(
  `SELECT id, at, machine, details ->> '$.lost' AS lost FROM events
   WHERE details LIKE '%"lost":%' AND details ->> '$.lost' IS NOT NULL ORDER BY at DESC, id DESC`,
);
