/** What awaits a person: conflict copies, proposals, notes marked as untrusted. Also values lost in merges. */
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
import { noteAtRow } from './rows.js';

/** Applies to the copy. */
export type ConflictFilter = Access & {
  readonly project?: string | undefined;
  /** Id of the copy, or of the note that it conflicts with. */
  readonly about?: NoteId | undefined;
};

type OpenConflict = { readonly copy: IndexedNote; readonly original: NoteId };

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
type LostInMerge = LostOfNote & { readonly eventId: string; readonly at: string; readonly machine: string };

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
/** Applies to the proposing note; the access applies to both notes. */
export type ProposalFilter = Access & {
  readonly project?: string | undefined;
  readonly newer?: NoteId | undefined;
  readonly older?: NoteId | undefined;
};

/** `newer` would supersede `older`; without one, it is itself the proposal. */
type PendingProposal = { readonly newer: IndexedNote; readonly older: IndexedNote | undefined };

export type PendingProposals = { readonly proposals: readonly PendingProposal[]; readonly total: number };

/**
 * Of notes that aren't superseded, about one that isn't either or about none; expired ones too, since those can be
 * replaced. A note that proposes to replace others isn't listed alone. By project, proposing id, older id.
 */
export const pendingProposals = (
  database: Database.Database,
  filter: ProposalFilter,
  limit: number,
): PendingProposals => {
  const { sql, args } = pendingCondition(filter);
  const total = selectCounts(database, `SELECT count(*) AS total FROM (SELECT DISTINCT n.rowid, o.rowid ${sql})`);
  const pairs = selectPairs(
    database,
    `SELECT DISTINCT n.rowid AS newer, o.rowid AS older ${sql} ORDER BY n.project, n.id, o.id LIMIT ?`,
  );
  return {
    proposals: pairs.all(...args, limit).flatMap((pair) => {
      const newer = noteAtRow(database, pair.newer);
      const older = pair.older === null ? undefined : noteAtRow(database, pair.older);
      if (newer === undefined || (older === undefined && pair.older !== null)) return [];
      return [{ newer: toIndexedNote(newer), older: older === undefined ? undefined : toIndexedNote(older) }];
    }),
    total: total.get(...args)?.total ?? 0,
  };
};

/** Projects with something to review, in code unit order. */
export const projectsWithProposals = (database: Database.Database, access: Access): readonly string[] => {
  const { sql, args } = pendingCondition(access);
  return selectProjects(database, `SELECT DISTINCT n.project AS project ${sql} ORDER BY n.project`)
    .all(...args)
    .map(({ project }) => project);
};

/** Starts from the few proposals and marked notes: CROSS JOIN keeps SQLite from estimating otherwise. */
const pendingCondition = (filter: ProposalFilter): Condition => {
  const { newer, older, project, user, workspace } = filter;
  const ofOlder = joinConditions([
    { sql: 'o.shadowed = 0 AND o.superseded_by IS NULL AND o.id <> n.id', args: [] },
    ...equal('o.user_id', user),
    ...equal('o.workspace_id', workspace),
  ]);
  const condition = joinConditions([
    filterCondition({ project, user, workspace }),
    { sql: 'n.superseded_by IS NULL', args: [] },
    {
      sql: `CASE WHEN p.older IS NOT NULL THEN ${ofOlder.sql} ELSE NOT EXISTS (
        SELECT 1 FROM proposals q CROSS JOIN notes o ON o.id = q.older WHERE q.note = n.rowid AND ${ofOlder.sql}) END`,
      args: [...ofOlder.args, ...ofOlder.args],
    },
    ...equal('n.id', newer),
    ...equal('p.older', older),
  ]);
  return {
    sql: `FROM (SELECT note, older FROM proposals
        UNION ALL SELECT rowid, NULL FROM notes INDEXED BY notes_untrusted WHERE untrusted = 1) p
      CROSS JOIN notes n ON n.rowid = p.note LEFT JOIN notes o ON o.id = p.older
      WHERE ${condition.sql}`,
    args: condition.args,
  };
};

const equal = (column: string, value: string | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ sql: `${column} = ?`, args: [value] }];

const selectCounts = preparedTexts<(string | number)[], { total: number }>();
const selectPairs = preparedTexts<(string | number)[], { newer: number; older: number | null }>();
const selectProjects = preparedTexts<(string | number)[], { project: string }>();
