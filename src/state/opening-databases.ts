/** Databases of this machine: their statements, and opening one at the same moment as another process or on a full disk. */
import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** As of its last checkpoint, so perhaps older than the journal, to open from memory. Undefined if unreadable. */
export const readDatabaseBytes = (file: string): Buffer | undefined => {
  try {
    const database = readFileSync(file);
    if (database.length < headerBytes) return undefined;
    // A database in memory has no log: these bytes of the header say which mode it is in.
    database[18] = 1;
    database[19] = 1;
    return database;
  } catch {
    return undefined;
  }
};

const headerBytes = 100;
const longestMs = 10_000;
const pauseMs = 5;

/** For where SQLite doesn't wait by itself: changing a new file's journal mode. Blocks the thread, as SQLite does. */
export const retryWhileBusy = <Answer>(attempt: () => Answer): Answer => {
  const deadlineMs = Date.now() + longestMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadlineMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs * (1 + Math.random()));
    }
  }
};

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');

export type SqlValue = string | number;

/** A database whose statements are prepared when they are first used, because hooks wait for this. */
export class Statements {
  private readonly known = new Map<string, Database.Statement<SqlValue[]>>();

  constructor(protected readonly database: Database.Database) {}

  /** Returns the number of rows that changed. */
  protected run(sql: string, ...args: readonly SqlValue[]): number {
    return this.prepare(sql).run(...args).changes;
  }

  protected text(sql: string, ...args: readonly SqlValue[]): string | undefined {
    return this.texts(sql, ...args)[0];
  }

  protected number(sql: string, ...args: readonly SqlValue[]): number {
    const [found] = this.column(sql, args);
    return typeof found === 'number' ? found : 0;
  }

  protected texts(sql: string, ...args: readonly SqlValue[]): readonly string[] {
    return this.column(sql, args).filter((row) => typeof row === 'string');
  }

  protected atOnce<Result>(run: () => Result): Result {
    return this.database.transaction(run)();
  }

  close(): void {
    this.database.close();
  }

  private column(sql: string, args: readonly SqlValue[]): readonly unknown[] {
    return this.prepare(sql)
      .pluck()
      .all(...args);
  }

  private prepare(sql: string): Database.Statement<SqlValue[]> {
    const known = this.known.get(sql) ?? this.database.prepare<SqlValue[]>(sql);
    this.known.set(sql, known);
    return known;
  }
}
