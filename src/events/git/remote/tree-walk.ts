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
): Promise<'whole' | 'stopped' | 'unreadable'> => {
  const reader = openTreeReader(folders);
  try {
    const roots = [to, ...(from === undefined ? [] : [from])].map((commit) => `${checkCommit(commit)}^{tree}`);
    const [after, before] = await reader.read(roots);
    return await walkLevels(reader, rootOf(after, to), from === undefined ? undefined : rootOf(before, from), take);
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
  after: string,
  before: string | undefined,
  take: (entry: TreeEntry) => boolean,
): Promise<'whole' | 'stopped' | 'unreadable'> => {
  let level: readonly Folder[] = after === before ? [] : [{ path: '', before, after }];
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
