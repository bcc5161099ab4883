/** How many notes there are, as a whole and by type, project, scope and workspace. */
import type Database from 'better-sqlite3';
import { type JournalName, type NoteType, noteTypes } from '../../events/note/note.js';
import { prepared, preparedTexts } from '../prepared.js';
import { filterCondition, type NoteFilter } from './query.js';

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
  const { total, live, portable, workspace, elsewhere, ...types } = selectCounts(database).get() ?? noCounts;
  return {
    total,
    live,
    byType: toCounts(noteTypes.map((key) => ({ key, count: types[key] }))),
    byProject: toCounts(selectProjects(database).all()),
    byScope: toCounts([
      { key: 'machine-local', count: total - portable },
      { key: 'portable', count: portable },
    ]),
    byWorkspace: toCounts(
      elsewhere === 0 ? [{ key: workspace ?? '', count: total }] : selectWorkspaces(database).all(),
    ),
  };
};

type Counted = { readonly key: string; readonly count: number };

const toCounts = (counted: readonly Counted[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    counted
      .filter(({ count }) => count > 0)
      .map(({ key, count }) => [key, count] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

type SelectedCounts = {
  readonly total: number;
  readonly live: number;
  readonly portable: number;
  /** That of one note, and how many are in others. */
  readonly workspace: string | null;
  readonly elsewhere: number;
} & Readonly<Record<NoteType, number>>;

const noCounts: SelectedCounts = {
  total: 0,
  live: 0,
  portable: 0,
  workspace: null,
  elsewhere: 0,
  procedural: 0,
  semantic: 0,
  episodic: 0,
};

/**
 * One pass over the rows for types and workspaces: SQLite sorts all of them for each grouping without an index, which takes
 * four times as long. Counted in small indexes are the notes that are not as most are.
 */
const selectCounts = prepared<[], SelectedCounts>(
  `SELECT ${noteTypes.map((type) => `count(*) FILTER (WHERE type = '${type}') AS ${type}`).join(', ')},
     (SELECT workspace_id FROM notes WHERE shadowed = 0 LIMIT 1) AS workspace,
     count(*) FILTER (WHERE workspace_id <> (SELECT workspace_id FROM notes WHERE shadowed = 0 LIMIT 1)) AS elsewhere,
     count(*) AS total,
     count(*) - (SELECT count(*) FROM notes WHERE superseded_by IS NOT NULL AND shadowed = 0) AS live,
     count(*) - (SELECT count(*) FROM notes WHERE journal = 'local' AND shadowed = 0) AS portable
   FROM notes WHERE shadowed = 0`,
);

/** Counted in the index by project alone, which holds the shadowed ones too: they are few, and taken off. */
const selectProjects = prepared<[], Counted>(
  `SELECT key, sum(count) AS count FROM (
     SELECT project AS key, count(*) AS count FROM notes GROUP BY project
     UNION ALL SELECT project, -count(*) FROM notes WHERE shadowed = 1 GROUP BY project)
   GROUP BY key`,
);

export type CountedTag = { readonly tag: string; readonly notes: number };

/** Of all notes that are there, superseded ones too: the commonest first, then in code unit order. */
export const countTags = (database: Database.Database, filter: NoteFilter): readonly CountedTag[] => {
  const { sql, args } = filterCondition(filter);
  return selectTags(
    database,
    `SELECT t.tag, count(*) AS notes FROM notes n JOIN tags t ON t.note = n.rowid WHERE ${sql}
     GROUP BY t.tag ORDER BY notes DESC, t.tag`,
  ).all(...args);
};

const selectTags = preparedTexts<(string | number)[], CountedTag>();

const selectWorkspaces = prepared<[], Counted>(
  'SELECT workspace_id AS key, count(*) AS count FROM notes WHERE shadowed = 0 GROUP BY workspace_id',
);

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
