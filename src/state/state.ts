/**
 * `state.db`: what a replay can't rebuild and only this machine needs. Losing it loses no note; it is never replaced
 * while in use.
 */
import { statSync } from 'node:fs';
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
import { readDatabaseBytes } from './database-copy.js';
import { retryWhileBusy } from './retry-busy.js';

export type QueuedCommand = { readonly id: string; readonly payload: string };

export type State = {
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

  enqueue(command: QueuedCommand): void;
  waiting(limit: number): readonly QueuedCommand[];
  answer(answers: readonly { readonly id: string; readonly answer: string }[]): void;
  /** Returns the answer and takes it out of the queue; undefined while the command waits. */
  takeAnswer(id: string): string | undefined;
  /** Takes commands out of the queue that their own process carried out or gave up. */
  dequeue(ids: readonly string[]): void;
  /** Drops answers that were not fetched within an hour: their process is gone. */
  dropOldAnswers(nowMs: number): void;
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
    if (!isDamage(cause) && !isSomethingElse(cause, file)) throw cause;
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

/** True if there is a folder in its place, or another program's tables. */
const isSomethingElse = (error: unknown, file: string): boolean =>
  error instanceof Database.SqliteError &&
  (error.code === 'SQLITE_ERROR' || statSync(file, { throwIfNoEntry: false })?.isDirectory() === true);

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

  const one = <Row>(sql: string): ((...args: readonly (string | number)[]) => Row | undefined) => {
    const statement = database.prepare<(string | number)[], Row>(sql);
    return (...args) => statement.get(...args);
  };
  const all = <Row>(sql: string): ((...args: readonly (string | number)[]) => Row[]) => {
    const statement = database.prepare<(string | number)[], Row>(sql);
    return (...args) => statement.all(...args);
  };
  const run = (sql: string): ((...args: readonly (string | number)[]) => void) => {
    const statement = database.prepare<(string | number)[]>(sql);
    return (...args) => {
      statement.run(...args);
    };
  };

  const checkout = one<{ commit_id: string }>('SELECT commit_id FROM checkout WHERE journal = ?');
  const dropCheckout = run('DELETE FROM checkout WHERE journal = ?');
  const dropFiles = run('DELETE FROM files WHERE journal = ?');
  const setCheckout = run('INSERT OR REPLACE INTO checkout VALUES (?, ?)');
  const putFile = run('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const refreshFile = run(
    'UPDATE files SET size = ?, mtimeNs = ?, ctimeNs = ?, ino = ?, seenMs = ? WHERE journal = ? AND path = ? AND blob = ?',
  );
  const removeFile = run('DELETE FROM files WHERE journal = ? AND path = ?');
  const fileColumns = 'path, blob, size, mtimeNs, ctimeNs, ino, seenMs';
  const selectFile = one<CheckedOutFile>(`SELECT ${fileColumns} FROM files WHERE journal = ? AND path = ?`);
  const texts = <Row>(columns: string): ((journal: JournalName) => Row | undefined) => {
    const statement = database.prepare<[{ folder: string }], Row>(`SELECT ${columns} ${inPathOrder}`);
    return (journal) => statement.get({ folder: journalFolder[journal] });
  };
  const stampColumns = `count(*) AS size, coalesce(${entriesText}, '') AS entries, (${sameTree}) AS sameTree`;
  const stamps = texts<StampTexts>(stampColumns);
  const files = texts<CheckedOutTexts>(`${stampColumns}, coalesce(${treeText}, '') AS tree`);
  const touch = run('INSERT OR IGNORE INTO touched VALUES (?, ?)');
  const touched = all<{ path: string }>('SELECT path FROM touched WHERE journal = ? ORDER BY path');
  const untouch = run('DELETE FROM touched WHERE journal = ? AND path = ?');
  const fact = one<{ value: string }>('SELECT value FROM facts WHERE key = ?');
  const setFact = run('INSERT OR REPLACE INTO facts VALUES (?, ?)');
  const enqueue = run('INSERT OR IGNORE INTO queue (id, payload) VALUES (?, ?)');
  const waiting = all<QueuedCommand>('SELECT id, payload FROM queue WHERE answer IS NULL ORDER BY id LIMIT ?');
  const answer = run('UPDATE queue SET answer = ?, answeredMs = ? WHERE id = ?');
  const answered = one<{ answer: string }>('SELECT answer FROM queue WHERE id = ? AND answer IS NOT NULL');
  const dequeue = run('DELETE FROM queue WHERE id = ?');
  const dropOld = run('DELETE FROM queue WHERE answeredMs < ?');

  return {
    checkout: (journal) => checkout(journalFolder[journal])?.commit_id,
    advance: database.transaction((journal: JournalName, commit, put, removed) => {
      for (const { path, blob, size, mtimeNs, ctimeNs, ino, seenMs } of put) {
        putFile(journalFolder[journal], path, blob, size, mtimeNs, ctimeNs, ino, seenMs);
      }
      for (const path of removed) removeFile(journalFolder[journal], path);
      if (commit !== undefined) setCheckout(journalFolder[journal], commit);
    }),
    refreshStamps: database.transaction((journal: JournalName, rows) => {
      const same = fact(`${sameTreeKey}${journalFolder[journal]}`)?.value;
      for (const { path, blob, size, mtimeNs, ctimeNs, ino, seenMs } of rows)
        refreshFile(size, mtimeNs, ctimeNs, ino, seenMs, journalFolder[journal], path, blob);
      // No version changed.
      if (same !== undefined) setFact(`${sameTreeKey}${journalFolder[journal]}`, same);
    }),
    forgetCheckout: database.transaction((journal: JournalName) => {
      dropFiles(journalFolder[journal]);
      dropCheckout(journalFolder[journal]);
    }),
    checkedOut: (journal, path) => selectFile(journalFolder[journal], path),
    allCheckedOut: (journal) => openCheckedOut(files(journal) ?? { ...noStamps, tree: '' }),
    allStamps: (journal) => openStamps(stamps(journal) ?? noStamps),
    sameTree: (journal) => fact(`${sameTreeKey}${journalFolder[journal]}`)?.value,
    setSameTree: (journal, commit) => setFact(`${sameTreeKey}${journalFolder[journal]}`, commit),
    touch: (journal, path) => touch(journalFolder[journal], path),
    touched: (journal) => touched(journalFolder[journal]).map(({ path }) => path),
    untouch: database.transaction((journal: JournalName, paths) => {
      for (const path of paths) untouch(journalFolder[journal], path);
    }),
    fact: (key) => fact(key)?.value,
    setFact: (key, value) => setFact(key, value),
    enqueue: ({ id, payload }) => enqueue(id, payload),
    waiting: (limit) => waiting(limit),
    answer: database.transaction((answers) => {
      for (const { id, answer: text } of answers) answer(text, Date.now(), id);
    }),
    takeAnswer: (id) => {
      const row = answered(id);
      if (row !== undefined) dequeue(id);
      return row?.answer;
    },
    dequeue: database.transaction((ids) => {
      for (const id of ids) dequeue(id);
    }),
    dropOldAnswers: (nowMs) => dropOld(nowMs - 3_600_000),
    close: () => {
      database.close();
    },
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
