/**
 * Reads the database of claude-mem (thedotmack/claude-mem). Its tables grew over 35 migrations and columns were
 * renamed, so it reads whichever columns a table has.
 */

import { type ImportItem, problemAt } from '../../commands/foreign-note.js';
import { type ClaudeMemSource, claudeMemSources, sessionOf, sharedColumns } from './claude-mem-rows.js';
import { readDatabase } from './databases.js';
import { findBadValue, textOf } from './row-values.js';
import { databaseProblem, type ForeignDatabase, type ForeignRow, type ForeignTable } from './sqlite.js';

export async function* readClaudeMem(path: string): AsyncGenerator<ImportItem> {
  yield* readDatabase(path, 'claude-mem', readTables);
}

function* readTables(database: ForeignDatabase, shown: string): Generator<ImportItem> {
  const found = claudeMemSources.flatMap((source) => {
    const table = findTable(database, source.table);
    return table === undefined ? [] : [{ source, table }];
  });
  if (found.length === 0) {
    const names = claudeMemSources.map(({ table }) => table).join(', ');
    yield problemAt(shown, `none of claude-mem's tables exists: ${names}`);
  }
  for (const { source, table } of found) {
    const where = `${shown}: ${table.name}`;
    try {
      const titleBySession = source.table === 'session_summaries' ? readSessionTitles(database) : new Map();
      for (const row of database.rows(table, [...sharedColumns, ...source.columns])) {
        if (source.isWanted?.(row) === false) continue;
        yield readRow(row, where, source, titleBySession);
      }
    } catch (error) {
      yield databaseProblem(where, error);
    }
  }
}

const findTable = (database: ForeignDatabase, wanted: string): ForeignTable | undefined =>
  database.tables.find(({ name }) => name.toLowerCase() === wanted);

const readRow = (
  row: ForeignRow,
  where: string,
  { toNote }: ClaudeMemSource,
  titleBySession: ReadonlyMap<string, string>,
): ImportItem => {
  const place = `${where} ${textOf(row, 'id') ?? '?'}`;
  const bad = findBadValue(row);
  if (bad !== undefined) return problemAt(place, bad);
  const note = toNote(row, titleBySession.get(sessionOf(row) ?? ''));
  return note === undefined ? problemAt(place, 'the row has no text') : { kind: 'note', note };
};

/** Titles that people gave their sessions. */
const readSessionTitles = (database: ForeignDatabase): ReadonlyMap<string, string> => {
  const titles = new Map<string, string>();
  const table = findTable(database, 'sdk_sessions');
  if (table === undefined) return titles;
  for (const row of database.rows(table, ['memory_session_id', 'custom_title'])) {
    const session = textOf(row, 'memory_session_id');
    const title = textOf(row, 'custom_title');
    if (session !== undefined && title !== undefined) titles.set(session, title);
  }
  return titles;
};
