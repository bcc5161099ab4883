/**
 * Walks the difference between two trees, one level of folders at a time, in memory bounded by the number of entries
 * visited. `git diff-tree` collects the whole difference before it prints a line: for a tree that contains itself
 * thirty times over, twelve levels deep, it takes all the machine's memory.
 */

import type { TreeEntry } from '../../journal.js';
import { isObjectId } from '../../note/blob-id.js';
import type { StreamedObject } from '../blob-stream.js';
import { GitError, type GitFolders } from '../git-process.js';
import { decodePath } from '../path-bytes.js';
import { checkCommit } from '../stream-form.js';
import { openTreeReader, type TreeReader } from './tree-reader.js';

/**
 * Calls `take` with every entry of `to`, including folders, that differs from `from` (undefined is the empty tree),
 * upper levels first. When `take` returns false, the walk ends. Returns 'unreadable' when a folder is missing or
 * malformed; throws GitError when one of the two is not a commit. One git call.
 */
export const walkChanged = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
  take: (entry: TreeEntry) => boolean,
): Promise<Walked> => {
  const reader = openTreeReader(folders);
  try {
    return await walkLevels(reader, await rootsOf(reader, [{ from, to }]), take);
  } finally {
    reader.close();
  }
};

type Walked = 'whole' | 'stopped' | 'unreadable';

/** Two commits; `from` undefined is the empty tree. */
export type Pair = { readonly from: string | undefined; readonly to: string };

/**
 * Counts the entries that differ in all pairs together, including removed ones and folders; stops soon after `most`.
 * Identical pairs of folders are read and compared once, so time and memory are bounded by the trees that were sent,
 * however often one contains another. One git call.
 */
export const countChanged = async (
  folders: GitFolders,
  pairs: readonly Pair[],
  most: number,
): Promise<number | 'unreadable'> => {
  const reader = openTreeReader(folders);
  try {
    let count = 0;
    let level = foldAlike((await rootsOf(reader, pairs)).map((folder) => ({ ...folder, times: 1 })));
    while (level.length > 0) {
      const parsed = await readTrees(reader, level);
      const below: Alike[] = [];
      for (const { before, after, times } of level) {
        const entries = differingEntries(parsed, before, after);
        if (entries === undefined) return 'unreadable';
        count += times * entries.length;
        if (count > most) return count;
        for (const [old, now] of entries)
          if (old !== undefined || now !== undefined) below.push({ before: old, after: now, times });
      }
      level = foldAlike(below);
    }
    return count;
  } finally {
    reader.close();
  }
};

/**
 * Returns, for each differing entry, the ids of the folders that it was and is (undefined if not a folder); returns
 * undefined when the tree can't be read.
 */
const differingEntries = (
  parsed: Trees,
  before: string | undefined,
  after: string | undefined,
): readonly (readonly [before: string | undefined, after: string | undefined])[] | undefined => {
  const now = after === undefined ? noChildren : parsed.get(after);
  const old = (before === undefined ? undefined : parsed.get(before)) ?? noChildren;
  if (now === undefined) return undefined;
  const folderOf = (child: Child | undefined): string | undefined =>
    child?.mode === folderMode ? child.id : undefined;
  return [
    ...[...now].flatMap(([name, child]) => {
      const other = old.get(name);
      return other?.id === child.id && other.mode === child.mode ? [] : [[folderOf(other), folderOf(child)] as const];
    }),
    ...[...old].flatMap(([name, child]) => (now.has(name) ? [] : [[folderOf(child), undefined] as const])),
  ];
};

const noChildren: ReadonlyMap<string, Child> = new Map();

/** A folder, its replacement, and how often this pair occurs; without `after` the folder was removed. */
type Alike = { readonly before: string | undefined; readonly after: string | undefined; readonly times: number };

const foldAlike = (level: readonly Alike[]): readonly Alike[] => {
  const folded = new Map<string, Alike>();
  for (const { before, after, times } of level) {
    const key = `${before} ${after}`;
    folded.set(key, { before, after, times: times + (folded.get(key)?.times ?? 0) });
  }
  return [...folded.values()];
};

const rootsOf = async (reader: TreeReader, pairs: readonly Pair[]): Promise<readonly Folder[]> => {
  const commits = [...new Set(pairs.flatMap(({ from, to }) => (from === undefined ? [to] : [to, from])))];
  const trees = await reader.read(commits.map((commit) => `${checkCommit(commit)}^{tree}`));
  const roots = new Map(commits.map((commit, at) => [commit, rootOf(trees[at], commit)]));
  return pairs.flatMap(({ from, to }) => {
    const [before, after = ''] = [from === undefined ? undefined : roots.get(from), roots.get(to)];
    return after === before ? [] : [{ path: '', before, after }];
  });
};

const rootOf = (tree: StreamedObject | undefined, commit: string): string => {
  if (tree !== undefined && isObjectId(tree.id)) return tree.id;
  throw new GitError(['cat-file'], null, `bad object ${commit}`);
};

const walkLevels = async (
  reader: TreeReader,
  roots: readonly Folder[],
  take: (entry: TreeEntry) => boolean,
): Promise<Walked> => {
  let level = roots;
  while (level.length > 0) {
    const parsed = await readTrees(reader, level);
    const below: Folder[] = [];
    for (const folder of level) {
      const children = differingChildren(parsed, folder);
      if (children === undefined) return 'unreadable';
      for (const { name, child, before } of children) {
        const path = `${folder.path}${name}`;
        if (!take({ mode: child.mode, blob: child.id, path })) return 'stopped';
        if (child.mode === folderMode) below.push({ path: `${path}/`, before, after: child.id });
      }
    }
    level = below;
  }
  return 'whole';
};

type Trees = ReadonlyMap<string, ReadonlyMap<string, Child>>;

const readTrees = async (reader: TreeReader, level: readonly Pick<Alike, 'before' | 'after'>[]): Promise<Trees> => {
  const ids = new Set(level.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()));
  const parsed = new Map<string, ReadonlyMap<string, Child>>();
  for (const { id, bytes } of await reader.read([...ids])) {
    const children = bytes === undefined ? undefined : parseChildren(bytes, id.length / 2);
    if (children !== undefined) parsed.set(id, children);
  }
  return parsed;
};

/** Returns the differing children, each with the folder that it replaces; undefined when the tree can't be read. */
const differingChildren = (
  parsed: Trees,
  { before, after }: Omit<Folder, 'path'>,
): readonly { readonly name: string; readonly child: Child; readonly before: string | undefined }[] | undefined => {
  const old = before === undefined ? undefined : parsed.get(before);
  const now = parsed.get(after);
  return (
    now &&
    [...now].flatMap(([name, child]) => {
      const other = old?.get(name);
      if (other?.id === child.id && other.mode === child.mode) return [];
      return [{ name, child, before: other?.mode === folderMode ? other.id : undefined }];
    })
  );
};

/** As `git ls-tree` prints it. */
export const folderMode = '040000';

type Folder = { readonly path: string; readonly before: string | undefined; readonly after: string };
type Child = { readonly mode: string; readonly id: string };

/** Parses a tree object: repeated `<mode> <name>`, a NUL and the bytes of the id. */
const parseChildren = (tree: Buffer, idBytes: number): ReadonlyMap<string, Child> | undefined => {
  const children = new Map<string, Child>();
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(32, at);
    const end = space === -1 ? -1 : tree.indexOf(0, space);
    if (end === -1 || end + 1 + idBytes > tree.length) return undefined;
    const mode = tree.toString('latin1', at, space).padStart(6, '0');
    children.set(decodePath(tree.subarray(space + 1, end)), {
      mode,
      id: tree.toString('hex', end + 1, end + 1 + idBytes),
    });
    at = end + 1 + idBytes;
  }
  return children;
};
