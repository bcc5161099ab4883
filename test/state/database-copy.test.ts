import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { applyLog, readDatabaseBytes } from '../../src/state/database-copy.js';
import { temporaryFolder } from '../support/store.js';

let folder: string;
let file: string;
let writer: Database.Database;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'a.db');
  writer = new Database(file);
  writer.pragma('journal_mode = WAL');
  writer.pragma('wal_autocheckpoint = 0');
  writer.exec('CREATE TABLE words (word TEXT)');
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (...words: readonly string[]): void => {
  writer.transaction(() => {
    for (const word of words) writer.prepare('INSERT INTO words VALUES (?)').run(word);
  })();
};

const wordsIn = (bytes: Buffer | undefined): readonly unknown[] => {
  const copy = new Database(bytes!);
  try {
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    return copy.prepare('SELECT word FROM words ORDER BY rowid').pluck().all();
  } finally {
    copy.close();
  }
};

it('includes commits that are not yet in the database file', () => {
  add('one');
  writer.pragma('wal_checkpoint(TRUNCATE)');
  add('two', 'three');
  expect(wordsIn(readDatabaseBytes(file))).toEqual(['one', 'two', 'three']);
});

it('includes nothing of a transaction that is not committed', () => {
  add('one');
  const large = 'x'.repeat(5000);
  // With such a small cache, SQLite spills pages into the log before the commit.
  writer.pragma('cache_size = 1');
  writer.exec('BEGIN');
  for (let n = 0; n < 50; n += 1) writer.prepare('INSERT INTO words VALUES (?)').run(large);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(50 * 5000);
  expect(wordsIn(readDatabaseBytes(file))).toEqual(['one']);
  writer.exec('ROLLBACK');
});

it('skips frames that an earlier round of the log left', () => {
  add(...Array.from({ length: 200 }, (_, n) => `${n} ${'y'.repeat(500)}`));
  writer.pragma('wal_checkpoint(RESTART)');
  writer.exec('DELETE FROM words');
  writer.pragma('wal_checkpoint(RESTART)');
  add('one');
  expect(wordsIn(readDatabaseBytes(file))).toEqual(['one']);
});

it('stops at the first damaged page of the log', () => {
  add('one');
  add('two');
  const log = readFileSync(`${file}-wal`);
  const half = log.length - 100;
  writeFileSync(join(folder, 'b.db-wal'), log);
  copyFileSync(file, join(folder, 'b.db'));
  truncateSync(join(folder, 'b.db-wal'), half);
  expect(wordsIn(readDatabaseBytes(join(folder, 'b.db')))).toEqual(['one']);
});

it('is the database itself when there is no log, or not one of SQLite', () => {
  add('one');
  writer.pragma('wal_checkpoint(TRUNCATE)');
  expect(wordsIn(readDatabaseBytes(file))).toEqual(['one']);
  const main = readFileSync(file);
  expect(applyLog(main, Buffer.from('no log at all, but more than 32 bytes of it')).equals(main)).toBe(true);
});

it('is undefined when there is no database', () => {
  expect(readDatabaseBytes(join(folder, 'none.db'))).toBeUndefined();
  writeFileSync(join(folder, 'empty.db'), '');
  expect(readDatabaseBytes(join(folder, 'empty.db'))).toBeUndefined();
});
