/** What an index file reflects: the schema number of its tables, and the commit of each journal. */
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
/** Raised with every change that gives a projection other rows or tables. */
export const tableVersions = { index: 14, history: 4, prints: 7 } as const;

/** Raised when the tables change but no digest does: raising a projection's version would make digests incomparable. */
const tablesOnly = 6;

/** A different number forces a replay into a new file. Add a removed projection's last version: none may recur. */
export const schemaNumber = Object.values<number>(tableVersions).reduce((sum, version) => sum + version, tablesOnly);
