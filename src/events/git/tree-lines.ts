/**
 * Compares a commit's tree, as lines of git's output, with known files, without an object for each of 100,000 files.
 */

import type { TreeEntry } from '../journal.js';
import { parseTreeLines, treeLine } from './git-log.js';
import { type GitFolders, runGit } from './git-process.js';

/** Returns the output of `git ls-tree`: lines, each ended by a NUL. */
export const readTree = (folders: GitFolders, commit: string): Promise<Buffer> =>
  runGit(folders, ['ls-tree', '-r', '-z', '--full-tree', commit]);

/** Files and their versions as columns; `placeOf` returns -1 for an unknown path. */
export type KnownFiles = {
  readonly paths: readonly string[];
  readonly blobs: readonly string[];
  placeOf(path: string, guess?: number): number;
};

/** Returns which known files (by place) the tree contains unchanged, and all its other entries. */
export const compareLines = (
  lines: readonly string[],
  known: KnownFiles,
  isNote: (path: string) => boolean,
): { readonly isSame: Uint8Array; readonly others: readonly TreeEntry[] } => {
  const isSame = new Uint8Array(known.paths.length);
  const others: TreeEntry[] = [];
  const { paths, blobs } = known;
  // git lists paths in byte order, as SQLite does.
  let place = 0;
  for (const line of lines) {
    let found = line === treeLine(paths[place] ?? '', blobs[place] ?? '') ? place : -1;
    if (found === -1) {
      const [entry] = parseTreeLines([line]);
      if (entry === undefined) continue;
      found = isNote(entry.path) ? known.placeOf(entry.path, place) : -1;
      if (found === -1 || line !== treeLine(entry.path, blobs[found] ?? '')) {
        others.push(entry);
        if (found !== -1) place = found + 1;
        continue;
      }
    }
    isSame[found] = 1;
    place = found + 1;
  }
  return { isSame, others };
};
