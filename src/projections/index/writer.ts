/** Puts rows into the index, one note at a time; knows nothing of where they come from. */
import type Database from 'better-sqlite3';
import type { RecordedEvent } from '../../events/event.js';
import { parseTime } from '../../events/time.js';
import type { NoteRow, Projected } from './row.js';
import { parseTexts } from './texts.js';
import { findSuperseded, type SupersedingNote } from './visibility.js';

export type IndexWriter = {
  /** Adds a row for a path that has none. */
  insert(projected: Projected): void;
  /** Removes what stands at the path; answers the ids whose visibility may have changed. */
  remove(journal: string, path: string): readonly string[];
  /** `repeats` is the id that its commit claims, where another commit is that event. */
  addEvent(event: RecordedEvent & { readonly repeats?: string }): void;
  /** Removes the row of a commit that is not part of the history any more. */
  removeEvent(journal: string, commit: string, notes: readonly string[]): void;
  /** How many commits of the journal carry this event id. */
  countCommits(journal: string, id: string): number;
  /** Recomputes which notes are shadowed or superseded, for these ids and all they are connected with. */
  refresh(ids: readonly string[]): void;
  /** The same for the whole index, after a replay. */
  refreshAll(): void;
  setMeta(key: string, value: string): void;
};

/** `bulk` puts off what is cheaper to do once for all rows; `refreshAll` does it then. */
export const openWriter = (database: Database.Database, bulk = false): IndexWriter => {
  const laterTags: Later[] = [];
  const laterEventNotes: Later[] = [];
  const insertNote = database.prepare(
    `INSERT INTO notes (journal, path, blob, id, type, title, project, machine_id, user_id, workspace_id, source,
       confidence, model, session, created_at, updated_at, expires_at, agent, importance, sensitive, source_key,
       tags, keywords, units, reflected)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertText = database.prepare('INSERT INTO fts (rowid, title, body, tags, keywords) VALUES (?, ?, ?, ?, ?)');
  const insertTag = database.prepare('INSERT OR IGNORE INTO tags (tag, note) VALUES (?, ?)');
  const insertSupersedes = database.prepare('INSERT INTO supersedes (older, newer, note) VALUES (?, ?, ?)');
  const insertProposal = database.prepare('INSERT INTO proposals (older, newer, note) VALUES (?, ?, ?)');
  const insertConflict = database.prepare('INSERT INTO conflicts (original, copy, note) VALUES (?, ?, ?)');
  const insertSkipped = database.prepare(
    'INSERT OR REPLACE INTO skipped (journal, path, blob, code, line, key, message) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const rowAt = database.prepare<[string, string], { rowid: number; id: string; tags: string }>(
    'SELECT rowid, id, tags FROM notes WHERE journal = ? AND path = ?',
  );
  const olderOf = database.prepare<[number], { older: string }>('SELECT older FROM supersedes WHERE note = ?');
  // FTS5 rows are removed by rowid, since every other condition reads the whole table.
  const removals = [
    'notes WHERE rowid',
    'fts WHERE rowid',
    'supersedes WHERE note',
    'proposals WHERE note',
    'conflicts WHERE note',
  ].map((from) => database.prepare<[number]>(`DELETE FROM ${from} = ?`));
  const removeTag = database.prepare<[string, number]>('DELETE FROM tags WHERE tag = ? AND note = ?');
  const removeSkipped = database.prepare<[string, string]>('DELETE FROM skipped WHERE journal = ? AND path = ?');
  const insertEvent = database.prepare(
    `INSERT INTO events (journal, commit_id, depth, repeats, id, kind, at, machine, subject, notes, command_id, move, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertEventNote = database.prepare('INSERT OR IGNORE INTO event_notes (note, event) VALUES (?, ?)');
  const eventOfCommit = database.prepare<[string, string], { rowid: number }>(
    'SELECT rowid FROM events WHERE commit_id = ? AND journal = ?',
  );
  const deleteEvent = database.prepare<[number]>('DELETE FROM events WHERE rowid = ?');
  const deleteEventNote = database.prepare<[string, number]>('DELETE FROM event_notes WHERE note = ? AND event = ?');
  const commitsOf = database.prepare<[string, string, string, string], { count: number }>(
    `SELECT (SELECT count(*) FROM events WHERE id = ? AND journal = ?)
       + (SELECT count(*) FROM events WHERE repeats = ? AND journal = ?) AS count`,
  );
  const setMeta = database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');

  const copies = database.prepare<[string], { rowid: number; shadowed: number }>(
    "SELECT rowid, shadowed FROM notes WHERE id = ? ORDER BY journal = 'memory', updated_at DESC, path",
  );
  const setShadowed = database.prepare<[number, number]>('UPDATE notes SET shadowed = ? WHERE rowid = ?');
  const winner = database.prepare<[string], { rowid: number; updated_at: number }>(
    'SELECT rowid, updated_at FROM notes WHERE id = ? AND shadowed = 0',
  );
  const newerThan = database.prepare<[string], { newer: string }>(
    'SELECT DISTINCT newer FROM supersedes WHERE older = ?',
  );
  // A file that came beside the one that is shown may not say so yet, and one that is right need not be written.
  const setSuperseded = database.prepare<[string | null, string, string | null]>(
    'UPDATE notes SET superseded_by = ? WHERE id = ? AND superseded_by IS NOT ?',
  );

  const insertRow = (row: NoteRow): void => {
    const { lastInsertRowid } = insertNote.run(
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
    );
    insertText.run(lastInsertRowid, row.title, row.body, row.tags.join(' '), row.keywords.join(' '));
    for (const tag of row.tags) {
      if (bulk) laterTags.push({ key: tag.toLowerCase(), row: lastInsertRowid });
      else insertTag.run(tag.toLowerCase(), lastInsertRowid);
    }
    for (const older of row.supersedes) insertSupersedes.run(older, row.id, lastInsertRowid);
    for (const older of row.proposes) insertProposal.run(older, row.id, lastInsertRowid);
    if (row.conflictsWith !== null) insertConflict.run(row.conflictsWith, row.id, lastInsertRowid);
  };

  /** All ids connected with these through supersedes, in either direction; the group is small in practice. */
  const groupOf = (ids: readonly string[]): Map<string, SupersedingNote> => {
    const group = new Map<string, SupersedingNote>();
    const seen = new Set(ids);
    const pending = [...ids];
    const visit = (id: string): void => {
      if (seen.has(id)) return;
      seen.add(id);
      pending.push(id);
    };
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      for (const { newer } of newerThan.all(id)) visit(newer);
      const row = winner.get(id);
      if (row === undefined) continue;
      const supersedes = olderOf.all(row.rowid).map(({ older }) => older);
      for (const older of supersedes) visit(older);
      group.set(id, { id, updatedAt: row.updated_at, supersedes });
    }
    return group;
  };

  const refresh = (ids: readonly string[]): void => {
    const distinct = [...new Set(ids)];
    for (const id of distinct) {
      copies.all(id).forEach(({ rowid, shadowed }, at) => {
        const wanted = at === 0 ? 0 : 1;
        if (shadowed !== wanted) setShadowed.run(wanted, rowid);
      });
    }
    const group = groupOf(distinct);
    const superseded = findSuperseded([...group.values()]);
    for (const id of group.keys()) {
      const by = superseded.get(id) ?? null;
      setSuperseded.run(by, id, by);
    }
  };

  return {
    insert(projected) {
      if ('note' in projected) {
        insertRow(projected.note);
        return;
      }
      const { journal, path, blob, code, line, key, message } = projected.skipped;
      insertSkipped.run(journal, path, blob, code, line, key, message);
    },
    remove(journal, path) {
      removeSkipped.run(journal, path);
      const row = rowAt.get(journal, path);
      if (row === undefined) return [];
      const older = olderOf.all(row.rowid).map((found) => found.older);
      for (const tag of parseTexts(row.tags)) removeTag.run(tag.toLowerCase(), row.rowid);
      for (const removal of removals) removal.run(row.rowid);
      return [row.id, ...older];
    },
    addEvent(event) {
      const { journal, commit, depth, id, kind, at, machine, subject, notes, commandId, move } = event;
      const { by, reason, user, project, session, agent, lost, adopted, undoes } = event;
      const { lastInsertRowid } = insertEvent.run(
        journal,
        commit,
        depth,
        event.repeats ?? null,
        id,
        kind,
        Math.floor((parseTime(at) ?? 0) / 1000),
        machine,
        subject,
        notes.length,
        commandId ?? null,
        move ?? null,
        JSON.stringify({ by, reason, user, project, session, agent, move, lost, adopted, undoes }),
      );
      for (const note of notes) {
        if (bulk) laterEventNotes.push({ key: note, row: lastInsertRowid });
        else insertEventNote.run(note, lastInsertRowid);
      }
    },
    removeEvent(journal, commit, notes) {
      const row = eventOfCommit.get(commit, journal);
      if (row === undefined) return;
      for (const note of notes) deleteEventNote.run(note, row.rowid);
      deleteEvent.run(row.rowid);
    },
    countCommits: (journal, id) => commitsOf.get(id, journal, id, journal)?.count ?? 0,
    refresh,
    refreshAll() {
      // In the order of the table's key, which then grows at its end only.
      insertPairs(database, 'tags (tag, note)', laterTags.splice(0));
      insertPairs(database, 'event_notes (note, event)', laterEventNotes.splice(0));
      const shared = database.prepare<[], { id: string }>('SELECT id FROM notes GROUP BY id HAVING count(*) > 1').all();
      const linked = database.prepare<[], { id: string }>('SELECT older AS id FROM supersedes').all();
      refresh([...shared, ...linked].map(({ id }) => id));
    },
    setMeta: (key, value) => {
      setMeta.run(key, value);
    },
  };
};

/** A row of a table that is filled in the order of its key, once all rows are known. */
type Later = { readonly key: string; readonly row: number | bigint };

/** One statement for thousands of rows: handing them over as JSON costs a third of running an insert for each. */
const insertPairs = (database: Database.Database, into: string, pairs: Later[]): void => {
  const insert = database.prepare<[string]>(
    `INSERT OR IGNORE INTO ${into} SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
  );
  pairs.sort(byKey);
  for (let at = 0; at < pairs.length; at += pairsPerInsert) {
    insert.run(JSON.stringify(pairs.slice(at, at + pairsPerInsert).map(({ key, row }) => [key, Number(row)])));
  }
};

const pairsPerInsert = 10_000;

const byKey = (a: Later, b: Later): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : Number(a.row) - Number(b.row));
