/** Erases texts from an SQLite file: its rows, free pages and write-ahead log; and reads its pages to look for them. */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';

export type ScrubResult = {
  readonly changed: number;
  /** False if another process was reading: old pages may then remain in the file. */
  readonly rewritten: boolean;
};

/** Each text of each table; a row whose new key another has replaces it. Undefined without a file. Waits up to 10 s. */
export const scrubDatabase = (file: string, scrub: (text: string) => string): ScrubResult | undefined => {
  if (!existsSync(file)) return undefined;
  const database = new Database(file, { timeout: 10_000 });
  try {
    database.pragma('secure_delete = ON');
    const changed = database.transaction(() => scrubTables(database, scrub)).immediate();
    return { changed, rewritten: rewrite(database) };
  } finally {
    database.close();
  }
};

/**
 * The file's bytes, free pages too, through SQLite: closing another handle on an open database would release its locks.
 * (Its write-ahead log has none.) Held in memory. Undefined if it is no database; no process has it open then.
 */
export const readDatabasePages = (file: string): Buffer | undefined => {
  const database = new Database(file, { readonly: true, timeout: 10_000 });
  try {
    database.pragma('schema_version');
    return database.serialize();
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT)/.test(error.code)) return undefined;
    throw error;
  } finally {
    database.close();
  }
};

const scrubTables = (database: Database.Database, scrub: (text: string) => string): number => {
  let changed = 0;
  const tables = database
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
    )
    .all();
  for (const { name } of tables) {
    const columns = database.prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)').all(name);
    for (const { name: column } of columns) {
      const [table, field] = [quote(name), quote(column)];
      const found = database
        .prepare<[], { value: string }>(
          `SELECT DISTINCT ${field} AS value FROM ${table} WHERE typeof(${field}) = 'text'`,
        )
        .all();
      const update = database.prepare<[string, string]>(
        `UPDATE OR REPLACE ${table} SET ${field} = ? WHERE ${field} = ?`,
      );
      for (const { value } of found) {
        const after = scrub(value);
        if (after !== value) changed += update.run(after, value).changes;
      }
    }
  }
  return changed;
};

const rewrite = (database: Database.Database): boolean => {
  try {
    database.exec('VACUUM');
    const [row] = database.prepare<[], { busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').all();
    return row?.busy !== 1;
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code)) return false;
    throw error;
  }
};

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
