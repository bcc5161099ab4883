/** All files that were last checked out in a journal, as columns: objects would take five times as long to read. */
import type { BlobId } from '../note/note.js';
import { type Ignored, walkNotes } from './walk-notes.js';
import { type CheckedOutFile, isSettled, stampOf } from './working-tree.js';

/** One entry a file in each. */
export type CheckedOutColumns = {
  readonly paths: readonly string[];
  readonly blobs: readonly BlobId[];
  /** As `stampOf` makes them. */
  readonly stamps: readonly string[];
  readonly seenMs: readonly string[];
};

export type CheckedOutFiles = {
  readonly size: number;
  readonly paths: readonly string[];
  readonly blobs: readonly BlobId[];
  /** Where in the columns a path stands, -1 when it does not. Whoever goes through them in their order guesses right. */
  placeOf(path: string, guess?: number): number;
  rowAt(place: number): CheckedOutFile;
  /** True when the file with this stamp is surely still what the row says. */
  isUnchangedAt(place: number, stamp: string): boolean;
};

export const openCheckedOut = ({ paths, blobs, stamps, seenMs }: CheckedOutColumns): CheckedOutFiles => {
  let placeByPath: ReadonlyMap<string, number> | undefined;
  return {
    size: paths.length,
    paths,
    blobs,
    placeOf(path, guess = -1) {
      if (paths[guess] === path) return guess;
      placeByPath ??= new Map(paths.map((one, place) => [one, place]));
      return placeByPath.get(path) ?? -1;
    },
    rowAt(place) {
      const [size, mtimeNs = '', ctimeNs = '', ino = ''] = (stamps[place] ?? '').split(' ');
      return {
        path: paths[place] ?? '',
        blob: blobs[place] ?? '',
        size: Number(size),
        mtimeNs,
        ctimeNs,
        ino,
        seenMs: Number(seenMs[place]),
      };
    },
    isUnchangedAt: (place, stamp) => stamps[place] === stamp && isSettled(stamp, Number(seenMs[place])),
  };
};

export type ComparedFiles = {
  /** Files that are not surely as they were checked out, or never were. */
  readonly changed: readonly string[];
  /** Files that are not there. */
  readonly missing: readonly string[];
  /** Markdown files that are no notes. */
  readonly ignored: readonly Ignored[];
  /** By place: true of a file that surely is what was checked out. */
  isUnchanged(place: number): boolean;
};

/** Walks the files of a journal's folder beside the rows. */
export const compareFiles = async (folder: string, rows: CheckedOutFiles, cleanUp: boolean): Promise<ComparedFiles> => {
  const comparison = openComparison(rows);
  const ignored = await walkNotes(folder, cleanUp, comparison.see);
  return { ...comparison.result(), ignored };
};

/** Files are seen one by one; whoever brings them in the order of the rows saves a look-up of each. */
export const openComparison = (
  rows: CheckedOutFiles,
): {
  readonly see: (path: string, stat: Parameters<typeof stampOf>[0]) => void;
  readonly result: () => Omit<ComparedFiles, 'ignored'>;
} => {
  const changed: string[] = [];
  const found = new Uint8Array(rows.size);
  let guess = 0;
  return {
    see(path, stat) {
      const place = rows.placeOf(path, guess);
      const isUnchanged = place !== -1 && rows.isUnchangedAt(place, stampOf(stat));
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
