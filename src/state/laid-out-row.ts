/** What was last laid out at a path, for a reader that opens no state.db otherwise. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type BlobId, type JournalName, journalFolder } from '../events/note/note.js';

/**
 * Undefined where nothing was, and where state.db can't be asked: the reader is answered all the same. Changes nothing and
 * makes no file.
 */
export const readLaidOutBlob = (home: string, journal: JournalName, path: string): BlobId | undefined => {
  try {
    const database = new Database(join(home, 'state.db'), { readonly: true, fileMustExist: true, timeout: busyMs });
    try {
      const row = database
        .prepare<[string, string], { blob: BlobId }>('SELECT blob FROM files WHERE journal = ? AND path = ?')
        .get(journalFolder[journal], path);
      return row?.blob;
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
};

const busyMs = 500;
