/** Trees of commits: how two differ, and which entries are notes. */
import { cacheAnswers } from '../answer-cache.js';
import type { PathChange, TreeEntry } from '../journal.js';
import type { BlobId } from '../note/note.js';
import { findTwins, isNotePath, whyNoNote } from '../note/paths.js';
import { isFileMode, parseRawDiff, parseTreeLines, treeLine } from './git-log.js';
import { everyChange, type GitFolders, runGit } from './git-process.js';

/** A path that only git carries, and the reason as a phrase. */
export type CarriedPath = { readonly path: string; readonly reason: string };

/** Returns the note files in path order (by UTF-16 code units). */
export const notesAmong = (entries: readonly TreeEntry[]): readonly TreeEntry[] => {
  const notes = entries.filter(({ mode, path }) => isFileMode(mode) && isNotePath(path)).sort(byPath);
  const twins = findTwins(notes.map(({ path }) => path));
  return twins.size === 0 ? notes : notes.filter(({ path }) => !twins.has(path));
};

/** Entries that are only carried: they look like notes, or are links or submodules; not other files (a README). */
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

/** All changed paths, in git's order; `from` undefined is the empty tree. One git call, or none if recently asked. */
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

/** The index, git's own index and the search for returned notes ask for the same. Large ones aren't cached. */
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

/** Returns, by path, every version in the history of `head`; no paths stand for all. One git call. */
export const versionsIn = async (
  folders: GitFolders,
  head: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<BlobId | undefined>>> => {
  const form = ['--format=', '--raw', '-z', '-m', '--no-abbrev', ...everyChange];
  const output = await runGit(folders, ['--literal-pathspecs', 'log', ...form, head, '--', ...paths]);
  const versions = new Map<string, Set<BlobId | undefined>>();
  for (const { path, before, after } of parseRawDiff(output))
    versions.set(path, (versions.get(path) ?? new Set()).add(before).add(after));
  return versions;
};

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
