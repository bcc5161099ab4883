import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readDatabaseBytes } from '../../src/state/opening-databases.js';
import { temporaryFolder } from '../support/store.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is the database as of its last checkpoint, while another process has it open', () => {
  const file = join(folder, 'a.db');
  const writer = new Database(file);
  writer.pragma('journal_mode = WAL');
  writer.exec("CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('one')");
  writer.pragma('wal_checkpoint(TRUNCATE)');
  writer.exec("INSERT INTO words VALUES ('two')");
  const copy = new Database(readDatabaseBytes(file)!);
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(copy.prepare('SELECT word FROM words').pluck().all()).toEqual(['one']);
  copy.close();
  writer.close();
});

it('is undefined when there is no database', () => {
  expect(readDatabaseBytes(join(folder, 'none.db'))).toBeUndefined();
  writeFileSync(join(folder, 'empty.db'), '');
  expect(readDatabaseBytes(join(folder, 'empty.db'))).toBeUndefined();
});
