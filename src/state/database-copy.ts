/**
 * Reads an SQLite database in WAL mode where SQLite can't: on a full or read-only disk it can't create the shared
 * memory file that it needs beside the database, even to read.
 */
import { readFileSync } from 'node:fs';

/**
 * Returns the database as of its last checkpoint, ready to be opened from memory: what its write-ahead log holds since
 * then is left out, so it may be older than the journal. Undefined if there is no such file or it may not be read.
 */
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
