/** SHA-256 of a projection's canonical dump: equal digests mean equal views, whatever way they came about. */

import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { JournalName } from '../events/note/note.js';

export type Digests = {
  /** Of the portable journal: equal on all machines that share its head. */
  readonly digest: string;
  /** Of the machine-local journal. */
  readonly localDigest: string;
};

export const digestsOf = (database: Database.Database): Digests => ({
  digest: journalDigest(database, 'memory'),
  localDigest: journalDigest(database, 'local'),
});

/** Of what both journals make together: visibility, tags and the full-text terms. Costs a pass over all terms. */
export const sharedDigestOf = (database: Database.Database): string => digestOf(database, sharedQueries, []);

const journalDigest = (database: Database.Database, journal: JournalName): string =>
  digestOf(database, journalQueries, [journal]);

// Rows in an order that depends only on their content: never a rowid, which tells the order of arrival.
const journalQueries = [
  `SELECT json_array(path, blob, id, type, title, project, machine_id, user_id, workspace_id, source, confidence, model,
     session, created_at, updated_at, expires_at, agent, importance, sensitive, source_key, tags, keywords, units,
     reflected)
   FROM notes WHERE journal = ? ORDER BY path`,
  'SELECT json_array(path, blob, code, line, key, message) FROM skipped WHERE journal = ? ORDER BY path',
  `SELECT json_array(depth, id, kind, at, machine, subject, command_id, details) FROM events
   WHERE journal = ? ORDER BY depth, id, commit_id`,
  `SELECT json_array(e.id, n.note) FROM event_notes n JOIN events e ON e.rowid = n.event
   WHERE e.journal = ? ORDER BY e.id, n.note`,
];

const sharedQueries = [
  'SELECT json_array(journal, path, shadowed, superseded_by) FROM notes ORDER BY journal, path',
  `SELECT json_array(t.tag, n.journal, n.path) FROM tags t JOIN notes n ON n.rowid = t.note
   ORDER BY t.tag, n.journal, n.path`,
  'SELECT json_array(older, newer) FROM supersedes ORDER BY older, newer',
  'SELECT json_array(older, newer) FROM proposals ORDER BY older, newer',
  'SELECT json_array(original, copy) FROM conflicts ORDER BY original, copy',
  'SELECT json_array(term, doc, cnt) FROM terms ORDER BY term',
];

const rowsPerUpdate = 512;

const digestOf = (database: Database.Database, queries: readonly string[], args: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const query of queries) {
    let part: unknown[] = [];
    for (const row of database
      .prepare(query)
      .pluck()
      .iterate(...args)) {
      part.push(row);
      if (part.length === rowsPerUpdate) {
        hash.update(`${part.join('\n')}\n`);
        part = [];
      }
    }
    hash.update(`${part.join('\n')}\n\0`);
  }
  return hash.digest('hex');
};
