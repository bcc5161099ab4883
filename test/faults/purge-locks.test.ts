import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { purgeStore } from '../../src/purge/purging.js';
import { openStore, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

/** Runs SQL on a database in another process and returns `done` or the error code of SQLite. */
const execInOtherProcess = (file: string, sql: string): string => {
  const program = `
    const database = new (require('better-sqlite3'))(${JSON.stringify(file)}, { timeout: 0 });
    try { database.exec(${JSON.stringify(sql)}); console.log('done'); } catch ({ code }) { console.log(code); }
    database.close();`;
  return execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }).trim();
};

// Closing a file releases every lock that the process has on it, even those SQLite took through another handle.
describe('a purge, which searches every file of the store afterwards', () => {
  let home = '';
  let store: TestStore;
  afterEach(async () => {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('holds the write lock until it is done', async () => {
    home = temporaryFolder();
    const tried: string[] = [];
    const step = (name: string): void => {
      if (name === 'purge:done') tried.push(execInOtherProcess(join(home, 'lock.db'), 'BEGIN IMMEDIATE'));
    };
    store = openStore({ home, step });
    const { id } = await writeNote(store.memory);
    await purgeStore(store.memory, { what: { kind: 'note', id } });
    expect(tried).toEqual(['SQLITE_BUSY']);
  });

  it('still shares state.db with other processes afterwards', async () => {
    home = temporaryFolder();
    store = openStore({ home });
    const [gone, kept] = [await writeNote(store.memory), await writeNote(store.memory, { title: 'kept' })];
    await purgeStore(store.memory, { what: { kind: 'note', id: gone.id } });
    await store.memory.perform({ kind: 'tag', id: kept.id, add: ['one'], remove: [] });
    expect(execInOtherProcess(join(home, 'state.db'), 'SELECT count(*) FROM sqlite_schema')).toBe('done');
    // The last process to close it removes its WAL; we still have it open.
    expect(existsSync(join(home, 'state.db-wal'))).toBe(true);
  });
});
