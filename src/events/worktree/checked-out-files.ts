/** The files last checked out, as a few long texts: usually compared unsplit, where an object each would be slow. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { BlobId } from '../note/note.js';
import { endOfSameStamp, type StampNumbers } from './stamp-numbers.js';
import { type IgnoredFile, walkNotes } from './walk-notes.js';
import { type CheckedOutFile, isSettled, stampOf } from './working-tree.js';

/** Sorted by the bytes of the paths. */
export type CheckedOutTexts = {
  readonly size: number;
  /** For each file: its path and a NUL, then its stamp from `stampOf`, a space, when it was looked at and a NUL. */
  readonly entries: string;
  /** The output of `git ls-tree -r -z` for a tree with exactly these versions. */
  readonly tree: string;
  /** A commit whose tree is known to be that tree. */
  readonly sameTree: string | null;
};

/** The mode and type that `git ls-tree` prints before the version of a note that isn't executable. */
export const treePrefix = '100644 blob ';

/** Enough to tell whether the files are still as checked out. */
export type CheckedOutStamps = {
  readonly size: number;
  readonly entries: string;
  /** A commit whose tree has exactly these versions; null if none is known. */
  readonly sameTree: string | null;
  readonly paths: readonly string[];
  /** The path's index in the columns, or -1. When paths are asked for in order, the guess is right. */
  placeOf(path: string, guess?: number): number;
  /** True when a file with this stamp is surely what the row says. */
  isUnchangedAt(place: number, stamp: string): boolean;
  /** Like `isUnchangedAt`, by numbers; when it returns false, compare the stamp. */
  isSurelyUnchangedAt(place: number, stat: StampNumbers): boolean;
};

export type CheckedOutFiles = CheckedOutStamps & {
  readonly tree: string;
  readonly blobs: readonly BlobId[];
  rowAt(place: number): CheckedOutFile;
};

export const openStamps = (texts: Omit<CheckedOutTexts, 'tree'>): CheckedOutStamps =>
  stampsOf(texts, columnsOf(texts.entries));

export const openCheckedOut = ({ tree, ...texts }: CheckedOutTexts): CheckedOutFiles => {
  const { size, entries, sameTree } = texts;
  const columns = columnsOf(entries);
  const blobs = once(() => tree.split('\0', size).map((line) => line.slice(treePrefix.length, line.indexOf('\t'))));
  const stamps = stampsOf(texts, columns);
  return {
    size,
    entries,
    sameTree,
    tree,
    // Not spread, which would create all paths immediately.
    get paths() {
      return stamps.paths;
    },
    placeOf: stamps.placeOf,
    isUnchangedAt: stamps.isUnchangedAt,
    isSurelyUnchangedAt: stamps.isSurelyUnchangedAt,
    get blobs() {
      return blobs();
    },
    rowAt(place) {
      const { paths, stamps: all } = columns();
      const [bytes, mtimeNs = '', ctimeNs = '', ino = '', seenMs] = (all[place] ?? '').split(' ');
      return {
        path: paths[place] ?? '',
        blob: blobs()[place] ?? '',
        size: Number(bytes),
        mtimeNs,
        ctimeNs,
        ino,
        seenMs: Number(seenMs),
      };
    },
  };
};

type Columns = { readonly paths: readonly string[]; readonly stamps: readonly string[] };

const columnsOf = (entries: string): (() => Columns) =>
  once(() => {
    const fields = entries.split('\0');
    const paths: string[] = [];
    const stamps: string[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      paths.push(fields[at] ?? '');
      stamps.push(fields[at + 1] ?? '');
    }
    return { paths, stamps };
  });

const stampsOf = (texts: Omit<CheckedOutTexts, 'tree'>, columns: () => Columns): CheckedOutStamps => {
  const placeByPath = once(() => new Map(columns().paths.map((path, place) => [path, place])));
  const stampAt = (place: number): string => columns().stamps[place] ?? '';
  return {
    ...texts,
    get paths() {
      return columns().paths;
    },
    placeOf: (path, guess = -1) => (columns().paths[guess] === path ? guess : (placeByPath().get(path) ?? -1)),
    isUnchangedAt(place, stamp) {
      const recorded = stampAt(place);
      return recorded.startsWith(`${stamp} `) && isSettled(stamp, Number(recorded.slice(stamp.length + 1)));
    },
    isSurelyUnchangedAt: (place, stat) => endOfSameStamp(stampAt(place), 0, stat) !== -1,
  };
};

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

export type ComparedFiles = {
  /** Files that may differ from what was checked out, or never were checked out. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** Markdown files that aren't notes. */
  readonly ignored: readonly IgnoredFile[];
  /** True when every row's file is as checked out, there are no other files, and all paths have the usual form. */
  readonly isAsCheckedOut: boolean;
  /** By place: true for a file that surely is what was checked out. */
  isUnchanged(place: number): boolean;
};

export const compareFiles = async (
  folder: string,
  rows: CheckedOutStamps,
  cleanUp: boolean,
): Promise<ComparedFiles> => {
  const comparison = openComparison(rows, (path) =>
    lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false }),
  );
  const ignored = await walkNotes(folder, cleanUp, comparison.see);
  return { ...comparison.result(), ignored };
};

/** Reads the stat in nanoseconds of a file that looked changed at first; undefined when it is gone. */
type LookClosely = (path: string) => Parameters<typeof stampOf>[0] | undefined;

/** Compares files one by one; while they match the rows in order, it creates no object or string for them. */
export const openComparison = (
  rows: CheckedOutStamps,
  lookClosely: LookClosely,
): {
  readonly see: (path: string, stat: StampNumbers, isUsual: boolean) => void;
  readonly result: () => Omit<ComparedFiles, 'ignored'>;
} => {
  const { entries } = rows;
  /** Up to here, the files seen match the entries. */
  let end = 0;
  let seen = 0;
  let areUsual = true;
  let slow: ReturnType<typeof openSlowly> | undefined;
  const leaveOrder = (): NonNullable<typeof slow> => {
    slow ??= openSlowly(rows, seen, lookClosely);
    return slow;
  };
  return {
    see(path, stat, isUsual) {
      areUsual &&= isUsual;
      if (slow === undefined) {
        const at = end + path.length + 1;
        const isNext = entries.startsWith(path, end) && entries.charCodeAt(at - 1) === 0;
        let stampEnd = isNext ? endOfSameStamp(entries, at, stat) : -1;
        if (isNext && stampEnd === -1) stampEnd = endOfEqualStamp(entries, at, lookClosely(path));
        if (stampEnd !== -1) {
          end = stampEnd + 1;
          seen += 1;
          return;
        }
      }
      leaveOrder().see(path, stat);
    },
    result: () =>
      slow === undefined && end === entries.length
        ? {
            changed: [],
            missing: [],
            isAsCheckedOut: areUsual,
            isUnchanged: (place) => place >= 0 && place < rows.size,
          }
        : { ...leaveOrder().result(), isAsCheckedOut: false },
  };
};

/** Like `endOfSameStamp`, but to the nanosecond. */
const endOfEqualStamp = (entries: string, at: number, closely: ReturnType<LookClosely>): number => {
  const stamp = closely === undefined ? undefined : stampOf(closely);
  if (stamp === undefined || !entries.startsWith(`${stamp} `, at)) return -1;
  const end = entries.indexOf('\0', at);
  return isSettled(stamp, Number(entries.slice(at + stamp.length + 1, end))) ? end : -1;
};

/** Looks up each path that isn't in the order of the rows; the first `seen` rows are known to be unchanged. */
const openSlowly = (
  rows: CheckedOutStamps,
  seen: number,
  lookClosely: LookClosely,
): {
  readonly see: (path: string, stat: StampNumbers) => void;
  readonly result: () => Omit<ComparedFiles, 'ignored' | 'isAsCheckedOut'>;
} => {
  const changed: string[] = [];
  const found = new Uint8Array(rows.size).fill(unchanged, 0, seen);
  let guess = seen;
  const isUnchangedAt = (place: number, path: string, stat: StampNumbers): boolean => {
    if (rows.isSurelyUnchangedAt(place, stat)) return true;
    const closely = lookClosely(path);
    return closely !== undefined && rows.isUnchangedAt(place, stampOf(closely));
  };
  return {
    see(path, stat) {
      const place = rows.placeOf(path, guess);
      const isUnchanged = place !== -1 && isUnchangedAt(place, path, stat);
      if (!isUnchanged) changed.push(path);
      if (place === -1) return;
      found[place] = isUnchanged ? unchanged : differing;
      guess = place + 1;
    },
    result: () => ({
      changed,
      missing: rows.paths.filter((_, place) => found[place] === 0),
      isUnchanged: (place) => found[place] === unchanged,
    }),
  };
};

const differing = 1;
const unchanged = 2;
