/** Inserts notes into the index and removes them, one file at a time, wherever they come from. */
import type Database from 'better-sqlite3';
import { composeMarks } from '../../events/normal-form.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { type NoteRow, type SkippedRow, searchedPart } from '../note-row.js';
import { gatherPairs, parseTexts, prepared, reverseText } from '../prepared.js';
import type { ProjectionWriter, Way } from '../projection.js';
import { olderThan, refresh, refreshAll } from './refresh.js';
import { openTextTotals, type TextTotals } from './text-totals.js';

export const beginIndex = (database: Database.Database, way: Way): ProjectionWriter => {
  const isReplay = way === 'replay';
  const tags = gatherPairs(database, 'tags (tag, note)');
  /** Ids of notes whose being shadowed or superseded may have changed. */
  const touched = new Set<NoteId>();
  const totals = openTextTotals(database);
  if (isReplay) setHashBytes(database, replayHashBytes);
  return {
    insert(projected) {
      if ('skipped' in projected) {
        insertSkipped(database, projected.skipped);
        return;
      }
      const { note } = projected;
      const rowid = insertRow(database, note);
      for (const tag of note.tags) {
        if (isReplay) tags.add({ key: tag.toLowerCase(), row: rowid });
        else insertTag(database).run(tag.toLowerCase(), rowid);
      }
      if (!isReplay) for (const id of [note.id, ...note.supersedes]) touched.add(id);
    },
    remove(journal, path) {
      for (const id of removeRow(database, totals, journal, path)) touched.add(id);
    },
    finish() {
      if (!isReplay) {
        refresh(database, touched);
        totals.finish();
        return;
      }
      tags.finish();
      refreshAll(database);
      setHashBytes(database, usualHashBytes);
    },
  };
};

/** Bytes of terms that FTS5 holds before it writes a segment: in a replay, writing costs more than memory. */
const replayHashBytes = 64 * 1024 * 1024;
const usualHashBytes = 1024 * 1024;

/** The number is part of the SQL: a bound number is a REAL, which FTS5 refuses here. */
const setHashBytes = (database: Database.Database, bytes: number): void => {
  database.exec(`INSERT INTO fts (fts, rank) VALUES ('hashsize', ${bytes})`);
};

const insertRow = (database: Database.Database, row: NoteRow): number | bigint => {
  const { lastInsertRowid: rowid } = insertNote(database).run(
    row.journal,
    row.path,
    row.blob,
    row.id,
    row.type,
    row.title,
    row.project,
    row.machineId,
    row.userId,
    row.workspaceId,
    row.source,
    row.confidence,
    row.model,
    row.session,
    row.createdAt,
    row.updatedAt,
    row.expiresAt,
    row.agent,
    row.importance,
    row.sensitive,
    row.sourceKey,
    JSON.stringify(row.tags),
    JSON.stringify(row.keywords),
    row.body.length,
    row.tags.some((tag) => tag.toLowerCase() === 'reflected') ? 1 : 0,
    reverseText(row.id),
    row.untrusted,
  );
  // Composed, like queries: FTS5 reads й in two characters as и.
  const texts = [row.title, searchedPart(row.body), row.tags.join(' '), row.keywords.join(' ')].map(composeMarks);
  insertText(database).run(rowid, ...texts, row.parts);
  for (const older of row.supersedes) insertSupersedes(database).run(older, row.id, rowid);
  for (const older of row.proposes) insertProposal(database).run(older, row.id, rowid);
  if (row.conflictsWith !== null) insertConflict(database).run(row.conflictsWith, row.id, rowid);
  return rowid;
};

const insertSkipped = (database: Database.Database, row: SkippedRow): void => {
  replaceSkipped(database).run(row.journal, row.path, row.blob, row.code, row.line, row.key, row.message);
};

/** Returns the ids of the removed note and of those that it superseded. */
const removeRow = (
  database: Database.Database,
  totals: TextTotals,
  journal: JournalName,
  path: string,
): readonly NoteId[] => {
  deleteSkipped(database).run(journal, path);
  const row = selectRow(database).get(journal, path);
  if (row === undefined) return [];
  const older = olderThan(database, row.rowid);
  for (const tag of parseTexts(row.tags)) deleteTag(database).run(tag.toLowerCase(), row.rowid);
  totals.forget(row.rowid);
  for (const deletion of deletions) deletion(database).run(row.rowid);
  return [row.id, ...older];
};

const insertNote = prepared<(string | number | null)[], unknown>(
  `INSERT INTO notes (journal, path, blob, id, type, title, project, machine_id, user_id, workspace_id, source,
     confidence, model, session, created_at, updated_at, expires_at, agent, importance, sensitive, source_key,
     tags, keywords, units, reflected, reversed_id, untrusted)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const insertText = prepared<(string | number | bigint)[], unknown>(
  'INSERT INTO fts (rowid, title, body, tags, keywords, parts) VALUES (?, ?, ?, ?, ?, ?)',
);
const insertTag = prepared<[string, number | bigint], unknown>('INSERT OR IGNORE INTO tags (tag, note) VALUES (?, ?)');
type Link = [from: NoteId, to: NoteId, row: number | bigint];
const insertSupersedes = prepared<Link, unknown>('INSERT INTO supersedes (older, newer, note) VALUES (?, ?, ?)');
const insertProposal = prepared<Link, unknown>('INSERT INTO proposals (older, newer, note) VALUES (?, ?, ?)');
const insertConflict = prepared<Link, unknown>('INSERT INTO conflicts (original, copy, note) VALUES (?, ?, ?)');
const replaceSkipped = prepared<(string | number | null)[], unknown>(
  'INSERT OR REPLACE INTO skipped (journal, path, blob, code, line, key, message) VALUES (?, ?, ?, ?, ?, ?, ?)',
);
const selectRow = prepared<[JournalName, string], { rowid: number; id: NoteId; tags: string }>(
  'SELECT rowid, id, tags FROM notes WHERE journal = ? AND path = ?',
);
// FTS5 rows are removed by rowid, since any other condition reads the whole table.
const deletions = [
  'notes WHERE rowid',
  'fts WHERE rowid',
  'supersedes WHERE note',
  'proposals WHERE note',
  'conflicts WHERE note',
].map((from) => prepared<[number], unknown>(`DELETE FROM ${from} = ?`));
const deleteTag = prepared<[string, number], unknown>('DELETE FROM tags WHERE tag = ? AND note = ?');
const deleteSkipped = prepared<[JournalName, string], unknown>('DELETE FROM skipped WHERE journal = ? AND path = ?');
