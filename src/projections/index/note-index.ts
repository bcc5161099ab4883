/** The index: every note with its full text, tags and links, and every file that is not a readable note. */

import type { Projection } from '../projection.js';
import { tableVersions } from '../schema-number.js';
import { indexIndexes, indexTables } from './schema.js';
import { beginIndex } from './writer.js';

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
