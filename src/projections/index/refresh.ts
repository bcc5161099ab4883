/** Updates which rows are shadowed by another file of their note, and which notes are superseded. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { prepared } from '../prepared.js';
import { findSuperseded, type SupersedingNote } from './visibility.js';

/** Updates these notes and all that are connected with them. */
export const refresh = (database: Database.Database, ids: ReadonlySet<NoteId>): void => {
  for (const id of ids) {
    selectCopies(database)
      .all(id)
      .forEach(({ rowid, shadowed }, at) => {
        const wanted = at === 0 ? 0 : 1;
        if (shadowed !== wanted) setShadowed(database).run(wanted, rowid);
      });
  }
  const group = groupOf(database, ids);
  const superseded = findSuperseded([...group.values()]);
  for (const id of group.keys()) {
    const by = superseded.get(id) ?? null;
    setSuperseded(database).run(by, id, by);
  }
};

export const refreshAll = (database: Database.Database): void =>
  refresh(database, new Set([...selectShared(database).all(), ...selectLinked(database).all()].map(({ id }) => id)));

/** Ids that the note in this row supersedes. */
export const olderThan = (database: Database.Database, rowid: number): readonly NoteId[] =>
  selectOlder(database)
    .all(rowid)
    .map(({ older }) => older);

/** All notes connected with these through supersedes, in either direction; in practice a small group. */
const groupOf = (database: Database.Database, ids: ReadonlySet<NoteId>): ReadonlyMap<NoteId, SupersedingNote> => {
  const group = new Map<NoteId, SupersedingNote>();
  const seen = new Set(ids);
  const pending = [...ids];
  const visit = (id: NoteId): void => {
    if (seen.has(id)) return;
    seen.add(id);
    pending.push(id);
  };
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const { newer } of selectNewer(database).all(id)) visit(newer);
    const row = selectShown(database).get(id);
    if (row === undefined) continue;
    const supersedes = olderThan(database, row.rowid);
    for (const older of supersedes) visit(older);
    group.set(id, { id, updatedAt: row.updated_at, supersedes });
  }
  return group;
};

const selectCopies = prepared<[NoteId], { rowid: number; shadowed: number }>(
  "SELECT rowid, shadowed FROM notes WHERE id = ? ORDER BY journal = 'portable', updated_at DESC, path",
);
const setShadowed = prepared<[number, number], unknown>('UPDATE notes SET shadowed = ? WHERE rowid = ?');
const selectShown = prepared<[NoteId], { rowid: number; updated_at: number }>(
  'SELECT rowid, updated_at FROM notes WHERE id = ? AND shadowed = 0',
);
const selectNewer = prepared<[NoteId], { newer: NoteId }>('SELECT DISTINCT newer FROM supersedes WHERE older = ?');
const selectOlder = prepared<[number], { older: NoteId }>('SELECT older FROM supersedes WHERE note = ?');
// Sets every file of a note, since one added beside the shown file may lack the value; skips rows that have it.
const setSuperseded = prepared<[NoteId | null, NoteId, NoteId | null], unknown>(
  'UPDATE notes SET superseded_by = ? WHERE id = ? AND superseded_by IS NOT ?',
);
const selectShared = prepared<[], { id: NoteId }>('SELECT id FROM notes GROUP BY id HAVING count(*) > 1');
const selectLinked = prepared<[], { id: NoteId }>('SELECT older AS id FROM supersedes');
