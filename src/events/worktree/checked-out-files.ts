/**
 * All files that were last checked out in a journal, as a few long texts. Where nothing changed, which is nearly always, they
 * are compared as they are; an object or a string for each file would take several times as long as reading them.
 */
import type { BlobId } from '../note/note.js';
import { type Ignored, walkNotes } from './walk-notes.js';
import { type CheckedOutFile, stampOf } from './working-tree.js';

/** In the order of the paths' bytes. */
export type CheckedOutTexts = {
  readonly size: number;
  /** Of each file its path and its stamp as `stampOf` makes it, with `unsettledMark` where that can't be trusted; both end in a NUL. */
  readonly entries: string;
  /** As `git ls-tree -r -z` prints a tree that has these versions and nothing else. */
  readonly tree: string;
  /** One a file, with a NUL between two. */
  readonly seenMs: string;
};

/** The mode and type that `git ls-tree` prints before the version of a note that isn't executable. */
export const treePrefix = '100644 blob ';

/** Makes the stamp of a file that was looked at too soon match no other: see `isSettled`. */
export const unsettledMark = '?';

export type CheckedOutFiles = {
  readonly size: number;
  readonly entries: string;
  readonly tree: string;
  readonly paths: readonly string[];
  readonly blobs: readonly BlobId[];
  /** Where in the columns a path stands, -1 when it does not. Whoever goes through them in their order guesses right. */
  placeOf(path: string, guess?: number): number;
  rowAt(place: number): CheckedOutFile;
  /** True when the file with this stamp is surely still what the row says. */
  isUnchangedAt(place: number, stamp: string): boolean;
};

export const openCheckedOut = ({ size, entries, tree, seenMs }: CheckedOutTexts): CheckedOutFiles => {
  const columns = once(() => {
    const fields = entries.split('\0');
    const paths: string[] = [];
    const stamps: string[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      paths.push(fields[at] ?? '');
      stamps.push(fields[at + 1] ?? '');
    }
    return { paths, stamps };
  });
  const blobs = once(() => tree.split('\0', size).map((line) => line.slice(treePrefix.length, line.indexOf('\t'))));
  const times = once(() => seenMs.split('\0'));
  const placeByPath = once(() => new Map(columns().paths.map((path, place) => [path, place])));
  return {
    size,
    entries,
    tree,
    get paths() {
      return columns().paths;
    },
    get blobs() {
      return blobs();
    },
    placeOf: (path, guess = -1) => (columns().paths[guess] === path ? guess : (placeByPath().get(path) ?? -1)),
    rowAt(place) {
      const stamp = columns().stamps[place] ?? '';
      const [bytes, mtimeNs = '', ctimeNs = '', ino = ''] = stamp.replace(unsettledMark, '').split(' ');
      return {
        path: columns().paths[place] ?? '',
        blob: blobs()[place] ?? '',
        size: Number(bytes),
        mtimeNs,
        ctimeNs,
        ino,
        seenMs: Number(times()[place]),
      };
    },
    isUnchangedAt: (place, stamp) => columns().stamps[place] === stamp,
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
  /** Files that are not surely as they were checked out, or never were. */
  readonly changed: readonly string[];
  /** Files that are not there. */
  readonly missing: readonly string[];
  /** Markdown files that are no notes. */
  readonly ignored: readonly Ignored[];
  /** All rows have their files as they were checked out, there are no others, and their paths are all of the usual form. */
  readonly isAsCheckedOut: boolean;
  /** By place: true of a file that surely is what was checked out. */
  isUnchanged(place: number): boolean;
};

/** Walks the files of a journal's folder beside the rows. */
export const compareFiles = async (folder: string, rows: CheckedOutFiles, cleanUp: boolean): Promise<ComparedFiles> => {
  const comparison = openComparison(rows);
  const ignored = await walkNotes(folder, cleanUp, comparison.see);
  return { ...comparison.result(), ignored };
};

/** Files are seen one by one; as long as they are those of the rows in their order, nothing is made of any. */
export const openComparison = (
  rows: CheckedOutFiles,
): {
  readonly see: (path: string, stat: Parameters<typeof stampOf>[0], isUsual: boolean) => void;
  readonly result: () => Omit<ComparedFiles, 'ignored'>;
} => {
  const { entries } = rows;
  /** As far as this the files seen are the entries, one by one. */
  let end = 0;
  let seen = 0;
  let areUsual = true;
  let slow: ReturnType<typeof openSlowly> | undefined;
  const leaveOrder = (): NonNullable<typeof slow> => {
    slow ??= openSlowly(rows, seen);
    return slow;
  };
  return {
    see(path, stat, isUsual) {
      const stamp = stampOf(stat);
      areUsual &&= isUsual;
      if (slow === undefined) {
        const entry = `${path}\0${stamp}\0`;
        if (entries.startsWith(entry, end)) {
          end += entry.length;
          seen += 1;
          return;
        }
      }
      leaveOrder().see(path, stamp);
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

/** Beside a look-up of each path that does not come in the order of the rows, of which the first `seen` are unchanged. */
const openSlowly = (
  rows: CheckedOutFiles,
  seen: number,
): {
  readonly see: (path: string, stamp: string) => void;
  readonly result: () => Omit<ComparedFiles, 'ignored' | 'isAsCheckedOut'>;
} => {
  const changed: string[] = [];
  const found = new Uint8Array(rows.size).fill(unchanged, 0, seen);
  let guess = seen;
  return {
    see(path, stamp) {
      const place = rows.placeOf(path, guess);
      const isUnchanged = place !== -1 && rows.isUnchangedAt(place, stamp);
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
