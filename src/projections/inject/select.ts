/** The candidates for a session's inject block, read from the index. */
import type Database from 'better-sqlite3';
import { isNoteType } from '../../events/note/note.js';
import { formatTime } from '../../events/time.js';
import {
  type Access,
  type IndexedNote,
  liveCondition,
  type NoteColumns,
  noteColumns,
  toIndexedNote,
} from '../index/query.js';
import { type Owner, offeredCondition } from '../index/trust.js';

export type InjectCandidates = {
  /** Importance, updated_at, confidence, id, the greatest first. */
  readonly global: readonly IndexedNote[];
  /** The project's procedural and semantic notes: importance, updated_at, confidence, id. */
  readonly lasting: readonly IndexedNote[];
  /** The project's episodic notes that were not reflected on: importance, updated_at, confidence, id. */
  readonly episodic: readonly IndexedNote[];
  /** The project's notes of both kinds, newest first: updated_at, then id. */
  readonly newest: readonly NamedNote[];
  /** Live notes that could be injected, whether among the candidates or not. */
  readonly total: number;
};

/** The columns that a line shows: for a hundred notes, reading the others takes longer than the rest of the block. */
export type NamedNote = Pick<IndexedNote, 'rowid' | 'id' | 'type' | 'title' | 'project' | 'updatedAt'>;

/** How many of each are read; the rest are only counted. */
export type CandidateLimits = { readonly global: number; readonly project: number; readonly newest: number };

/** A note without an importance counts as the middle of the scale. */
const byWeight = 'coalesce(n.importance, 0.5) DESC, n.updated_at DESC, n.confidence DESC, n.id DESC';
const byDate = 'n.updated_at DESC, n.id DESC';

export const injectCandidates = (
  database: Database.Database,
  project: string,
  access: Access,
  nowSeconds: number,
  limits: CandidateLimits,
  owner?: Owner,
): InjectCandidates => {
  const live = liveCondition(nowSeconds);
  const offered = offeredCondition(owner);
  const conditions: string[] = [live.sql, offered.sql];
  const args: (string | number)[] = [...live.args, ...offered.args];
  if (access.user !== undefined) {
    conditions.push('n.user_id = ?');
    args.push(access.user);
  }
  if (access.workspace !== undefined) {
    conditions.push('n.workspace_id = ?');
    args.push(access.workspace);
  }
  const select = (condition: string, order: string, key: string, limit: number): IndexedNote[] =>
    database
      .prepare<(string | number)[], NoteColumns>(
        `SELECT ${noteColumns} FROM notes n WHERE n.rowid IN (
           SELECT n.rowid FROM notes n WHERE n.project = ? AND ${condition} AND ${conditions.join(' AND ')}
           ORDER BY ${order} LIMIT ?)
         ORDER BY ${order}`,
      )
      .all(key, ...args, limit)
      .map(toIndexedNote);
  const name = (condition: string, key: string, limit: number): NamedNote[] =>
    database
      .prepare<(string | number)[], NamedColumns>(
        `SELECT n.rowid, n.id, n.type, n.title, n.project, n.updated_at FROM notes n
         WHERE n.project = ? AND ${condition} AND ${conditions.join(' AND ')} ORDER BY ${byDate} LIMIT ?`,
      )
      .all(key, ...args, limit)
      .map(({ type, updated_at: at, ...row }) => ({
        ...row,
        type: isNoteType(type) ? type : 'semantic',
        updatedAt: formatTime(at * 1000),
      }));
  const count = (condition: string, key: string): number =>
    database
      .prepare<(string | number)[], { count: number }>(
        `SELECT count(*) AS count FROM notes n WHERE n.project = ? AND ${condition} AND ${conditions.join(' AND ')}`,
      )
      .get(key, ...args)?.count ?? 0;
  const unreflected = "(n.type <> 'episodic' OR n.reflected = 0)";
  const inProject = project !== 'global';
  return {
    global: select(unreflected, byWeight, 'global', limits.global),
    lasting: inProject ? select("n.type <> 'episodic'", byWeight, project, limits.project) : [],
    episodic: inProject ? select("n.type = 'episodic' AND n.reflected = 0", byWeight, project, limits.project) : [],
    newest: inProject ? name(unreflected, project, limits.newest) : [],
    total: count(unreflected, 'global') + (inProject ? count(unreflected, project) : 0),
  };
};

type NamedColumns = Pick<NoteColumns, 'rowid' | 'id' | 'type' | 'title' | 'project' | 'updated_at'>;
