/** Single note rows, and how many notes there are, in total and by type, project, scope and workspace. */
import type Database from 'better-sqlite3';
import { type JournalName, scopeOf } from '../../events/note/note.js';
import { prepared, preparedTexts } from '../prepared.js';
import { filterCondition, type NoteColumns, type NoteFilter, noteColumns } from './query.js';

/** Undefined if another process has removed the note since its row was found. */
export const noteAtRow = (database: Database.Database, rowid: number): NoteColumns | undefined =>
  selectRow(database).get(rowid);

/** Counts all rows: superseded and expired notes and second files, too. */
export const countAllNotes = (database: Database.Database): number => selectTotal(database).get()?.total ?? 0;

const selectRow = prepared<[number], NoteColumns>(`SELECT ${noteColumns} FROM notes n WHERE rowid = ?`);
const selectTotal = prepared<[], { total: number }>('SELECT count(*) AS total FROM notes');
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
  const groups = selectGroups(database).all();
  const sum = (some: readonly NoteGroup[]): number => some.reduce((all, { count }) => all + count, 0);
  const by = (keyOf: (group: NoteGroup) => string): Readonly<Record<string, number>> => {
    const keys = [...new Set(groups.map(keyOf))].sort();
    return Object.fromEntries(keys.map((key) => [key, sum(groups.filter((group) => keyOf(group) === key))]));
  };
  return {
    total: sum(groups),
    live: sum(groups.filter(({ live }) => live === 1)),
    byType: by(({ type }) => type),
    byProject: by(({ project }) => project),
    byScope: by(({ journal }) => scopeOf(journal)),
    byWorkspace: by(({ workspace }) => workspace),
  };
};

type NoteGroup = {
  readonly type: string;
  readonly project: string;
  readonly journal: JournalName;
  readonly workspace: string;
  readonly live: number;
  readonly count: number;
};

/** Reads each row once, about a microsecond a note. */
const selectGroups = prepared<[], NoteGroup>(
  `SELECT type, project, journal, workspace_id AS workspace, superseded_by IS NULL AS live, count(*) AS count
   FROM notes WHERE shadowed = 0 GROUP BY 1, 2, 3, 4, 5`,
);

type CountedTag = { readonly tag: string; readonly notes: number };

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

export const countNotesIn = (database: Database.Database, journal: JournalName): number =>
  selectCountIn(database).get(journal)?.count ?? 0;

const selectCountIn = prepared<[string], { count: number }>('SELECT count(*) AS count FROM notes WHERE journal = ?');
