/**
 * Trees of commits: how two differ, and which entries are notes. Other entries stay in git; they are never checked out
 * and never indexed.
 */

import { cacheAnswers } from '../answer-cache.js';
import type { PathChange, TreeEntry } from '../journal.js';
import { findTwins, isNotePath, noteFolders, whyNoNote } from '../note/paths.js';
import { isFileMode, parseRawDiff } from './git-log.js';
import { everyChange, type GitFolders, runGit } from './git-process.js';
import { splitFields } from './path-bytes.js';

/** A path that only git carries, and the reason as a phrase. */
export type CarriedPath = { readonly path: string; readonly reason: string };

/** Returns the note files in path order (by UTF-16 code units). */
export const notesAmong = (entries: readonly TreeEntry[]): readonly TreeEntry[] => {
  const notes = entries.filter(({ mode, path }) => isFileMode(mode) && isNotePath(path)).sort(byPath);
  const twins = findTwins(notes.map(({ path }) => path));
  return twins.size === 0 ? notes : notes.filter(({ path }) => !twins.has(path));
};

/**
 * Returns entries that are only carried: they look like notes, or are links or submodules. Omits other files (a
 * README).
 */
export const carriedAmong = (entries: readonly TreeEntry[]): readonly CarriedPath[] => {
  const notes = entries.filter(({ mode, path }) => isFileMode(mode) && isNotePath(path)).sort(byPath);
  const twins = findTwins(notes.map(({ path }) => path));
  const carried: CarriedPath[] = [];
  for (const { path, mode } of entries) {
    const reason = whyCarried(path, mode, twins);
    if (reason !== undefined) carried.push({ path, reason });
  }
  return carried.sort(byPath);
};

export const whyCarried = (path: string, mode: string, twins: ReadonlyMap<string, string>): string | undefined => {
  if (mode === '120000') return 'a symbolic link';
  if (mode === '160000') return 'a repository inside this one';
  const first = twins.get(path);
  return first === undefined ? whyNoNote(path) : describeTwin(first);
};

export const describeTwin = (first: string): string => `its path differs only by case from ${first}`;

/**
 * Returns the folders directly below the note folders. `standApart` uses them to tell whether two trees differ only in
 * their notes: a changed path may be the twin of another path, which then appears or disappears without having changed.
 */
export const noteFoldersIn = async (folders: GitFolders, commit: string): Promise<readonly string[]> =>
  keepFolders(folders.gitDir, [commit], async () => {
    const places = noteFolders.map((folder) => `${folder}/`);
    const output = await runGit(folders, ['ls-tree', '-z', '-d', '--name-only', '--full-tree', commit, ...places]);
    return splitFields(output).filter(Boolean);
  });

/** A sync compares several commits with the same one. */
const keepFolders = cacheAnswers<readonly string[]>(2);

/**
 * Returns all changed paths, notes or not, in git's order; `from` undefined is the empty tree. One git call, or none if
 * recently asked.
 */
export const diffTrees = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
): Promise<readonly PathChange[]> =>
  keepDifference(folders.gitDir, [from, to], async () => {
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', ...everyChange];
    if (from !== undefined) return parseRawDiff(await runGit(folders, [...args, from, to]));
    return parseRawDiff(await runGit(folders, [...args, await emptyTreeOf(folders), to]));
  });

/** Returns the id of the empty tree, which depends on the repository's hash function. One git call. */
export const emptyTreeOf = async (folders: GitFolders): Promise<string> =>
  (await runGit(folders, ['hash-object', '-t', 'tree', '--stdin'])).toString('latin1').trim();

/**
 * The index, git's own index and the search for returned notes ask for the same difference. Large ones aren't cached.
 */
const keepDifference = cacheAnswers<readonly PathChange[]>(2, (changes) => changes.length <= 1000);

/** Keeps what a commit that was just made changes. */
export const rememberDifference = async (
  { gitDir }: GitFolders,
  from: string,
  to: string,
  changes: readonly PathChange[],
): Promise<void> => {
  await keepDifference(gitDir, [from, to], async () => changes);
};

/** Returns the notes that differ between two trees; input and output are in path order. */
export const compareNotes = (from: readonly TreeEntry[], to: readonly TreeEntry[]): readonly PathChange[] => {
  const before = new Map(from.map((entry) => [entry.path, entry]));
  const after = new Map(to.map((entry) => [entry.path, entry]));
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path)?.blob !== after.get(path)?.blob,
  );
  return paths
    .map((path) => {
      const now = after.get(path);
      return { path, before: before.get(path)?.blob, after: now?.blob, afterMode: now?.mode ?? '000000' };
    })
    .sort(byPath);
};

export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
