/** Searches a store's files, except git's objects, byte by byte, and scrubs our own. */
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readDatabasePages } from '../state/scrub-database.js';
import type { Needle } from './rule/request.js';

export type FileSearch = {
  readonly looked: number;
  /** Paths relative to the folder. */
  readonly found: readonly string[];
  /** Paths that could not be read, each with the reason. */
  readonly unread: readonly string[];
};

/** Follows no links, and skips folders for which `skip` is true: they are searched in another way. */
export const searchFiles = (home: string, needle: Needle, skip: (path: string) => boolean): FileSearch => {
  const found: string[] = [];
  const unread: string[] = [];
  let looked = 0;
  const pending: string[] = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const name of readFolder(join(home, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const stat = lstatSync(join(home, path), { throwIfNoEntry: false });
      if (stat === undefined) continue;
      if (needle.isIn(Buffer.from(name))) found.push(path);
      if (stat.isDirectory()) {
        if (!skip(path)) pending.push(path);
      } else if (stat.isFile()) {
        looked += 1;
        try {
          if (isIn(join(home, path), stat.size, needle)) found.push(path);
        } catch (error) {
          unread.push(`${path} (${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`);
        }
      }
    }
  }
  return { looked, found: [...new Set(found)].sort(), unread };
};

/** An empty file (one of our locks) and SQLite's shared memory contain no text, and must not be opened here. */
const isIn = (file: string, size: number, needle: Needle): boolean => {
  if (size === 0 || file.endsWith('.db-shm')) return false;
  const pages = file.endsWith('.db') ? readDatabasePages(file) : undefined;
  return pages === undefined ? isInFile(file, needle) : needle.isIn(pages);
};

const pieceBytes = 4 * 1024 * 1024;

/** Reads a large file in pieces that overlap by the needle's length. */
export const isInFile = (file: string, needle: Needle): boolean => {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size <= pieceBytes) return needle.isIn(readFileSync(handle));
    const buffer = Buffer.alloc(pieceBytes + needle.length);
    let kept = 0;
    for (;;) {
      const read = readSync(handle, buffer, kept, buffer.length - kept, null);
      if (read === 0) return false;
      const filled = kept + read;
      if (needle.isIn(buffer.subarray(0, filled))) return true;
      kept = Math.min(needle.length, filled);
      buffer.copy(buffer, 0, filled - kept, filled);
    }
  } finally {
    closeSync(handle);
  }
};

/** Rewrites those files of a folder that `scrub` changes, each atomically. Returns their names. */
export const scrubFolder = (
  folder: string,
  scrub: (text: string) => string,
  isOurs: (name: string) => boolean = () => true,
): readonly string[] =>
  readFolder(folder).filter((name) => {
    if (!isOurs(name)) return false;
    const file = join(folder, name);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() !== true) return false;
    const before = readFileSync(file, 'utf8');
    const after = scrub(before);
    if (after === before) return false;
    const temporary = join(folder, `.purge-${process.pid}.tmp`);
    writeFileSync(temporary, after, { mode: 0o600 });
    renameSync(temporary, file);
    return true;
  });

/** Scrubs every string and key of a JSON value; scrubs other text as a whole. */
export const scrubJson =
  (scrub: (text: string) => string) =>
  (text: string): string => {
    const direct = scrub(text);
    if (!/^\s*[[{"]/.test(text)) return direct;
    try {
      const value: unknown = JSON.parse(text);
      const after = JSON.stringify(mapTexts(value, scrub));
      return after === JSON.stringify(value) ? text : after;
    } catch {
      return direct;
    }
  };

const mapTexts = (value: unknown, scrub: (text: string) => string): unknown => {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, scrub));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]: [string, unknown]) => [scrub(key), mapTexts(one, scrub)]),
  );
};

const readFolder = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
