/** Updates which rows are shadowed by another file of their note, and which notes are superseded, and by which one. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { prepared } from '../prepared.js';

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
export type SupersedingNote = {
  readonly id: string;
  readonly updatedAt: number;
  readonly supersedes: readonly string[];
};

/**
 * Maps each replaced note to the id that replaces it. A note not among `notes` (forgotten, say) replaces nothing. Of a
 * ring (two machines, both right) the newest stays live: by time, then id. `notes` must be whole groups.
 */
export const findSuperseded = (notes: readonly SupersedingNote[]): ReadonlyMap<string, string> => {
  const newerOf = groupByOlder(notes);
  const superseded = new Map<string, string>();
  for (const [older, newer] of newerOf) {
    const ring = ringOf(older, newerOf);
    const isNewest = newestOf(ring)?.id === older;
    const replacing = isNewest ? newer.filter((note) => !ring.includes(note)) : newer;
    const chosen = newestOf(replacing);
    if (chosen !== undefined) superseded.set(older, chosen.id);
  }
  return superseded;
};

type NewerNotes = ReadonlyMap<string, readonly SupersedingNote[]>;

/** Maps each note that others among `notes` supersede to those others. */
const groupByOlder = (notes: readonly SupersedingNote[]): NewerNotes => {
  const ids = new Set(notes.map(({ id }) => id));
  const newerOf = new Map<string, SupersedingNote[]>();
  for (const note of notes) {
    for (const older of note.supersedes) {
      if (older === note.id || !ids.has(older)) continue;
      const newer = newerOf.get(older);
      if (newer === undefined) newerOf.set(older, [note]);
      else newer.push(note);
    }
  }
  return newerOf;
};

const newestOf = (notes: readonly SupersedingNote[]): SupersedingNote | undefined =>
  notes.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))[0];

/** The notes that supersede this one, directly or through others, by id. */
const allNewer = (id: string, newerOf: NewerNotes): ReadonlyMap<string, SupersedingNote> => {
  const found = new Map<string, SupersedingNote>();
  const add = (older: string): void => {
    for (const note of newerOf.get(older) ?? []) found.set(note.id, note);
  };
  add(id);
  // Setting a key that is there adds no turn.
  for (const newer of found.keys()) add(newer);
  return found;
};

/** The ring that a note is in, itself included; empty if it is in none. */
const ringOf = (id: string, newerOf: NewerNotes): readonly SupersedingNote[] => {
  const newer = allNewer(id, newerOf);
  const ring = new Set<SupersedingNote>();
  const add = (older: string): void => {
    const note = newer.get(older);
    if (note !== undefined) ring.add(note);
  };
  add(id);
  for (const { supersedes } of ring) supersedes.forEach(add);
  return [...ring];
};
