/** SHA-256 of a projection's canonical dump: equal digests mean equal views, whatever way they came about. */
import type Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import type { JournalName } from '../events/note.js';

export type Digests = {
  /** Of the portable journal: equal on all machines that share its head. */
  readonly digest: string;
  /** Of the machine-local journal. */
  readonly localDigest: string;
  /** Of what both journals make together: visibility, tags and the full-text terms. */
  readonly sharedDigest: string;
};

export const digestsOf = (database: Database.Database): Digests => ({
  digest: journalDigest(database, 'memory'),
  localDigest: journalDigest(database, 'local'),
  sharedDigest: sharedDigest(database),
});

// Rows in an order that depends only on their content: never a rowid, which tells the order of arrival.
const journalQueries = [
  `SELECT path, blob, id, type, title, project, machine_id, user_id, workspace_id, source, confidence, model, session,
     created_at, updated_at, expires_at, agent, importance, sensitive, source_key, tags, keywords, units, reflected
   FROM notes WHERE journal = ? ORDER BY path`,
  'SELECT path, blob, code, line, key, message FROM skipped WHERE journal = ? ORDER BY path',
  `SELECT depth, id, kind, at, machine, subject, command_id, details FROM events
   WHERE journal = ? ORDER BY depth, id, commit_id`,
  `SELECT e.id, n.note FROM event_notes n JOIN events e ON e.rowid = n.event WHERE e.journal = ? ORDER BY e.id, n.note`,
];

const sharedQueries = [
  'SELECT journal, path, shadowed, superseded_by FROM notes ORDER BY journal, path',
  'SELECT t.tag, n.journal, n.path FROM tags t JOIN notes n ON n.rowid = t.note ORDER BY t.tag, n.journal, n.path',
  'SELECT older, newer FROM supersedes ORDER BY older, newer',
  'SELECT term, doc, cnt FROM terms ORDER BY term',
];

const journalDigest = (database: Database.Database, journal: JournalName): string => {
  const hash = createHash('sha256');
  for (const query of journalQueries) addRows(hash, database.prepare(query).raw().iterate(journal));
  return hash.digest('hex');
};

const sharedDigest = (database: Database.Database): string => {
  const hash = createHash('sha256');
  for (const query of sharedQueries) addRows(hash, database.prepare(query).raw().iterate());
  return hash.digest('hex');
};

const addRows = (hash: ReturnType<typeof createHash>, rows: IterableIterator<unknown>): void => {
  let part: string[] = [];
  for (const row of rows) {
    part.push(JSON.stringify(row));
    if (part.length === 512) {
      hash.update(`${part.join('\n')}\n`);
      part = [];
    }
  }
  hash.update(`${part.join('\n')}\n\0`);
};
