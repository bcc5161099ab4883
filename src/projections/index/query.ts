/** Queries on the notes in the index. A filter, its Access too, is applied in SQL, before any limit. */
import type Database from 'better-sqlite3';
import {
  type BlobId,
  isNoteType,
  isSource,
  type JournalName,
  journalOf,
  type Note,
  type NoteId,
  type NoteType,
  type Scope,
  scopeOf,
} from '../../events/note/note.js';
import { formatTime } from '../../events/time.js';
import { parseTexts, prepared } from '../prepared.js';

/** Whose notes may be seen; an undefined part restricts nothing. */
export type Access = { readonly user?: string | undefined; readonly workspace?: string | undefined };

export type NoteFilter = Access & {
  readonly project?: string | undefined;
  readonly type?: NoteType | undefined;
  readonly scope?: Scope | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly machine?: string | undefined;
  readonly agent?: string | undefined;
  /** Epoch seconds, compared with updated_at: `after` is inclusive, `before` exclusive. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
};

/** A note as the index stores it: all but its body and the ids that it supersedes or proposes to supersede. */
export type IndexedNote = Omit<Note, 'supersedes' | 'proposes' | 'body'> & {
  readonly rowid: number;
  readonly journal: JournalName;
  readonly path: string;
  readonly version: BlobId;
  readonly supersededBy: NoteId | undefined;
};

export type Condition = { readonly sql: string; readonly args: readonly (string | number)[] };

/** Live notes: not superseded, not forgotten (no row), no second copy, not expired at `nowSeconds`. */
export const liveCondition = (nowSeconds: number): Condition => ({
  sql: 'n.shadowed = 0 AND n.superseded_by IS NULL AND (n.expires_at IS NULL OR n.expires_at > ?)',
  args: [nowSeconds],
});

export const filterCondition = (filter: NoteFilter): Condition => {
  const parts: Condition[] = [{ sql: 'n.shadowed = 0', args: [] }];
  const equals: readonly (readonly [string, string | undefined])[] = [
    ['project', filter.project],
    ['type', filter.type],
    ['machine_id', filter.machine],
    ['agent', filter.agent],
    ['user_id', filter.user],
    ['workspace_id', filter.workspace],
    ['journal', filter.scope === undefined ? undefined : journalOf(filter.scope)],
  ];
  for (const [column, value] of equals) if (value !== undefined) parts.push({ sql: `n.${column} = ?`, args: [value] });
  for (const tag of filter.tags ?? []) {
    const own = tag.toLowerCase();
    // Tags below `infra` begin with `infra/`; `0` is the character after the slash.
    parts.push({
      sql: 'n.rowid IN (SELECT t.note FROM tags t WHERE t.tag = ? OR (t.tag > ? AND t.tag < ?))',
      args: [own, `${own}/`, `${own}0`],
    });
  }
  if (filter.after !== undefined) parts.push({ sql: 'n.updated_at >= ?', args: [filter.after] });
  if (filter.before !== undefined) parts.push({ sql: 'n.updated_at < ?', args: [filter.before] });
  return joinConditions(parts);
};

export const joinConditions = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  args: conditions.flatMap(({ args }) => args),
});

export type NoteList = { readonly notes: readonly IndexedNote[]; readonly total: number };

/** Newest first (updated_at, then id). Includes superseded and expired notes: a list hides nothing in the store. */
export const listNotes = (database: Database.Database, filter: NoteFilter, limit: number, offset = 0): NoteList => {
  const { sql, args } = filterCondition(filter);
  const total = database
    .prepare<(string | number)[], { total: number }>(`SELECT count(*) AS total FROM notes n WHERE ${sql}`)
    .get(...args);
  const rows = database
    .prepare<(string | number)[], NoteColumns>(
      `SELECT ${noteColumns} FROM notes n WHERE ${sql} ORDER BY n.updated_at DESC, n.id DESC LIMIT ? OFFSET ?`,
    )
    .all(...args, limit, offset);
  return { notes: rows.map(toIndexedNote), total: total?.total ?? 0 };
};

/** The shown one first: a machine-local one, which no other machine's change may replace; then the newest. */
export const filesOfNote = (database: Database.Database, id: NoteId): readonly IndexedNote[] =>
  selectFiles(database).all(id).map(toIndexedNote);

/** At most `limit` ids that begin with the text, of forgotten notes too, for a person who types the start of one. */
export const idsWithPrefix = (database: Database.Database, prefix: string, limit: number): readonly NoteId[] =>
  selectPrefixed(database)
    .all(prefix, `${prefix}\uffff`, prefix, `${prefix}\uffff`, limit)
    .map(({ id }) => id);

export const idOfSourceKey = (database: Database.Database, sourceKey: string): NoteId | undefined =>
  selectBySourceKey(database).get(sourceKey)?.id;

/** Notes that an agent's session wrote, its own note among them. */
export const idsOfSession = (database: Database.Database, session: string): readonly NoteId[] =>
  selectBySession(database)
    .all(session)
    .map(({ id }) => id);

/** The highest rowid; notes written later have higher ones, until the index is rebuilt. */
export const lastRowOf = (database: Database.Database): number => selectLastRow(database).get()?.last ?? 0;

/** Notes in rows above `row` that have this title and are not superseded. */
export const notesAbove = (database: Database.Database, row: number, title: string): readonly NoteId[] =>
  selectAbove(database)
    .all(row, title)
    .map(({ id }) => id);

/** Ids that any file of the note names as superseded. */
export const supersededBy = (database: Database.Database, id: NoteId): readonly NoteId[] =>
  selectSuperseded(database)
    .all(id)
    .map(({ older }) => older);

export type SkippedFile = {
  readonly journal: JournalName;
  readonly path: string;
  readonly code: string;
  readonly line: number;
  readonly key: string | null;
  readonly message: string;
};

export const skippedFiles = (database: Database.Database): readonly SkippedFile[] =>
  database
    .prepare<[], SkippedFile>('SELECT journal, path, code, line, key, message FROM skipped ORDER BY journal, path')
    .all();

/** Distinct keys, in code unit order. */
export const projectKeys = (database: Database.Database): readonly string[] =>
  database
    .prepare<[], { project: string }>('SELECT DISTINCT project FROM notes ORDER BY project')
    .all()
    .map(({ project }) => project);

/** Version of the file at a path, whether or not it is a readable note. */
export const blobAt = (database: Database.Database, journal: JournalName, path: string): BlobId | undefined =>
  selectBlob(database).get(journal, path, journal, path)?.blob;

/** Ids that several files have. All of their files but one are shadowed, and these are few. */
export const repeatedIds = (database: Database.Database): readonly NoteId[] =>
  database
    .prepare<[], { id: string }>('SELECT DISTINCT id FROM notes WHERE shadowed = 1 ORDER BY id')
    .all()
    .map(({ id }) => id);

/** Ids that both journals have; of such files, all but one are shadowed. */
export const inBothJournals = (database: Database.Database): readonly NoteId[] =>
  selectInBoth(database)
    .all()
    .map(({ id }) => id);

export const localIds = (database: Database.Database): readonly NoteId[] =>
  database
    .prepare<[], { id: string }>("SELECT DISTINCT id FROM notes WHERE journal = 'local' ORDER BY id")
    .all()
    .map(({ id }) => id);

const selectInBoth = prepared<[], { id: string }>(
  `SELECT DISTINCT id FROM notes n WHERE shadowed = 1
     AND EXISTS (SELECT 1 FROM notes m WHERE m.id = n.id AND m.journal = 'local')
     AND EXISTS (SELECT 1 FROM notes m WHERE m.id = n.id AND m.journal = 'portable') ORDER BY id`,
);

export type NoteColumns = {
  readonly rowid: number;
  readonly journal: JournalName;
  readonly path: string;
  readonly blob: string;
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly project: string;
  readonly machine_id: string;
  readonly user_id: string;
  readonly workspace_id: string;
  readonly source: string;
  readonly confidence: number;
  readonly model: string | null;
  readonly session: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly expires_at: number | null;
  readonly agent: string | null;
  readonly importance: number | null;
  readonly sensitive: number;
  readonly untrusted: number;
  readonly source_key: string | null;
  readonly tags: string;
  readonly keywords: string;
  readonly superseded_by: string | null;
};

export const noteColumns = `n.rowid, n.journal, n.path, n.blob, n.id, n.type, n.title, n.project, n.machine_id, n.user_id,
  n.workspace_id, n.source, n.confidence, n.model, n.session, n.created_at, n.updated_at, n.expires_at, n.agent,
  n.importance, n.sensitive, n.untrusted, n.source_key, n.tags, n.keywords, n.superseded_by`;

export const toIndexedNote = (row: NoteColumns): IndexedNote => ({
  rowid: row.rowid,
  journal: row.journal,
  path: row.path,
  version: row.blob,
  id: row.id,
  type: isNoteType(row.type) ? row.type : 'semantic',
  title: row.title,
  project: row.project,
  machineId: row.machine_id,
  scope: scopeOf(row.journal),
  userId: row.user_id,
  workspaceId: row.workspace_id,
  source: isSource(row.source) ? row.source : 'human',
  confidence: row.confidence,
  model: row.model ?? undefined,
  session: row.session ?? undefined,
  createdAt: formatTime(row.created_at * 1000),
  updatedAt: formatTime(row.updated_at * 1000),
  expiresAt: row.expires_at === null ? undefined : formatTime(row.expires_at * 1000),
  agent: row.agent ?? undefined,
  importance: row.importance ?? undefined,
  sensitive: row.sensitive === 1,
  untrusted: row.untrusted === 1,
  sourceKey: row.source_key ?? undefined,
  tags: parseTexts(row.tags),
  keywords: parseTexts(row.keywords),
  supersededBy: row.superseded_by ?? undefined,
});

const selectFiles = prepared<[string], NoteColumns>(
  `SELECT ${noteColumns} FROM notes n WHERE id = ? ORDER BY n.journal = 'portable', n.updated_at DESC, n.path`,
);
const selectLastRow = prepared<[], { last: number | null }>('SELECT max(rowid) AS last FROM notes');
const selectAbove = prepared<[number, string], { id: string }>(
  'SELECT DISTINCT id FROM notes WHERE rowid > ? AND title = ? AND shadowed = 0 AND superseded_by IS NULL ORDER BY id',
);
const selectBySourceKey = prepared<[string], { id: string }>(
  // Two notes have the key if one was restored after its file became another note: every machine picks the same one.
  'SELECT id FROM notes WHERE source_key = ? AND shadowed = 0 ORDER BY id LIMIT 1',
);
const selectBySession = prepared<[string], { id: string }>('SELECT id FROM notes WHERE session = ?');
const selectBlob = prepared<[string, string, string, string], { blob: string }>(
  `SELECT blob FROM notes WHERE journal = ? AND path = ?
   UNION ALL SELECT blob FROM skipped WHERE journal = ? AND path = ? LIMIT 1`,
);
const selectSuperseded = prepared<[string], { older: string }>(
  'SELECT DISTINCT older FROM supersedes WHERE newer = ? ORDER BY older',
);
const selectPrefixed = prepared<[string, string, string, string, number], { id: string }>(
  `SELECT id FROM notes WHERE id >= ? AND id < ?
   UNION SELECT note AS id FROM event_notes WHERE note >= ? AND note < ? ORDER BY id LIMIT ?`,
);
