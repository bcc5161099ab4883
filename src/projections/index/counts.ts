/** How many notes there are, as a whole and by type, project, scope and workspace. */
import type Database from 'better-sqlite3';
import type { JournalName } from '../../events/note/note.js';
import { prepared } from '../prepared.js';

export type Counts = {
  readonly total: number;
  readonly live: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly byProject: Readonly<Record<string, number>>;
  readonly byScope: Readonly<Record<string, number>>;
  readonly byWorkspace: Readonly<Record<string, number>>;
};

/** Counts of all notes that are there, superseded ones too; keys in code unit order. */
export const countNotes = (database: Database.Database): Counts => {
  const countBy = (expression: string, total: number, texts: string | null): Readonly<Record<string, number>> => {
    const keys = texts?.split('\0') ?? [];
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const rows =
      keys.length === total
        ? [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
        : // One of them holds a NUL.
          groupNotes(database, expression);
    return Object.fromEntries(rows);
  };
  const { total, live, types, projects, scopes, workspaces } = countedColumns(database).get() ?? noColumns;
  return {
    total,
    live,
    byType: countBy('type', total, types),
    byProject: countBy('project', total, projects),
    byScope: countBy(scopeKey, total, scopes),
    byWorkspace: countBy('workspace_id', total, workspaces),
  };
};

const scopeKey = "CASE journal WHEN 'portable' THEN 'portable' ELSE 'machine-local' END";

type CountedColumns = {
  readonly total: number;
  readonly live: number;
  readonly types: string | null;
  readonly projects: string | null;
  readonly scopes: string | null;
  readonly workspaces: string | null;
};

const noColumns: CountedColumns = { total: 0, live: 0, types: null, projects: null, scopes: null, workspaces: null };

/** Every row once: SQLite sorts all of them for each grouping, which took four times as long at 100,000 notes. */
const countedColumns = prepared<[], CountedColumns>(
  `SELECT count(*) AS total, coalesce(sum(superseded_by IS NULL), 0) AS live,
     group_concat(type, char(0)) AS types, group_concat(project, char(0)) AS projects,
     group_concat(${scopeKey}, char(0)) AS scopes, group_concat(workspace_id, char(0)) AS workspaces
   FROM notes WHERE shadowed = 0`,
);

const groupNotes = (database: Database.Database, expression: string): readonly (readonly [string, number])[] =>
  database
    .prepare<[], { key: string; count: number }>(
      `SELECT ${expression} AS key, count(*) AS count FROM notes WHERE shadowed = 0 GROUP BY 1 ORDER BY 1`,
    )
    .all()
    .map(({ key, count }) => [key, count]);

/** Readable notes, each counted once, and files that are none. */
export const countNoteFiles = (database: Database.Database): { readonly notes: number; readonly skipped: number } =>
  database
    .prepare<[], { notes: number; skipped: number }>(
      'SELECT (SELECT count(*) FROM notes WHERE shadowed = 0) AS notes, (SELECT count(*) FROM skipped) AS skipped',
    )
    .get() ?? { notes: 0, skipped: 0 };

/** Files of the journal that are readable notes. */
export const countNotesIn = (database: Database.Database, journal: JournalName): number =>
  selectCountIn(database).get(journal)?.count ?? 0;

const selectCountIn = prepared<[string], { count: number }>('SELECT count(*) AS count FROM notes WHERE journal = ?');
