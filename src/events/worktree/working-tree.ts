/** Reads, writes and removes the journal files that a person sees and edits, without following links. */
import {
  appendFileSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../faults.js';
import { blobIdOf } from '../note/blob-id.js';
import { type BlobId, describeTooLarge, maxFileBytes } from '../note/note.js';
import { exchangeFile, placeFile } from './replace-file.js';
import { settledMs } from './stamp-numbers.js';

/** A file as it was when last written or read. Times are nanoseconds as text, because they exceed 2^53. */
export type CheckedOutFile = {
  readonly path: string;
  readonly blob: BlobId;
  readonly size: number;
  readonly mtimeNs: string;
  readonly ctimeNs: string;
  readonly ino: string;
  /** When it was looked at, in epoch milliseconds: a file changed just before may look unchanged. */
  readonly seenMs: number;
};

/** Makes a row for a version at a path whose file wasn't looked at: the next check reads it. */
export const unseenRow = (path: string, blob: BlobId): CheckedOutFile => ({
  path,
  blob,
  size: 0,
  mtimeNs: '',
  ctimeNs: '',
  ino: '',
  seenMs: 0,
});

/** The content of a path. An obstacle (link, folder, unreadable file) is left alone and reported. */
export type FoundFile =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly row: CheckedOutFile }
  | { readonly kind: 'absent' }
  | { readonly kind: 'obstacle'; readonly reason: string };

/** Reads one file. `likeId` is any id of the repository, which tells its hash algorithm. */
export const readNoteFile = (folder: string, path: string, likeId?: string): FoundFile => {
  const obstacle = obstacleAbove(folder, path);
  if (obstacle !== undefined) return { kind: 'obstacle', reason: obstacle };
  let handle: number;
  try {
    handle = openSync(join(folder, path), readOnlyFlags);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return { kind: 'absent' };
    return { kind: 'obstacle', reason: code === 'ELOOP' ? 'a symbolic link' : `not readable (${code})` };
  }
  try {
    const stat = fstatSync(handle, { bigint: true });
    if (!stat.isFile()) return { kind: 'obstacle', reason: 'not a regular file' };
    if (stat.size > maxFileBytes) return { kind: 'obstacle', reason: describeTooLarge(Number(stat.size)) };
    const seenMs = Date.now();
    const bytes = readFileSync(handle);
    return { kind: 'file', bytes, row: rowOf(path, blobIdOf(bytes, likeId), stat, seenMs) };
  } catch (error) {
    return { kind: 'obstacle', reason: `not readable (${codeOf(error)})` };
  } finally {
    closeSync(handle);
  }
};

/** If they are this version. For many files: the content is verified, so the type of the file isn't checked. */
export const readVersion = (folder: string, path: string, blob: BlobId): Buffer | undefined => {
  let handle: number | undefined;
  try {
    handle = openSync(join(folder, path), readOnlyFlags);
    let bytes = readSmall(handle);
    if (bytes === undefined) {
      if (fstatSync(handle).size > maxFileBytes) return undefined;
      bytes = readFileSync(handle);
    }
    return blobIdOf(bytes, blob) === blob ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};

/** Reads a small file in one call, which matters for thousands of files; returns undefined for a larger one. */
const readSmall = (handle: number): Buffer | undefined => {
  const length = readSync(handle, smallFile, 0, smallFile.length, 0);
  return length < smallFile.length ? Buffer.from(smallFile.subarray(0, length)) : undefined;
};
const smallFile = Buffer.alloc(32 * 1024);

// Links aren't followed, and pipes don't block.
export const readOnlyFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** If the path holds `expected` or already these bytes; else 'changed', and a person's edit stays, even a late one. */
export const putNoteFile = (
  folder: string,
  path: string,
  bytes: Buffer,
  expected: BlobId | undefined,
): CheckedOutFile | 'changed' => {
  const blob = blobIdOf(bytes, expected);
  const found = readNoteFile(folder, path, expected);
  if (found.kind === 'obstacle') return 'changed';
  const there = found.kind === 'file' ? found.row.blob : undefined;
  if (found.kind === 'file' && there === blob) return found.row;
  if (there !== expected) return 'changed';
  const target = join(folder, path);
  const temporary = join(dirname(target), `${temporaryPrefix}${process.pid}.tmp`);
  try {
    writeWithFolder(temporary, bytes);
    const done =
      there === undefined
        ? placeFile(temporary, target) === 'placed'
        : exchangeFile(folder, path, there, { file: temporary, blob }) === 'done';
    if (!done) return 'changed';
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  const stat = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? 'changed' : rowOf(path, blob, stat, Date.now());
};

/** Always a new file: a leftover of a killed process may be hard-linked to a note, and writing would change that. */
const writeWithFolder = (file: string, bytes: Buffer): void => {
  const write = (): void => writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
  try {
    write();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') rmSync(file, { force: true });
    else if (code === 'ENOENT') mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    else throw error;
    write();
  }
};

/** Removes a file that still holds `expected`; returns 'changed' when it holds something else. */
export const removeNoteFile = (folder: string, path: string, expected: BlobId | undefined): 'removed' | 'changed' => {
  const found = readNoteFile(folder, path, expected);
  if (found.kind === 'absent') return 'removed';
  if (found.kind === 'obstacle' || found.row.blob !== expected) return 'changed';
  if (exchangeFile(folder, path, expected, undefined) === 'changed') return 'changed';
  removeEmptyFolder(dirname(join(folder, path)), dirname(path));
  return 'removed';
};

/** Joins the few numbers that tell whether a file changed into one text: 100,000 stat objects would take 50 MB. */
export const stampOf = ({
  size,
  mtimeNs,
  ctimeNs,
  ino,
}: Pick<CheckedOutFile, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'> | BigIntStats): string =>
  `${size} ${mtimeNs} ${ctimeNs} ${ino}`;

/** False for a change less than two seconds before the look: a coarse clock may hide another (git calls it racy). */
export const isSettled = (stamp: string, seenMs: number): boolean => {
  const end = stamp.lastIndexOf(' ');
  const start = stamp.lastIndexOf(' ', end - 1) + 1;
  // Drops the last six digits of the nanoseconds: dividing bigints would take longer than the lstat.
  return Number(stamp.slice(start, end - 6)) + settledMs < seenMs;
};

/** True when the file is surely still what the row says; costs one lstat. */
export const isStillCheckedOut = (folder: string, row: CheckedOutFile): boolean => {
  const stat = lstatSync(join(folder, row.path), { bigint: true, throwIfNoEntry: false });
  return stat !== undefined && stampOf(stat) === stampOf(row) && isSettled(stampOf(row), row.seenMs);
};

/** Prefix of files that are being written. */
export const temporaryPrefix = '.anamnesis-';

/** Keeps a person's `git add -A` from adding what a killed writer left. The rest of the exclude file stays. */
export const excludeTemporaries = (gitDir: string): void => {
  const file = join(gitDir, 'info', 'exclude');
  const pattern = `${temporaryPrefix}*`;
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  }
  if (!text.split('\n').includes(pattern))
    appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${pattern}\n`, { mode: 0o600 });
};

const rowOf = (path: string, blob: BlobId, stat: BigIntStats, seenMs: number): CheckedOutFile => ({
  path,
  blob,
  size: Number(stat.size),
  mtimeNs: String(stat.mtimeNs),
  ctimeNs: String(stat.ctimeNs),
  ino: String(stat.ino),
  seenMs,
});

/** Returns the obstacle when a parent of the path is a link or a file, which would lead out of the store. */
export const obstacleAbove = (folder: string, path: string): string | undefined => {
  const parts = path.split('/').slice(0, -1);
  let at = folder;
  for (const part of parts) {
    at = join(at, part);
    try {
      const stat = lstatSync(at, { throwIfNoEntry: false });
      if (stat === undefined) return undefined;
      if (!stat.isDirectory()) return `${part} is not a folder`;
    } catch (error) {
      return `its folder is not readable (${codeOf(error)})`;
    }
  }
  return undefined;
};

const removeEmptyFolder = (folder: string, path: string): void => {
  if (!path.includes('/')) return;
  try {
    rmdirSync(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
};
