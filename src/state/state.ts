/**
 * `state.db`: what a replay can't rebuild and only this machine needs. Losing it loses no note; it is never replaced
 * while in use.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isDenied } from '../events/environment-faults.js';
import { Fault } from '../events/faults.js';
import { type BlobId, type JournalName, journalFolder } from '../events/note/note.js';
import {
  type CheckedOutFiles,
  type CheckedOutStamps,
  type CheckedOutTexts,
  openCheckedOut,
  openStamps,
  treePrefix,
} from '../events/worktree/checked-out-files.js';
import type { CheckedOutFile } from '../events/worktree/working-tree.js';
import { type CommandQueue, queueOver, runner } from './command-queue.js';
import { readDatabaseBytes, retryWhileBusy } from './opening-databases.js';

export type State = CommandQueue & {
  /** W, the commit that the working tree reflects; undefined when nothing is known of it. */
  checkout(journal: JournalName): string | undefined;
  /** Moves W and the rows of the files put or (without a row) removed, in one transaction. */
  advance(
    journal: JournalName,
    commit: string | undefined,
    put: readonly CheckedOutFile[],
    removed: readonly string[],
  ): void;
  /** Records that these files, which were hashed, still have the versions of their rows. */
  refreshStamps(journal: JournalName, rows: readonly CheckedOutFile[]): void;
  /** Forgets all that is known of the journal's files, so that they are examined again. */
  forgetCheckout(journal: JournalName): void;
  checkedOut(journal: JournalName, path: string): CheckedOutFile | undefined;
  allCheckedOut(journal: JournalName): CheckedOutFiles;
  /** The same without versions, in two thirds of the time. */
  allStamps(journal: JournalName): CheckedOutStamps;
  /** The commit whose tree is known to match the rows exactly; any change of a row forgets it. */
  sameTree(journal: JournalName): string | undefined;
  setSameTree(journal: JournalName, commit: string): void;

  /** Records a path that was found changed by hand; the next command examines it. */
  touch(journal: JournalName, path: string): void;
  touched(journal: JournalName): readonly string[];
  untouch(journal: JournalName, paths: readonly string[]): void;

  /** Small facts about this machine's store, such as how far git's own index was refreshed. */
  fact(key: string): string | undefined;
  setFact(key: string, value: string): void;
  close(): void;
};

/**
 * If the disk is full or may not be written, opens a copy in memory, which can be read, while SQLite rejects every
 * change of it. Throws Fault 'store-damaged' if the file is not a database.
 */
const openDatabase = (file: string): Database.Database => {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { timeout: 10_000 });
    database.pragma('user_version');
    database.pragma('journal_mode = WAL');
    // Queued commands are not redacted yet: their bytes are overwritten when they leave the queue.
    database.pragma('secure_delete = ON');
    // A power cut may undo the last transactions; reconciling then finds W behind the head, which is safe.
    database.pragma('synchronous = NORMAL');
    database.exec(schema);
    return database;
  } catch (cause) {
    database?.close();
    const bytes = isDenied(cause) ? readDatabaseBytes(file) : undefined;
    if (bytes !== undefined) return openCopy(bytes);
    if (!isDamage(cause)) throw cause;
    throw new Fault(
      'store-damaged',
      `${file} is damaged; it holds no note`,
      'end other anamnesis processes, remove that file and repeat the command: the files are compared with the journal',
      { cause },
    );
  }
};

const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'));

const openCopy = (bytes: Buffer): Database.Database => {
  const copy = new Database(bytes);
  copy.exec(schema);
  copy.pragma('query_only = ON');
  return copy;
};

const sameTreeKey = 'same-tree:';

/** A trigger, so that no writer can forget it, not even another version of this program. */
const forgettingSameTree = (change: string, row: string): string => `
  CREATE TRIGGER IF NOT EXISTS same_tree_${change.toLowerCase()} AFTER ${change} ON files
  BEGIN DELETE FROM facts WHERE key = '${sameTreeKey}' || ${row}.journal; END;`;

/** `journal` holds the name of the journal's folder. */
const schema = `
  CREATE TABLE IF NOT EXISTS checkout (journal TEXT PRIMARY KEY, commit_id TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS files (
    journal TEXT NOT NULL, path TEXT NOT NULL, blob TEXT NOT NULL, size INTEGER NOT NULL,
    mtimeNs TEXT NOT NULL, ctimeNs TEXT NOT NULL, ino TEXT NOT NULL, seenMs INTEGER NOT NULL,
    PRIMARY KEY (journal, path)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  ${forgettingSameTree('INSERT', 'NEW')} ${forgettingSameTree('UPDATE', 'NEW')} ${forgettingSameTree('DELETE', 'OLD')}
  CREATE TABLE IF NOT EXISTS touched (journal TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (journal, path)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS queue (
    id TEXT PRIMARY KEY, payload TEXT NOT NULL, answer TEXT, answeredMs INTEGER) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS queue_waiting ON queue (id) WHERE answer IS NULL;
`;

/** Joins all rows into long texts: making a string of each value would take five times as long as reading them. */
const entriesText = `group_concat(
    path || char(0) || format('%d %s %s %s %d', size, mtimeNs, ctimeNs, ino, seenMs) || char(0), '')`;
const treeText = `group_concat('${treePrefix}' || blob || char(9) || path || char(0), '')`;
const inPathOrder = 'FROM (SELECT * FROM files WHERE journal = @folder ORDER BY path)';
const sameTree = `SELECT value FROM facts WHERE key = '${sameTreeKey}' || @folder`;

type StampTexts = Omit<CheckedOutTexts, 'tree'>;
const noStamps: StampTexts = { size: 0, entries: '', sameTree: null };

/** Key of the fact that a sync sets while it checks its files out. */
export const pendingCheckoutFact = 'sync-layout';

export const openState = (file: string): State => {
  const database = retryWhileBusy(() => openDatabase(file));
  const run = runner(database);
  const fact = database.prepare<[string], { value: string }>('SELECT value FROM facts WHERE key = ?');
  const setFact = run('INSERT OR REPLACE INTO facts VALUES (?, ?)');
  const touch = run('INSERT OR IGNORE INTO touched VALUES (?, ?)');
  const touched = database.prepare<[string], { path: string }>(
    'SELECT path FROM touched WHERE journal = ? ORDER BY path',
  );
  const untouch = run('DELETE FROM touched WHERE journal = ? AND path = ?');
  const facts: Facts = { fact: (key) => fact.get(key)?.value, setFact };
  return {
    ...facts,
    ...recordOver(database, facts),
    ...queueOver(database),
    touch: (journal, path) => touch(journalFolder[journal], path),
    touched: (journal) => touched.all(journalFolder[journal]).map(({ path }) => path),
    untouch: database.transaction((journal: JournalName, paths) => {
      for (const path of paths) untouch(journalFolder[journal], path);
    }),
    close: () => {
      database.close();
    },
  };
};

type Facts = Pick<State, 'fact' | 'setFact'>;
type CheckoutRecord = Omit<State, keyof CommandQueue | keyof Facts | 'touch' | 'touched' | 'untouch' | 'close'>;

const recordOver = (database: Database.Database, { fact, setFact }: Facts): CheckoutRecord => {
  const run = runner(database);
  const checkout = database.prepare<[string], { commit_id: string }>(
    'SELECT commit_id FROM checkout WHERE journal = ?',
  );
  const setCheckout = run('INSERT OR REPLACE INTO checkout VALUES (?, ?)');
  const dropCheckout = run('DELETE FROM checkout WHERE journal = ?');
  const dropFiles = run('DELETE FROM files WHERE journal = ?');
  const putFile = run('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const refreshFile = run(
    'UPDATE files SET size = ?, mtimeNs = ?, ctimeNs = ?, ino = ?, seenMs = ? WHERE journal = ? AND path = ? AND blob = ?',
  );
  const removeFile = run('DELETE FROM files WHERE journal = ? AND path = ?');
  const file = database.prepare<[string, string], CheckedOutFile>(
    'SELECT path, blob, size, mtimeNs, ctimeNs, ino, seenMs FROM files WHERE journal = ? AND path = ?',
  );
  const texts = <Row>(columns: string) =>
    database.prepare<[{ folder: string }], Row>(`SELECT ${columns} ${inPathOrder}`);
  const stampColumns = `count(*) AS size, coalesce(${entriesText}, '') AS entries, (${sameTree}) AS sameTree`;
  const stamps = texts<StampTexts>(stampColumns);
  const files = texts<CheckedOutTexts>(`${stampColumns}, coalesce(${treeText}, '') AS tree`);
  const keyOf = (journal: JournalName): string => `${sameTreeKey}${journalFolder[journal]}`;
  return {
    checkout: (journal) => checkout.get(journalFolder[journal])?.commit_id,
    advance: database.transaction((journal: JournalName, commit, put, removed) => {
      for (const { path, blob, size, mtimeNs, ctimeNs, ino, seenMs } of put)
        putFile(journalFolder[journal], path, blob, size, mtimeNs, ctimeNs, ino, seenMs);
      for (const path of removed) removeFile(journalFolder[journal], path);
      if (commit !== undefined) setCheckout(journalFolder[journal], commit);
    }),
    refreshStamps: database.transaction((journal: JournalName, rows) => {
      const same = fact(keyOf(journal));
      for (const { path, blob, size, mtimeNs, ctimeNs, ino, seenMs } of rows)
        refreshFile(size, mtimeNs, ctimeNs, ino, seenMs, journalFolder[journal], path, blob);
      // No version changed.
      if (same !== undefined) setFact(keyOf(journal), same);
    }),
    forgetCheckout: database.transaction((journal: JournalName) => {
      dropFiles(journalFolder[journal]);
      dropCheckout(journalFolder[journal]);
    }),
    checkedOut: (journal, path) => file.get(journalFolder[journal], path),
    allCheckedOut: (journal) =>
      openCheckedOut(files.get({ folder: journalFolder[journal] }) ?? { ...noStamps, tree: '' }),
    allStamps: (journal) => openStamps(stamps.get({ folder: journalFolder[journal] }) ?? noStamps),
    sameTree: (journal) => fact(keyOf(journal)),
    setSameTree: (journal, commit) => setFact(keyOf(journal), commit),
  };
};

export type CheckedOutAt = {
  readonly blob: BlobId;
  readonly checkout: string | undefined;
  /** A sync has yet to check out some of its files. */
  readonly isPending: boolean;
};

/**
 * Returns the version last checked out at a path, for readers, which don't open state.db otherwise. Undefined if there
 * is none, or if state.db can't be read, so that the reader answers anyway. Leaves no `-wal` or `-shm` file behind, as
 * a read-only connection would.
 */
export const readCheckedOutAt = (home: string, journal: JournalName, path: string): CheckedOutAt | undefined => {
  try {
    const database = new Database(join(home, 'state.db'), { fileMustExist: true, timeout: readBusyMs });
    try {
      database.pragma('query_only = ON');
      return database
        .prepare<[string, string], { blob: BlobId; checkout: string | null; isPending: number }>(
          `SELECT f.blob, c.commit_id AS checkout,
             f.journal = '${journalFolder.portable}' AND EXISTS (
               SELECT 1 FROM facts WHERE key = '${pendingCheckoutFact}' AND value <> '') AS isPending
           FROM files f LEFT JOIN checkout c USING (journal) WHERE f.journal = ? AND f.path = ?`,
        )
        .all(journalFolder[journal], path)
        .map((row) => ({ blob: row.blob, checkout: row.checkout ?? undefined, isPending: row.isPending === 1 }))[0];
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
};
const readBusyMs = 500;

/** Leaves a path that a reader found changed by hand to the next command that writes, which adopts it. */
export const noteHandEdit = (home: string, journal: JournalName, path: string): void => {
  try {
    const state = openState(join(home, 'state.db'));
    state.touch(journal, path);
    state.close();
  } catch {
    // The reader's question is answered anyway, and the next look at all files finds the edit.
  }
};
