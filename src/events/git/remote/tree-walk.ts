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
): Promise<Walked> => walkEach(folders, [{ from, to }], take);

export type Walked = 'whole' | 'stopped' | 'unreadable';
export type Pair = { readonly from: string | undefined; readonly to: string };

/** The same of many pairs of commits, all of them level by level together. */
export const walkEach = async (
  folders: GitFolders,
  pairs: readonly Pair[],
  take: (entry: TreeEntry) => boolean,
): Promise<Walked> => {
  const commits = [...new Set(pairs.flatMap(({ from, to }) => [to, ...(from === undefined ? [] : [from])]))];
  const reader = openTreeReader(folders);
  try {
    const trees = await reader.read(commits.map((commit) => `${checkCommit(commit)}^{tree}`));
    const roots = new Map(commits.map((commit, at) => [commit, rootOf(trees[at], commit)]));
    const differing = pairs.flatMap(({ from, to }): readonly Folder[] => {
      const [before, after = ''] = [from === undefined ? undefined : roots.get(from), roots.get(to)];
      return after === before ? [] : [{ path: '', before, after }];
    });
    return await walkLevels(reader, differing, take);
  } finally {
    reader.close();
  }
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
    const ids = new Set(level.flatMap((folder) => [folder.after, folder.before ?? folder.after]));
    const parsed = new Map<string, ReadonlyMap<string, Child>>();
    for (const { id, bytes } of await reader.read([...ids])) {
      const children = bytes === undefined ? undefined : parseChildren(bytes, id.length / 2);
      if (children !== undefined) parsed.set(id, children);
    }
    const below: Folder[] = [];
    for (const folder of level) {
      const now = parsed.get(folder.after);
      const old = folder.before === undefined ? undefined : parsed.get(folder.before);
      if (now === undefined) return 'unreadable';
      for (const [name, { mode, id }] of now) {
        const other = old?.get(name);
        if (other?.id === id && other.mode === mode) continue;
        const path = `${folder.path}${name}`;
        if (!take({ mode, blob: id, path })) return 'stopped';
        if (mode !== folderMode) continue;
        below.push({ path: `${path}/`, before: other?.mode === folderMode ? other.id : undefined, after: id });
      }
    }
    level = below;
  }
  return 'whole';
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
