/**
 * Index files and which of them is current; new-generation.ts makes them. A replay, a damaged file and a file of
 * another version all lead to the same step: a new generation is built beside the old one and a pointer moves. Nothing
 * is renamed over an open database, and a name is never used twice, so no `-wal` can meet a file it does not belong to.
 */

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isDenied } from '../events/environment-faults.js';
import { firstBytes } from '../events/worktree/first-bytes.js';
import { readDatabaseBytes } from '../state/opening-databases.js';
import { schemaNumber } from './checkpoint.js';

/** The index can't be used and must be rebuilt. */
export class IndexUnusable extends Error {
  readonly code = 'index-unusable';
}

export const pointerName = `current-v${schemaNumber}`;
/** Each version of the tables has its own files, so that two versions of the program can alternate on one store. */
export const namePrefix = `v${schemaNumber}-`;
const isGeneration = (name: string): boolean =>
  name.startsWith(namePrefix) && /^\d{6}\.db$/.test(name.slice(namePrefix.length));

/** Path of the current index, or undefined if there is none. */
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

/**
 * Loads the index into memory, for a machine that may read the file but not open it: SQLite wants to write beside it.
 * Writes to the copy are lost. Returns undefined when the file can't be read, is damaged or is of another version.
 */
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
 * Returns an IndexUnusable for damage, which shows as one of a few SQLite codes, and for a missing table; returns any
 * other error as it is. A full disk or a file that may not be written is not damage: a new index would fare no better.
 * `file` is the one that was opened.
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
