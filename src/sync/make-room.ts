/** Makes room in the working tree for a folder that came where a person has a file: the file gets the name that it has in git. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { GitJournal } from '../events/git/git-journal.js';
import { diffTrees } from '../events/git/note-tree.js';
import { moveIfFree } from '../events/worktree/replace-file.js';
import { readNoteFile } from '../events/worktree/working-tree.js';
import { foldersAbove } from './reappend/stand-apart.js';

/**
 * `paths` could not be put. A file that the person went on editing stays, as does one that git has under no other name; the
 * notes below it are named then, as left alone. One git call where a file is in the way.
 */
export const makeRoom = async (
  { folder, folders }: GitJournal,
  from: string | undefined,
  head: string,
  paths: readonly string[],
): Promise<void> => {
  const inTheWay = new Set(paths.flatMap((path) => fileAbove(folder, path) ?? []));
  if (inTheWay.size === 0 || from === undefined) return;
  const changes = await diffTrees(folders, from, head);
  for (const path of inTheWay) {
    const before = changes.find((change) => change.path === path && change.after === undefined)?.before;
    const named = changes.find((change) => change.after === before && change.path.startsWith(`${path}.`));
    if (before === undefined || named === undefined) continue;
    const found = readNoteFile(folder, path, before);
    if (found.kind === 'file' && found.row.blob === before) moveIfFree(join(folder, path), join(folder, named.path));
  }
};

const fileAbove = (folder: string, path: string): string | undefined => {
  for (const above of foldersAbove(path)) {
    const stat = lstatSync(join(folder, above), { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) return stat?.isFile() === true ? above : undefined;
  }
  return undefined;
};
