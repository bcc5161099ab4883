/**
 * Index files and which of them is current. A replay, a damaged file and a file of another version all end alike: a
 * new generation is built beside the old one and a pointer moves. Nothing is renamed over an open database, and a name
 * is never used twice, so no `-wal` can meet a file it does not belong to.
 */

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { indexVersion, tables } from './schema.js';

/** The index can't be used as it is: build it again. */
export class IndexUnusable extends Error {
  readonly code = 'index-unusable';
}

const pointerName = `current-v${indexVersion}`;
const generationName = /^\d{6}\.db$/;

/** Path of the current index, undefined when there is none. */
export const currentGeneration = (folder: string): string | undefined => {
  try {
    const name = readFileSync(join(folder, pointerName), 'utf8').trim();
    return generationName.test(name) ? join(folder, name) : undefined;
  } catch {
    return undefined;
  }
};

/** Opens an index that exists. Throws IndexUnusable when it is gone, damaged or of another version. */
export const openGeneration = (file: string): Database.Database => {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { fileMustExist: true, timeout: 10_000 });
    const version = database.pragma('user_version', { simple: true });
    if (version !== indexVersion)
      throw new IndexUnusable(`the index has version ${String(version)}, not ${indexVersion}`);
    database.pragma('synchronous = NORMAL');
    return database;
  } catch (error) {
    database?.close();
    throw asUnusable(error);
  }
};

/** Begins an empty index that nobody else sees until it is published. Not durable and without a journal while it grows. */
export const beginGeneration = (folder: string): { readonly file: string; readonly database: Database.Database } => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const used = readdirSync(folder).filter((name) => /^\d{6}\.db/.test(name));
    const next = Math.max(0, ...used.map((name) => Number(name.slice(0, 6)))) + 1;
    const file = join(folder, `${String(next).padStart(6, '0')}.db`);
    try {
      closeSync(openSync(file, 'wx', 0o600));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    const database = new Database(file);
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('cache_size = -65536');
    database.exec(tables);
    database.pragma(`user_version = ${indexVersion}`);
    return { file, database };
  }
};

/** Closes the new index, makes it durable and current, and removes the others as far as nobody holds them. */
export const publishGeneration = (folder: string, file: string, database: Database.Database): void => {
  finishGeneration(file, database);
  const temporary = join(folder, `${pointerName}.${process.pid}.tmp`);
  writeFileSync(temporary, `${file.slice(-9)}\n`, { mode: 0o600 });
  renameSync(temporary, join(folder, pointerName));
  const current = file.slice(-9);
  for (const name of readdirSync(folder)) {
    if (/^\d{6}\.db/.test(name) && name.slice(0, 6) < current.slice(0, 6)) rmSync(join(folder, name), { force: true });
  }
};

/** Closes a new index so that others can open it; it stays unpublished. */
export const finishGeneration = (file: string, database: Database.Database): void => {
  database.pragma('locking_mode = NORMAL');
  database.pragma('journal_mode = WAL');
  database.close();
  const handle = openSync(file, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

export const discardGeneration = (file: string, database: Database.Database): void => {
  database.close();
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
};

/** Damage shows as one of a few SQLite codes, or as a table that is not there; anything else is passed on. */
export const asUnusable = (error: unknown): unknown => {
  if (error instanceof Database.SqliteError) {
    const { code, message } = error;
    const damaged = code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_IOERR');
    const missing =
      code === 'SQLITE_CANTOPEN' ||
      /no such (?:table|column)|unable to open|malformed|vtable constructor/.test(message);
    if (damaged || missing) return new IndexUnusable(message, { cause: error });
  }
  return error;
};
