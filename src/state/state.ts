/** `state.db`: what a replay can't rebuild and only this machine needs. Loses no note; never replaced while in use. */
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
import { readDatabaseBytes, retryWhileBusy, Statements } from './opening-databases.js';

/** On a full or read-only disk a copy in memory, without changes. Throws Fault 'store-damaged' if it's no database. */
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
const sameTree = `SELECT value FROM facts WHERE key = '${sameTreeKey}' || @folder`;

const stampColumns = `count(*) AS size, coalesce(${entriesText}, '') AS entries, (${sameTree}) AS sameTree`;

type StampTexts = Omit<CheckedOutTexts, 'tree'>;
const noStamps: StampTexts = { size: 0, entries: '', sameTree: null };

/** Key of the fact that a sync sets while it checks its files out. */
export const pendingCheckoutFact = 'sync-layout';

export const openState = (file: string): State => new State(retryWhileBusy(() => openDatabase(file)));

export class State extends Statements {
  private readonly file = this.database.prepare<[string, string], CheckedOutFile>(
    'SELECT path, blob, size, mtimeNs, ctimeNs, ino, seenMs FROM files WHERE journal = ? AND path = ?',
  );

  /** W, the commit that the working tree reflects; undefined when nothing is known of it. */
  checkout(journal: JournalName): string | undefined {
    return this.text('SELECT commit_id FROM checkout WHERE journal = ?', journalFolder[journal]);
  }

  /** Moves W and the rows of the files put or (without a row) removed, in one transaction. */
  advance(
    journal: JournalName,
    commit: string | undefined,
    put: readonly CheckedOutFile[],
    removed: readonly string[],
  ): void {
    const folder = journalFolder[journal];
    this.atOnce(() => {
      for (const { path, blob, size, mtimeNs, ctimeNs, ino, seenMs } of put) {
        const sql = 'INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
        this.run(sql, folder, path, blob, size, mtimeNs, ctimeNs, ino, seenMs);
      }
      for (const path of removed) this.run('DELETE FROM files WHERE journal = ? AND path = ?', folder, path);
      if (commit !== undefined) this.run('INSERT OR REPLACE INTO checkout VALUES (?, ?)', folder, commit);
    });
  }

  /** Records that these files, which were hashed, still have the versions of their rows. */
  refreshStamps(journal: JournalName, rows: readonly CheckedOutFile[]): void {
    this.atOnce(() => {
      const same = this.sameTree(journal);
      for (const { path, blob, size, mtimeNs, ctimeNs, ino, seenMs } of rows) {
        const sql = `UPDATE files SET size = ?, mtimeNs = ?, ctimeNs = ?, ino = ?, seenMs = ?
          WHERE journal = ? AND path = ? AND blob = ?`;
        this.run(sql, size, mtimeNs, ctimeNs, ino, seenMs, journalFolder[journal], path, blob);
      }
      // No version changed.
      if (same !== undefined) this.setSameTree(journal, same);
    });
  }

  /** Forgets all that is known of the journal's files, so that they are examined again. */
  forgetCheckout(journal: JournalName): void {
    this.atOnce(() => {
      this.run('DELETE FROM files WHERE journal = ?', journalFolder[journal]);
      this.run('DELETE FROM checkout WHERE journal = ?', journalFolder[journal]);
    });
  }

  checkedOut(journal: JournalName, path: string): CheckedOutFile | undefined {
    return this.file.get(journalFolder[journal], path);
  }

  allCheckedOut(journal: JournalName): CheckedOutFiles {
    const columns = `${stampColumns}, coalesce(${treeText}, '') AS tree`;
    return openCheckedOut(this.read<CheckedOutTexts>(columns, journal) ?? { ...noStamps, tree: '' });
  }

  /** The same without versions, in two thirds of the time. */
  allStamps(journal: JournalName): CheckedOutStamps {
    return openStamps(this.read<StampTexts>(stampColumns, journal) ?? noStamps);
  }

  /** The commit whose tree is known to match the rows exactly; any change of a row forgets it. */
  sameTree(journal: JournalName): string | undefined {
    return this.fact(`${sameTreeKey}${journalFolder[journal]}`);
  }

  setSameTree(journal: JournalName, commit: string): void {
    this.setFact(`${sameTreeKey}${journalFolder[journal]}`, commit);
  }

  /** Records a path that was found changed by hand; the next command examines it. */
  touch(journal: JournalName, path: string): void {
    this.run('INSERT OR IGNORE INTO touched VALUES (?, ?)', journalFolder[journal], path);
  }

  touched(journal: JournalName): readonly string[] {
    return this.texts('SELECT path FROM touched WHERE journal = ? ORDER BY path', journalFolder[journal]);
  }

  untouch(journal: JournalName, paths: readonly string[]): void {
    this.atOnce(() => {
      for (const path of paths)
        this.run('DELETE FROM touched WHERE journal = ? AND path = ?', journalFolder[journal], path);
    });
  }

  /** Small facts about this machine's store, such as how far git's own index was refreshed. */
  fact(key: string): string | undefined {
    return this.text('SELECT value FROM facts WHERE key = ?', key);
  }

  setFact(key: string, value: string): void {
    this.run('INSERT OR REPLACE INTO facts VALUES (?, ?)', key, value);
  }

  /** Leaves a command to the holder of the write lock. */
  enqueue({ id, payload }: QueuedCommand): void {
    this.run('INSERT OR IGNORE INTO queue (id, payload) VALUES (?, ?)', id, payload);
  }

  waiting(limit: number): readonly QueuedCommand[] {
    return this.database
      .prepare<[number], QueuedCommand>('SELECT id, payload FROM queue WHERE answer IS NULL ORDER BY id LIMIT ?')
      .all(limit);
  }

  answer(answers: readonly { readonly id: string; readonly answer: string }[]): void {
    this.atOnce(() => {
      for (const { id, answer } of answers)
        this.run('UPDATE queue SET answer = ?, answeredMs = ? WHERE id = ?', answer, Date.now(), id);
    });
  }

  /** Returns the answer and takes it out of the queue; undefined while the command waits. */
  takeAnswer(id: string): string | undefined {
    const answer = this.text('SELECT answer FROM queue WHERE id = ? AND answer IS NOT NULL', id);
    if (answer !== undefined) this.dequeue([id]);
    return answer;
  }

  /** Takes commands out of the queue that their own process carried out or gave up. */
  dequeue(ids: readonly string[]): void {
    this.atOnce(() => {
      for (const id of ids) this.run('DELETE FROM queue WHERE id = ?', id);
    });
  }

  /** Drops answers that were not fetched within an hour: their process is gone. */
  dropOldAnswers(nowMs: number): void {
    this.run('DELETE FROM queue WHERE answeredMs < ?', nowMs - 3_600_000);
  }

  private read<Row>(columns: string, journal: JournalName): Row | undefined {
    const sql = `SELECT ${columns} FROM (SELECT * FROM files WHERE journal = @folder ORDER BY path)`;
    return this.database.prepare<[{ folder: string }], Row>(sql).get({ folder: journalFolder[journal] });
  }
}

export type QueuedCommand = { readonly id: string; readonly payload: string };

export type CheckedOutAt = {
  readonly blob: BlobId;
  readonly checkout: string | undefined;
  /** A sync has yet to check out some of its files. */
  readonly isPending: boolean;
};

/**
 * The version last checked out at a path, for readers. Undefined if there is none, or state.db can't be read: the
 * reader answers anyway. Leaves no `-wal` or `-shm` file behind, as a read-only connection would.
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
