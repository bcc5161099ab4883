/**
 * Puts a file in another one's place, or removes it, without ever taking away what a person saves in that moment. A rename
 * over a file drops whatever stands there by then, and no look beforehand helps. So the file that stands there goes aside
 * first and is looked at there, where no save by rename can reach it. A program that has it open still writes into it: a
 * later look at what was set aside finds that.
 */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../error-code.js';
import { createHash } from '../hash.js';
import { blobIdOf } from '../note/blob-id.js';
import type { BlobId } from '../note/note.js';

/** A file that may be moved, and its version; undefined when git does not have that. */
export type Incoming = { readonly file: string; readonly blob: BlobId | undefined };

/**
 * Replaces the file at a path by `incoming`, or removes it where there is none, provided that it holds `expected`. Else
 * answers 'changed': a person saved or removed it meanwhile, and what they saved last stands there. `incoming` is gone
 * afterwards. The path has no file for some ten microseconds.
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
  /** Label of the files set aside here: a version that git has, so that a later look notices any other content. */
  let known = expected;
  // Each further turn is one more save that came within microseconds of the one before.
  for (let turn = 0; ; turn += 1) {
    // A late text has to be recognised when it is displaced in turn, or it would replace a newer save.
    const version = next === undefined ? undefined : (next.blob ?? versionOf(next.file, expected));
    const aside = setAside(folder, path, known);
    if (aside === undefined) {
      // They removed it; what they had saved before that stays, ours does not come.
      if (next !== undefined && next.blob === undefined) moveIfFree(next.file, target);
      else if (next !== undefined && turn > 0) placeFile(next.file, target);
      else if (next !== undefined) rmSync(next.file, { force: true });
      return 'changed';
    }
    const isIn = next !== undefined && placeInstead(next.file, target, aside);
    const displaced = versionOf(aside, expected);
    if (displaced !== undefined && displaced === accepted)
      return turn === 0 && isIn === (next !== undefined) ? 'done' : 'changed';
    // The file set aside is a person's edit. It goes back, unless they have saved again since.
    if (!isIn) {
      placeFile(aside, target);
      return 'changed';
    }
    accepted = version;
    known = next?.blob ?? expected;
    next = { file: aside, blob: displaced };
  }
};

/** Where the file can't be placed (a full or read-only disk), what stood there goes back: nothing else would show it. */
const placeInstead = (file: string, target: string, aside: string): boolean => {
  try {
    return placeFile(file, target) === 'placed';
  } catch (error) {
    placeFile(aside, target);
    throw error;
  }
};

/**
 * Moves a file to a path where nothing stands; 'occupied' when something does: that stays, and the file is removed. A disk
 * without hard links gets a rename.
 */
export const placeFile = (file: string, target: string): 'placed' | 'occupied' => {
  if (moveIfFree(file, target)) return 'placed';
  rmSync(file, { force: true });
  return 'occupied';
};

/** The same, but the file stays where it is when something stands at the path: then it answers false. */
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

/** Codes of a file system that has no hard links, or no more of them for this file. */
export const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A file that was replaced or removed: what it held when it was, and where it is now. */
export type SetAside = {
  /** Undefined where it is too long for a file's name; `isOf` knows it. */
  readonly path: string | undefined;
  readonly isOf: (path: string) => boolean;
  readonly blob: BlobId;
  readonly file: string;
  readonly sinceMs: number;
  /** Size and time of the last write when it went aside. */
  readonly stamp: string;
};

/** How long what was replaced is looked at: the newest of it, up to these bounds together. */
export type Keep = { readonly ms: number; readonly count: number; readonly bytes: number };

export const keepNothing: Keep = { ms: 0, count: 0, bytes: 0 };

/**
 * Below `.git`, so that neither a person nor their git meets it. A `.git` that is a link to another disk can't take a file
 * by a rename; the second folder is one that git leaves alone too (see `excludeTemporaries`).
 */
const folderNames = [join('.git', 'anamnesis-replaced'), '.anamnesis-replaced'] as const;

/** Files set aside and not cleared yet, oldest first; also those of a process killed since. */
export const listSetAside = (folder: string): readonly SetAside[] =>
  folderNames.flatMap((folderName) =>
    namesIn(join(folder, folderName)).flatMap((name) => {
      const [sinceMs = '', , blob = '', place = '', stamp = ''] = name.split('~');
      if (!blobId.test(blob)) return [];
      const path = place.startsWith('#') ? undefined : decodeURIComponent(place);
      const isOf = (other: string): boolean => placeIn(other) === place;
      return [{ path, isOf, blob, file: join(folder, folderName, name), sinceMs: Number(sinceMs), stamp }];
    }),
  );

/**
 * Answers what somebody wrote into since it was set aside, and removes what nobody wrote into and is beyond `keep`. A file
 * is read only where its size or time changed, or where it was written so shortly before that a write since may have left
 * both as they were: reading all would cost each command of a burst of edits as much again.
 */
export const clearSetAside = (folder: string, keep: Keep): readonly SetAside[] => {
  let [count, bytes] = [0, 0];
  const written = listSetAside(folder)
    .toReversed()
    .filter(({ file, blob, sinceMs, stamp }) => {
      const ageMs = Date.now() - sinceMs;
      const now = stampOf(file);
      const isSure = now === stamp && mtimeMsIn(now) < sinceMs - clockMs;
      if (!isSure && versionOf(file, blob) !== blob) return true;
      count += 1;
      bytes += sizeIn(now);
      const isBeyond = count > keep.count || bytes > keep.bytes;
      // Less than nothing: the clock was put back, and by how much nobody knows.
      if (ageMs < 0 || ageMs >= keep.ms || (isBeyond && ageMs >= freshMs)) rmSync(file, { force: true });
      return false;
    });
  return written.reverse();
};

/** Nothing goes for its number or size alone while its program may still be at it. */
const freshMs = 1000;
/** So far the times of files may lag behind the clock. */
const clockMs = 20;

const stampOf = (file: string): string => {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size.toString(36)}-${stat.mtimeNs.toString(36)}`;
};

const sizeIn = (stamp: string): number => Number.parseInt(stamp, 36) || 0;

/** The time in nanoseconds passes 2^53, which costs less than a microsecond of it. */
const mtimeMsIn = (stamp: string): number => Number.parseInt(stamp.split('-')[1] ?? '', 36) / 1e6 || 0;

const blobId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
};

/** As a part of a file name, which may have 255 bytes. */
const placeIn = (path: string): string => {
  const encoded = encodeURIComponent(path).replaceAll('~', '%7E');
  return encoded.length > 120 ? `#${createHash('sha256').update(path).digest('hex')}` : encoded;
};

/** Where the file is now; undefined when nothing stands at the path. */
const setAside = (folder: string, path: string, blob: BlobId): string | undefined => {
  setAsides += 1;
  // Before it goes: what is written in between differs from it.
  const stamp = stampOf(join(folder, path));
  const name = `${Date.now()}~${process.pid}-${String(setAsides).padStart(9, '0')}~${blob}~${placeIn(path)}~${stamp}`;
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

let setAsides = 0;

/** Version in a file; undefined for a link, a folder and what can't be read. */
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
