/** Opens databases of other programs for reading. No other module of the import loads better-sqlite3. */
import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type ImportItem, problemAt } from '../../commands/foreign-note.js';
import { readBeginning } from '../files.js';

export type ForeignRow = Readonly<Record<string, unknown>>;

export type ForeignTable = { readonly name: string; readonly columns: ReadonlySet<string> };

export type ForeignDatabase = {
  readonly tables: readonly ForeignTable[];
  /** Yields one row at a time, in the order of `id` if there is one, without the columns that the table lacks. */
  rows(table: ForeignTable, columns: readonly string[]): Generator<ForeignRow>;
  close(): void;
};

/** The database cannot be read, or not to its end. */
export class UnreadableDatabase extends Error {
  readonly code = 'unreadable-database';
}

/** Makes a problem of an unreadable database; rethrows any other error. */
export const databaseProblem = (where: string, error: unknown): ImportItem => {
  if (!(error instanceof UnreadableDatabase)) throw error;
  return problemAt(where, `the database cannot be read: ${error.message}`);
};

/** Checks the first bytes of the file. */
export const isSqliteFile = (file: string): boolean =>
  readBeginning(file, 16).toString('latin1') === 'SQLite format 3\0';

/** Throws UnreadableDatabase. */
export const openForeign = (file: string): ForeignDatabase => {
  const opened = attempt(() => openCopy(file));
  const { database } = opened;
  const close = (): void => {
    database.close();
    opened.discard();
  };
  try {
    return {
      tables: attempt(() => listTables(database)),
      rows: (table, columns) => readRows(database, table, columns),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

const attempt = <Value>(read: () => Value): Value => {
  try {
    return read();
  } catch (cause) {
    throw new UnreadableDatabase(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

type Opened = { readonly database: Database.Database; readonly discard: () => void };

const sideFiles = ['', '-wal', '-journal'] as const;
const copyAttempts = 3;

/**
 * Opens a copy, so that neither the database nor the files beside it change: SQLite creates the `-shm` file of a WAL
 * database even for a reader, and a reader cannot roll back an interrupted write.
 */
const openCopy = (given: string): Opened => {
  // SQLite keeps its other files beside the target of a link.
  const file = realpathSync(given);
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-sqlite-'));
  const discard = (): void => rmSync(folder, { recursive: true, force: true });
  const copy = join(folder, 'copy.db');
  try {
    for (let round = 0; !copyFiles(file, copy); round += 1) {
      if (round === copyAttempts)
        throw new UnreadableDatabase('another program keeps writing to it; end that program, then import again');
    }
    // The copy may be written to, so SQLite can recover an interrupted write in it.
    const database = new Database(copy, { fileMustExist: true });
    database.pragma('trusted_schema = OFF');
    return { database, discard };
  } catch (error) {
    discard();
    throw error;
  }
};

/** Returns false if the database's program wrote in between: the copies then don't belong together. */
const copyFiles = (file: string, copy: string): boolean => {
  const before = describeFiles(file);
  for (const end of sideFiles) {
    rmSync(`${copy}${end}`, { force: true });
    if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`);
  }
  return describeFiles(file) === before;
};

const describeFiles = (file: string): string =>
  sideFiles
    .map((end): Stats | undefined => statSync(`${file}${end}`, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.size}:${stats?.mtimeMs}`)
    .join(' ');

const listTables = (database: Database.Database): readonly ForeignTable[] =>
  database
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => ({
      name,
      columns: new Set(
        database
          .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
          .all(name)
          .map((column) => column.name.toLowerCase()),
      ),
    }));

function* readRows(
  database: Database.Database,
  { name, columns }: ForeignTable,
  wanted: readonly string[],
): Generator<ForeignRow> {
  const there = wanted.filter((column) => columns.has(column));
  if (there.length === 0) return;
  const order = columns.has('id') ? ' ORDER BY "id"' : '';
  const selected = there.map((column) => `${quote(column)} AS ${quote(column)}`).join(', ');
  const sql = `SELECT ${selected} FROM ${quote(name)}${order}`;
  const rows = attempt(() => database.prepare<[], ForeignRow>(sql).iterate());
  try {
    for (let next = attempt(() => rows.next()); next.done !== true; next = attempt(() => rows.next())) yield next.value;
  } finally {
    // An unfinished iterator would keep the database from being closed.
    rows.return?.();
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
