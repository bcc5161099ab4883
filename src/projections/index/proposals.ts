/** Proposed supersessions that await a person's decision. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { preparedTexts } from '../prepared.js';
import {
  type Access,
  type Condition,
  filterCondition,
  type IndexedNote,
  joinConditions,
  toIndexedNote,
} from './query.js';
import { noteAtRow } from './rows.js';

/** Applies to the proposing note; the access applies to both notes. */
export type ProposalFilter = Access & {
  readonly project?: string | undefined;
  readonly newer?: NoteId | undefined;
  readonly older?: NoteId | undefined;
};

/** `newer` would supersede `older`. */
export type PendingProposal = { readonly newer: IndexedNote; readonly older: IndexedNote };

export type PendingProposals = { readonly proposals: readonly PendingProposal[]; readonly total: number };

/**
 * Proposals between two notes that exist and are not superseded, expired ones too, since those can be replaced. Ordered
 * by project, proposing id and older id.
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
      const older = noteAtRow(database, pair.older);
      return newer === undefined || older === undefined
        ? []
        : [{ newer: toIndexedNote(newer), older: toIndexedNote(older) }];
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

/** CROSS JOIN makes SQLite start from the few proposals, whatever it estimates the sizes of the tables to be. */
const pendingCondition = (filter: ProposalFilter): Condition => {
  const { newer, older, project, user, workspace } = filter;
  const condition = joinConditions([
    filterCondition({ project, user, workspace }),
    { sql: 'n.superseded_by IS NULL AND o.shadowed = 0 AND o.superseded_by IS NULL AND o.id <> n.id', args: [] },
    ...equal('n.id', newer),
    ...equal('o.id', older),
    ...equal('o.user_id', user),
    ...equal('o.workspace_id', workspace),
  ]);
  return {
    sql: `FROM proposals p CROSS JOIN notes n ON n.rowid = p.note CROSS JOIN notes o ON o.id = p.older
      WHERE ${condition.sql}`,
    args: condition.args,
  };
};

const equal = (column: string, value: string | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ sql: `${column} = ?`, args: [value] }];

const selectCounts = preparedTexts<(string | number)[], { total: number }>();
const selectPairs = preparedTexts<(string | number)[], { newer: number; older: number }>();
const selectProjects = preparedTexts<(string | number)[], { project: string }>();
