/**
 * Index files and which one is current. Replay, damage or another version: a new file is built beside the old one, and
 * a pointer moves. Nothing is renamed over an open database, no name used twice: no `-wal` meets a foreign file.
 */

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isDenied } from '../events/environment-faults.js';
import { firstBytes } from '../events/worktree/first-bytes.js';
import { readDatabaseBytes } from '../state/opening-databases.js';
import { schemaNumber } from './checkpoint.js';

export class IndexUnusable extends Error {
  readonly code = 'index-unusable';
}

export const pointerName = `current-v${schemaNumber}`;
/** Each version of the tables has its own files, so that two versions of the program can alternate on one store. */
export const namePrefix = `v${schemaNumber}-`;
const isGeneration = (name: string): boolean =>
  name.startsWith(namePrefix) && /^\d{6}\.db$/.test(name.slice(namePrefix.length));

export const currentGeneration = (folder: string): string | undefined => {
  const name = firstBytes(join(folder, pointerName), maxPointerBytes)?.toString('latin1').trim() ?? '';
  return isGeneration(name) ? join(folder, name) : undefined;
};
/** More than any pointer file has. */
const maxPointerBytes = 64;

/** Opens an existing index. Throws IndexUnusable when it is missing, damaged or of another version. */
export const openGeneration = (file: string): Database.Database => {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { fileMustExist: true, timeout: 10_000 });
    const version = database.pragma('user_version', { simple: true });
    if (version !== schemaNumber)
      throw new IndexUnusable(`the index has version ${String(version)}, not ${schemaNumber}`);
    database.pragma('synchronous = NORMAL');
    return database;
  } catch (error) {
    database?.close();
    throw asUnusable(error, file);
  }
};

/** Copies it into memory, for a machine that may only read: SQLite writes beside it. Undefined if it is unusable. */
export const copyGeneration = (file: string): Database.Database | undefined => {
  const bytes = readDatabaseBytes(file);
  if (bytes === undefined) return undefined;
  const database = new Database(bytes);
  try {
    if (database.pragma('user_version', { simple: true }) === schemaNumber) return database;
  } catch {
    // Damaged: openGeneration reports it.
  }
  database.close();
  return undefined;
};

/**
 * An IndexUnusable for damage (a few SQLite codes) and for a missing table; other errors as they are: with a full disk,
 * a new index would fare no better. `file` is the one that was opened.
 */
export const asUnusable = (error: unknown, file?: string): unknown => {
  if (error instanceof Database.SqliteError) {
    const { code, message } = error;
    const isRead = code.startsWith('SQLITE_IOERR') && !isDenied(error);
    const damaged = code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || isRead;
    const missing =
      (code.startsWith('SQLITE_CANTOPEN') && (file === undefined || !isReadable(file))) ||
      /no such (?:table|column)|malformed|vtable constructor/.test(message);
    if (damaged || missing) return new IndexUnusable(message, { cause: error });
  }
  return error;
};

const isReadable = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};
