/** The commit of each journal that all projections reflect. */
import type Database from 'better-sqlite3';
import type { JournalName } from '../events/note/note.js';
import { prepared } from './prepared.js';

export const checkpointTable = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;';

export const checkpointOf = (database: Database.Database, journal: JournalName): string | undefined =>
  selectMeta(database).get(keyOf(journal))?.value;

/** Call it in the transaction that writes the rows. */
export const setCheckpoint = (database: Database.Database, journal: JournalName, commit: string): void => {
  replaceMeta(database).run(keyOf(journal), commit);
};

const keyOf = (journal: JournalName): string => `checkpoint:${journal}`;

const selectMeta = prepared<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
const replaceMeta = prepared<[string, string], unknown>('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
