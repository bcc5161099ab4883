/** Opens databases of other programs for reading, and reads their values, whatever types SQLite let them store. */
import Database from 'better-sqlite3';
import { type ImportItem, parseForeignTime, problemAt } from '../../commands/foreign-note.js';
import { isWritableTime } from '../../events/time.js';
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

/** Opens it for reading alone, as of this moment, beside the program that writes to it. Throws UnreadableDatabase. */
export const openForeign = (file: string): ForeignDatabase => {
  const database = attempt(() => new Database(file, { readonly: true, fileMustExist: true, timeout: lockedMs }));
  try {
    database.pragma('trusted_schema = OFF');
    attempt(() => database.exec('BEGIN'));
    return {
      tables: attempt(() => listTables(database)),
      rows: (table, columns) => readRows(database, table, columns),
      close: () => void database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** How long it waits for a program that has the whole file locked. */
const lockedMs = 1000;

const attempt = <Value>(read: () => Value): Value => {
  try {
    return read();
  } catch (cause) {
    throw new UnreadableDatabase(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

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
/** Limit for a note's text, the same as for a memory file. */
const maxRowUnits = 1024 * 1024;

/** Returns why the row cannot become a note; undefined when it can. */
export const findBadValue = (row: ForeignRow): string | undefined => {
  let units = 0;
  for (const [column, value] of Object.entries(row)) {
    if (Buffer.isBuffer(value)) return `${column} is not text`;
    if (typeof value !== 'string') continue;
    if (value.includes('\0')) return `${column} has a NUL character`;
    units += value.length;
  }
  return units > maxRowUnits ? `its text has ${units} characters` : undefined;
};

/** Returns the trimmed text, or the digits of a number; undefined when there is none. */
export const textOf = (row: ForeignRow, column: string): string | undefined => {
  const value = row[column];
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
  return text === '' ? undefined : text;
};

export const numberOf = (row: ForeignRow, column: string): number | undefined => {
  const value = row[column];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Returns epoch milliseconds from the first column that has an ISO text or an epoch in seconds or milliseconds. */
export const timeOf = (row: ForeignRow, columns: readonly string[]): number | undefined =>
  columns
    .map((column) => {
      const epoch = numberOf(row, column);
      if (epoch === undefined) return parseForeignTime(textOf(row, column) ?? '');
      const time = epoch < firstMillisecondEpoch ? epoch * 1000 : epoch;
      return epoch > 0 && isWritableTime(time) ? time : undefined;
    })
    .find((time) => time !== undefined);

/** In seconds this is the year 5138, in milliseconds March 1973. */
const firstMillisecondEpoch = 1e11;

/** Returns the texts of a JSON list; any other text is the only entry. */
export const listOf = (row: ForeignRow, column: string): readonly string[] => {
  const text = textOf(row, column);
  if (text === undefined) return [];
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return [text];
  return parsed.flatMap((entry: unknown) =>
    typeof entry === 'string' && entry.trim() !== ''
      ? [entry.trim()]
      : typeof entry === 'number'
        ? [String(entry)]
        : [],
  );
};

/** Returns undefined unless the text is a JSON list or object. */
const parseJson = (text: string): unknown => {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
