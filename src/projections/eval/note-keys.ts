/** Which note a case of an eval set means, and which notes have superseded it. */
import type Database from 'better-sqlite3';

export type NoteKeys = {
  readonly count: number;
  readonly corpusUnits: number;
  /** The note with this id, or the one imported under this foreign id, with or without its first part. */
  idOf(given: string): string | undefined;
  /** Whether a note in the store supersedes this one, which need not be in the store. */
  isReplaced(id: string): boolean;
  /** Ids that a note supersedes, directly or through others. */
  replaces(id: string): ReadonlySet<string>;
};

export const readNoteKeys = (database: Database.Database): NoteKeys => {
  const rows = database
    .prepare<[], { id: string; source_key: string | null; units: number }>(
      'SELECT id, source_key, units + length(title) AS units FROM notes WHERE shadowed = 0 ORDER BY id',
    )
    .all();
  const ids = new Set(rows.map(({ id }) => id));
  const byKey = new Map<string, string>();
  for (const { id, source_key: key } of rows) {
    if (key === null) continue;
    byKey.set(key, id);
    byKey.set(key.slice(key.indexOf('/') + 1), id);
  }
  const olderOf = new Map<string, string[]>();
  for (const { newer, older } of database
    .prepare<[], { newer: string; older: string }>('SELECT newer, older FROM supersedes')
    .all()) {
    olderOf.set(newer, [...(olderOf.get(newer) ?? []), older]);
  }
  const replaced = new Set([...olderOf].flatMap(([newer, older]) => (ids.has(newer) ? older : [])));
  return {
    count: rows.length,
    corpusUnits: rows.reduce((sum, { units }) => sum + units, 0),
    idOf: (given) => (ids.has(given) ? given : byKey.get(given)),
    isReplaced: (id) => replaced.has(id),
    replaces: (id) => {
      const seen = new Set<string>();
      const pending = [...(olderOf.get(id) ?? [])];
      for (let older = pending.pop(); older !== undefined; older = pending.pop()) {
        if (seen.has(older)) continue;
        seen.add(older);
        pending.push(...(olderOf.get(older) ?? []));
      }
      return seen;
    },
  };
};
