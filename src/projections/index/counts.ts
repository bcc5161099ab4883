/** How many notes there are, in total and by type, project, scope and workspace. */
import type Database from 'better-sqlite3';
import type { JournalName } from '../../events/note/note.js';
import { prepared, preparedTexts } from '../prepared.js';
import { filterCondition, type NoteFilter } from './query.js';
import { commonest } from './schema.js';

export type Counts = {
  readonly total: number;
  readonly live: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly byProject: Readonly<Record<string, number>>;
  readonly byScope: Readonly<Record<string, number>>;
  readonly byWorkspace: Readonly<Record<string, number>>;
};

/** Counts all notes in the index, superseded ones too; keys in code unit order. */
export const countNotes = (database: Database.Database): Counts => {
  const { total, live, portable } = selectCounts(database).get() ?? { total: 0, live: 0, portable: 0 };
  return {
    total,
    live,
    byType: withCommonest(commonest.type, total, selectTypes(database).all()),
    byProject: toCounts(selectProjects(database).all()),
    byScope: withCommonest('portable', total, [{ key: 'machine-local', count: total - portable }]),
    byWorkspace: withCommonest(commonest.workspace, total, selectWorkspaces(database).all()),
  };
};

type Counted = { readonly key: string; readonly count: number };

const withCommonest = (key: string, total: number, others: readonly Counted[]): Readonly<Record<string, number>> =>
  toCounts([...others, { key, count: others.reduce((left, { count }) => left - count, total) }]);

const toCounts = (counted: readonly Counted[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    counted
      .filter(({ count }) => count > 0)
      .map(({ key, count }) => [key, count] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Reads hardly any rows: small indexes hold the notes that differ from most, and those are counted. */
const selectCounts = prepared<[], { readonly total: number; readonly live: number; readonly portable: number }>(
  `SELECT total,
     total - (SELECT count(*) FROM notes WHERE superseded_by IS NOT NULL AND shadowed = 0) AS live,
     total - (SELECT count(*) FROM notes WHERE journal = 'local' AND shadowed = 0) AS portable
   FROM (SELECT (SELECT count(*) FROM notes) - (SELECT count(*) FROM notes WHERE shadowed = 1) AS total)`,
);

const selectTypes = prepared<[], Counted>(
  `SELECT type AS key, count(*) AS count FROM notes WHERE type <> '${commonest.type}' AND shadowed = 0 GROUP BY type`,
);

const selectWorkspaces = prepared<[], Counted>(
  `SELECT workspace_id AS key, count(*) AS count FROM notes
   WHERE workspace_id <> '${commonest.workspace}' AND shadowed = 0 GROUP BY workspace_id`,
);

/** Counted in the index on project alone, which includes shadowed notes: they are few, and subtracted. */
const selectProjects = prepared<[], Counted>(
  `SELECT key, sum(count) AS count FROM (
     SELECT project AS key, count(*) AS count FROM notes GROUP BY project
     UNION ALL SELECT project, -count(*) FROM notes WHERE shadowed = 1 GROUP BY project)
   GROUP BY key`,
);

export type CountedTag = { readonly tag: string; readonly notes: number };

/** Covers all notes in the index, superseded ones too: the commonest tag first, then in code unit order. */
export const countTags = (database: Database.Database, filter: NoteFilter): readonly CountedTag[] => {
  const { sql, args } = filterCondition(filter);
  return selectTags(
    database,
    `SELECT t.tag, count(*) AS notes FROM notes n JOIN tags t ON t.note = n.rowid WHERE ${sql}
     GROUP BY t.tag ORDER BY notes DESC, t.tag`,
  ).all(...args);
};

const selectTags = preparedTexts<(string | number)[], CountedTag>();

/** Readable notes, each counted once, and files that are not readable notes. */
export const countNoteFiles = (database: Database.Database): { readonly notes: number; readonly skipped: number } =>
  database
    .prepare<[], { notes: number; skipped: number }>(
      'SELECT (SELECT count(*) FROM notes WHERE shadowed = 0) AS notes, (SELECT count(*) FROM skipped) AS skipped',
    )
    .get() ?? { notes: 0, skipped: 0 };

/** Counts the files of the journal that are readable notes. */
export const countNotesIn = (database: Database.Database, journal: JournalName): number =>
  selectCountIn(database).get(journal)?.count ?? 0;

const selectCountIn = prepared<[string], { count: number }>('SELECT count(*) AS count FROM notes WHERE journal = ?');
