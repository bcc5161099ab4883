/** The commit of each journal that an index reflects. */
import type Database from 'better-sqlite3';
import type { JournalName } from '../events/note/note.js';
import { prepared } from './index/prepared.js';

export const checkpointOf = (database: Database.Database, journal: JournalName): string | undefined =>
  selectMeta(database).get(checkpointKey(journal))?.value;

export const checkpointKey = (journal: JournalName): string => `checkpoint:${journal}`;

const selectMeta = prepared<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
