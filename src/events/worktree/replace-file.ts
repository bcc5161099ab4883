/**
 * Replaces or removes a file without losing what a person saves at that moment: a rename drops it, and no check before
 * helps. So the file is first set aside and checked there; what a program still writes into it, a later check finds.
 */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../faults.js';
import { blobIdOf, isObjectId } from '../note/blob-id.js';
import type { BlobId } from '../note/note.js';

/** A file that may be moved, and its version; undefined when git doesn't have that version. */
export type Incoming = { readonly file: string; readonly blob: BlobId | undefined };

/**
 * Puts `incoming` there, or removes the file without one, if it holds `expected`; else 'changed': a person's last save
 * stays. `incoming` is gone afterwards. The path has no file for some ten microseconds.
 */
export const exchangeFile = (
  folder: string,
  path: string,
  expected: BlobId,
  incoming: Incoming | undefined,
): 'done' | 'changed' => {
  const target = join(folder, path);
  let next = incoming;
  let accepted: BlobId | undefined = expected;
  /** Label of the files set aside here: a version that git has, so that a later check notices any other content. */
  let known = expected;
  // Each further turn means another save within microseconds of the one before.
  for (let turn = 0; ; turn += 1) {
    // A late save must be recognized when it is displaced in turn, or it would replace a newer one.
    const version = next === undefined ? undefined : (next.blob ?? versionOf(next.file, expected));
    const aside = setAside(folder, path, known);
    if (aside === undefined) {
      // The person removed it: an earlier save of theirs is kept, our version is dropped.
      if (next !== undefined && next.blob === undefined) moveIfFree(next.file, target);
      else if (next !== undefined && turn > 0) placeFile(next.file, target);
      else if (next !== undefined) rmSync(next.file, { force: true });
      return 'changed';
    }
    const isPlaced = next !== undefined && placeInstead(next.file, target, aside);
    const displaced = versionOf(aside, expected);
    if (displaced !== undefined && displaced === accepted)
      return turn === 0 && isPlaced === (next !== undefined) ? 'done' : 'changed';
    // The file set aside is a person's edit. Put it back, unless they have saved again since.
    if (!isPlaced) {
      placeFile(aside, target);
      return 'changed';
    }
    accepted = version;
    known = next?.blob ?? expected;
    next = { file: aside, blob: displaced };
  }
};

/** If placing fails (a full or read-only disk), puts the one set aside back, because nothing else would show it. */
const placeInstead = (file: string, target: string, aside: string): boolean => {
  try {
    return placeFile(file, target) === 'placed';
  } catch (error) {
    placeFile(aside, target);
    throw error;
  }
};

/** If something is there, that stays, the file is removed: 'occupied'. By a rename on a disk without hard links. */
export const placeFile = (file: string, target: string): 'placed' | 'occupied' => {
  if (moveIfFree(file, target)) return 'placed';
  rmSync(file, { force: true });
  return 'occupied';
};

/** Like `placeFile`, but returns false and leaves the file where it is when the path is occupied. */
export const moveIfFree = (file: string, target: string): boolean => {
  try {
    linkSync(file, target);
  } catch (error) {
    const code = codeOf(error);
    if (withoutLinks.has(code)) {
      renameSync(file, target);
      return true;
    }
    if (code !== 'EEXIST') throw error;
    return false;
  }
  unlinkSync(file);
  return true;
};

/** Error codes of a file system without hard links, or with no more of them for this file. */
export const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A file that was replaced or removed, and that another program wrote into since. */
export type LateSave = { readonly path: string; readonly blob: BlobId; readonly file: string };

/** The first is below `.git`, where no person sees it; the second is for a `.git` on another disk (git ignores it). */
const folderNames = [join('.git', 'anamnesis-replaced'), '.anamnesis-replaced'] as const;

/** Removes the files set aside longer ago; returns those that were written to since, which stay. */
export const clearSetAside = (folder: string, olderThanMs: number): readonly LateSave[] =>
  folderNames.flatMap((folderName) =>
    namesIn(join(folder, folderName)).flatMap((name) => {
      const [sinceMs = '', blob = '', path = ''] = name.split('~');
      const file = join(folder, folderName, name);
      if (!isObjectId(blob)) return [];
      // Where it was is not known of a file with a long path: it stays.
      if (versionOf(file, blob) !== blob) return path === '' ? [] : [{ path: decodeURIComponent(path), blob, file }];
      const ageMs = Date.now() - Number(sinceMs);
      // A negative age: the clock was set back by an unknown amount.
      if (ageMs < 0 || ageMs >= olderThanMs) rmSync(file, { force: true });
      return [];
    }),
  );

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
};

/** Moves the file aside and returns its new location; undefined when there is no file. */
const setAside = (folder: string, path: string, blob: BlobId): string | undefined => {
  asideCount += 1;
  const encoded = encodeURIComponent(path).replaceAll('~', '%7E');
  // A file name has at most 255 bytes.
  const place = encoded.length > 120 ? '' : encoded;
  const name = `${Date.now()}~${blob}~${place}~${process.pid}-${asideCount}`;
  const [usual, onItsDisk] = folderNames;
  try {
    return moveTo(join(folder, usual, name), join(folder, path));
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    return moveTo(join(folder, onItsDisk, name), join(folder, path));
  }
};

const moveTo = (target: string, file: string): string | undefined => {
  const move = (): boolean => {
    try {
      renameSync(file, target);
      return true;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      return false;
    }
  };
  if (move()) return target;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  return move() ? target : undefined;
};

let asideCount = 0;

/** Returns the version in a file; undefined for a link, a folder or an unreadable file. */
const versionOf = (file: string, likeId: BlobId): BlobId | undefined => {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    return fstatSync(handle).isFile() ? blobIdOf(readFileSync(handle), likeId) : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};
