/**
 * Walks what differs between two trees, one level of folders at a time, in memory that is bounded by how many entries were
 * looked at. `git diff-tree` collects the whole difference before it prints a line: of a tree that holds itself thirty
 * times over, twelve deep, it takes all the memory of the machine.
 */

import { isObjectId } from '../../claims.js';
import type { TreeEntry } from '../../journal.js';
import type { StreamedObject } from '../blob-stream.js';
import { GitError, type GitFolders } from '../git-process.js';
import { decodePath } from '../path-bytes.js';
import { checkCommit } from '../stream-form.js';
import { openTreeReader, type TreeReader } from './tree-reader.js';

/**
 * Tells of every entry of `to`, folders too, that is not the same in `from` (undefined is the empty tree); upper levels come
 * first. False from `take` ends the walk. 'unreadable' when a folder is not there or has no form; throws GitError when one
 * of the commits is none. One git call.
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
 * How many entries differ in all of the pairs together, those that are gone and folders included; once there are more than
 * `most`, no more are counted. Trees that differ in many places alike are read and compared once, so that time and memory are
 * bounded by the trees that were sent, however often one contains another. One git call.
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

/** The folders that an entry was and is, undefined for what is none; undefined in all where the tree can't be read. */
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

/** Folders in the place of one another, how often; without `after` they are gone. */
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

/** Each with the folder that it takes the place of; undefined where the tree can't be read. */
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

/** A tree object: `<mode> <name>`, a NUL and the bytes of the id, again and again. */
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
