/** Makes index files: a new one is begun beside the current one, filled, and published. */
import {
  closeSync,
  fsyncSync,
  lstatSync,
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
import { checkpointTable } from './checkpoint.js';
import { currentGeneration, namePrefix, pointerName } from './generation.js';
import { makeTables } from './registry.js';
import { schemaNumber } from './schema-number.js';

/** Begins an empty index that nobody else sees until it is published. Not durable and without a journal while it grows. */
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

/** Number of one of our files, or of what SQLite keeps beside it. */
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

/** Lets others read the new index, which has to be committed. */
export const shareGeneration = (database: Database.Database): void => {
  database.pragma('locking_mode = NORMAL');
  // The lock goes with the next read.
  database.pragma('user_version');
};

/**
 * Closes the new index, makes it durable and current, and removes the others as far as nobody holds them. One that was
 * begun earlier than the current one is dropped: whoever published that one took this file away.
 */
export const publishGeneration = (folder: string, file: string, database: Database.Database): void => {
  const isOutrun = (): boolean => (currentGeneration(folder) ?? '') > file;
  try {
    finishGeneration(file, database);
  } catch (error) {
    discardGeneration(file, database);
    if (isOutrun()) return;
    throw error;
  }
  // One at a time: else an older one could point to itself after a newer one took it away.
  oneAtATime(join(folder, 'publishing.db'), () => {
    if (isOutrun()) discardGeneration(file, database);
    else movePointer(folder, file);
  });
};

/** Waits for other processes; whatever ends this one gives way to them. */
const oneAtATime = (lockFile: string, run: () => void): void => {
  const stat = lstatSync(lockFile, { throwIfNoEntry: false });
  // Nothing is ever written to it. What somebody else put there can't be locked, and a pipe would be waited for.
  if (stat !== undefined && !(stat.isFile() && stat.size === 0)) rmSync(lockFile, { recursive: true, force: true });
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

/**
 * Whoever uses an index catches up in it. That of another version in which nobody has for a week is taken away: should its
 * version come back, it is built again.
 */
const removeUnused = (folder: string): void => {
  const others = readdirSync(folder).filter((name) => anyGeneration.test(name) && !name.startsWith(namePrefix));
  const used = new Set(
    others.filter((name) => isYounger(join(folder, name), weekMs)).map((name) => anyGeneration.exec(name)?.[0]),
  );
  for (const name of others) if (!used.has(anyGeneration.exec(name)?.[0])) remove(join(folder, name));
};

/** Up to version 9 the name was a number alone. */
const anyGeneration = /^(?:v\d+-)?\d{6}\.db/;
const weekMs = 7 * 24 * 3600 * 1000;

const isYounger = (path: string, ms: number): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < ms;
};

/** A replay that goes on needs its new pointer for less than a millisecond. */
const isLeftPointer = (path: string): boolean => /\.\d+\.tmp$/.test(path) && !isYounger(path, 60_000);

/** Closes a new index so that others can open it; it stays unpublished. */
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
  // A file is never replaced by renaming one over a folder.
  if (statSync(to, { throwIfNoEntry: false })?.isDirectory() === true) remove(to);
  renameSync(from, to);
};

/** Removes whatever has a name of ours, even a folder. */
const remove = (path: string): void => rmSync(path, { force: true, recursive: true });
