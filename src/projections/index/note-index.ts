/** The index: every note with its full text, tags and links, and every file that is not a readable note. */

import { tableVersions } from '../checkpoint.js';
import type { Projection } from '../projection.js';
import { beginIndex } from './writer.js';

/** Body text is only in the files: the FTS5 table is contentless, and its rowid is that of the note's row. */
export const indexTables = `
  CREATE TABLE notes (
    rowid INTEGER PRIMARY KEY,
    -- Columns that filters use come first: SQLite reads a row only as far as it must.
    shadowed INTEGER NOT NULL DEFAULT 0, superseded_by TEXT, expires_at INTEGER, updated_at INTEGER NOT NULL,
    journal TEXT NOT NULL, type TEXT NOT NULL, project TEXT NOT NULL,
    machine_id TEXT NOT NULL, user_id TEXT NOT NULL, workspace_id TEXT NOT NULL, agent TEXT,
    reflected INTEGER NOT NULL, untrusted INTEGER NOT NULL, confidence REAL NOT NULL,
    id TEXT NOT NULL, path TEXT NOT NULL, blob TEXT NOT NULL, title TEXT NOT NULL,
    source TEXT NOT NULL, model TEXT, session TEXT, created_at INTEGER NOT NULL,
    importance REAL, sensitive INTEGER NOT NULL, source_key TEXT,
    tags TEXT NOT NULL, keywords TEXT NOT NULL, units INTEGER NOT NULL, reversed_id TEXT NOT NULL
  );
  CREATE TABLE tags (tag TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (tag, note)) WITHOUT ROWID;
  CREATE TABLE supersedes (older TEXT NOT NULL, newer TEXT NOT NULL, note INTEGER NOT NULL);
  CREATE TABLE proposals (older TEXT NOT NULL, newer TEXT NOT NULL, note INTEGER NOT NULL);
  CREATE TABLE conflicts (original TEXT NOT NULL, copy TEXT NOT NULL, note INTEGER NOT NULL);
  CREATE TABLE skipped (
    journal TEXT NOT NULL, path TEXT NOT NULL, blob TEXT NOT NULL,
    code TEXT NOT NULL, line INTEGER NOT NULL, key TEXT, message TEXT NOT NULL,
    PRIMARY KEY (journal, path)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE fts USING fts5(
    title, body, tags, keywords, parts, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  -- Term pages nearly as large as SQLite's own: a tenth less time per query than with 1,000 bytes.
  INSERT INTO fts (fts, rank) VALUES ('pgsz', 4050);
  CREATE VIRTUAL TABLE terms USING fts5vocab(fts, row);
`;

export const indexIndexes = `
  CREATE UNIQUE INDEX notes_path ON notes (journal, path);
  CREATE INDEX notes_id ON notes (id);
  CREATE INDEX notes_reversed_id ON notes (reversed_id);
  CREATE INDEX notes_updated ON notes (updated_at, id);
  CREATE INDEX notes_project ON notes (project, updated_at);
  CREATE INDEX notes_source_key ON notes (source_key) WHERE source_key IS NOT NULL;
  CREATE INDEX notes_session ON notes (session) WHERE session IS NOT NULL;
  CREATE INDEX notes_superseded ON notes (superseded_by) WHERE superseded_by IS NOT NULL;
  CREATE INDEX notes_shadowed ON notes (shadowed) WHERE shadowed = 1;
  CREATE INDEX notes_untrusted ON notes (untrusted) WHERE untrusted = 1;
  CREATE INDEX notes_expires ON notes (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX supersedes_older ON supersedes (older);
  CREATE INDEX supersedes_note ON supersedes (note);
  CREATE INDEX proposals_note ON proposals (note);
  CREATE INDEX conflicts_original ON conflicts (original);
  CREATE INDEX conflicts_note ON conflicts (note);
`;

/** Digests name the portable journal by its folder, since renaming it there would change them. */
const folder = "CASE n.journal WHEN 'portable' THEN 'memory' ELSE n.journal END";

export const noteIndex: Projection = {
  name: 'index',
  version: tableVersions.index,
  tables: indexTables,
  indexes: indexIndexes,
  digest: {
    perJournal: [
      `SELECT json_array(path, blob, id, type, title, project, machine_id, user_id, workspace_id, source, confidence, model,
         session, created_at, updated_at, expires_at, agent, importance, sensitive, source_key, tags, keywords, units,
         reflected, untrusted)
       FROM notes WHERE journal = ? ORDER BY path`,
      'SELECT json_array(path, blob, code, line, key, message) FROM skipped WHERE journal = ? ORDER BY path',
    ],
    shared: [
      `SELECT json_array(${folder}, path, shadowed, superseded_by) FROM notes n ORDER BY journal, path`,
      `SELECT json_array(t.tag, ${folder}, n.path) FROM tags t JOIN notes n ON n.rowid = t.note
       ORDER BY t.tag, n.journal, n.path`,
      'SELECT json_array(older, newer) FROM supersedes ORDER BY older, newer',
      'SELECT json_array(older, newer) FROM proposals ORDER BY older, newer',
      'SELECT json_array(original, copy) FROM conflicts ORDER BY original, copy',
      'SELECT json_array(term, doc, cnt) FROM terms ORDER BY term',
    ],
  },
  begin: beginIndex,
};
