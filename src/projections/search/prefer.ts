/** A search over all projects that ranks one project's notes before equally good ones of others. */
import type Database from 'better-sqlite3';
import { type Ranking, type SearchQuery, searchNotes } from './search.js';

/** If the query asks for one project alone, there is nothing to prefer. */
export const searchPreferring = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
): Ranking => searchNotes(database, query.filter.project === undefined ? { ...query, preferred } : query);
