/** Makes index files: begins a new one beside the current one, finishes it and publishes it. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { checkpointTable, schemaNumber } from './checkpoint.js';
import { currentGeneration, namePrefix, pointerName } from './generation.js';
import { makeTables } from './registry.js';

/** Begins an empty index, which no other process uses until it is published; not durable, no rollback journal. */
export const beginGeneration = (folder: string): { readonly file: string; readonly database: Database.Database } => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const used = readdirSync(folder)
      .map(numberOf)
      .filter((number) => number !== undefined);
    const next = Math.max(0, ...used) + 1;
    const file = join(folder, `${namePrefix}${String(next).padStart(6, '0')}.db`);
    try {
      closeSync(openSync(file, 'wx', 0o600));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    try {
      return { file, database: makeEmpty(file) };
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
  }
};

/** The number in the name of an index file, or of a file that SQLite keeps beside one. */
const numberOf = (name: string): number | undefined => {
  if (!name.startsWith(namePrefix)) return undefined;
  const digits = /^(\d{6})\.db/.exec(name.slice(namePrefix.length))?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const makeEmpty = (file: string): Database.Database => {
  const database = new Database(file);
  try {
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('cache_size = -65536');
    database.exec(checkpointTable);
    makeTables(database);
    database.pragma(`user_version = ${schemaNumber}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Lets other connections read the new index; its transaction must be committed. */
export const shareGeneration = (database: Database.Database): void => {
  database.pragma('locking_mode = NORMAL');
  // The next read releases the lock.
  database.pragma('user_version');
};

/** Makes the new index durable and current, removes older ones. One begun before the current one is discarded. */
export const publishGeneration = (folder: string, file: string, database: Database.Database): void => {
  const isOutrun = (): boolean => (currentGeneration(folder) ?? '') > file;
  try {
    finishGeneration(file, database);
  } catch (error) {
    discardGeneration(file, database);
    if (isOutrun()) return;
    throw error;
  }
  // One at a time: otherwise an older index could become current after a newer one removed its file.
  oneAtATime(join(folder, 'publishing.db'), () => {
    if (isOutrun()) discardGeneration(file, database);
    else movePointer(folder, file);
  });
};

/** Waits for other processes. SQLite releases the lock however this process ends. */
const oneAtATime = (lockFile: string, run: () => void): void => {
  closeSync(openSync(lockFile, 'a', 0o600));
  const lock = new Database(lockFile, { timeout: 10_000 });
  try {
    lock.exec('BEGIN IMMEDIATE');
    run();
  } finally {
    lock.close();
  }
};

const movePointer = (folder: string, file: string): void => {
  const temporary = join(folder, `${pointerName}.${process.pid}.tmp`);
  try {
    writeFileSync(temporary, `${basename(file)}\n`, { mode: 0o600 });
    replace(temporary, join(folder, pointerName));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  const current = numberOf(basename(file)) ?? 0;
  for (const name of readdirSync(folder)) {
    const isOlder = (numberOf(name) ?? current) < current;
    if (isOlder || isLeftPointer(join(folder, name))) remove(join(folder, name));
  }
  removeUnused(folder);
};

/** An index of another version that nothing has caught up for a week is removed; it is rebuilt if used again. */
const removeUnused = (folder: string): void => {
  const others = readdirSync(folder).filter((name) => anyGeneration.test(name) && !name.startsWith(namePrefix));
  const used = new Set(
    others.filter((name) => isYounger(join(folder, name), weekMs)).map((name) => anyGeneration.exec(name)?.[0]),
  );
  for (const name of others) if (!used.has(anyGeneration.exec(name)?.[0])) remove(join(folder, name));
};

/** Versions up to 9 named the file by a number alone. */
const anyGeneration = /^(?:v\d+-)?\d{6}\.db/;
const weekMs = 7 * 24 * 3600 * 1000;

const isYounger = (path: string, ms: number): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < ms;
};

/** A running replay needs its temporary pointer for less than a millisecond. */
const isLeftPointer = (path: string): boolean => /\.\d+\.tmp$/.test(path) && !isYounger(path, 60_000);

/** Closes a new index so that others can open it, without publishing it. */
export const finishGeneration = (file: string, database: Database.Database): void => {
  shareGeneration(database);
  database.pragma('journal_mode = WAL');
  database.close();
  const handle = openSync(file, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

export const discardGeneration = (file: string, database: Database.Database): void => {
  database.close();
  for (const end of ['', '-wal', '-shm', '-journal']) remove(`${file}${end}`);
};

const replace = (from: string, to: string): void => {
  // A rename can't put a file in the place of a folder.
  if (statSync(to, { throwIfNoEntry: false })?.isDirectory() === true) remove(to);
  renameSync(from, to);
};

/** Removes a file of ours, or a folder that has its name. */
const remove = (path: string): void => rmSync(path, { force: true, recursive: true });
