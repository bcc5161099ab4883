/** Makes room for a folder that came where the working tree has a file: the file gets the name that it has in git. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../events/faults.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { diffTrees } from '../events/git/note-tree.js';
import { foldersAbove, isOtherName } from '../events/merge/tree-state.js';
import { moveIfFree } from '../events/worktree/replace-file.js';
import { readNoteFile } from '../events/worktree/working-tree.js';

/**
 * `paths` could not be put. Leaves a file that was edited since, one that git has under no other name, and one whose
 * name is too long here; the notes below it are then reported as left alone. Makes one git call if a file is in the
 * way.
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
    const named = changes.find((change) => change.after === before && isOtherName(path, before ?? '', change.path));
    if (before === undefined || named === undefined) continue;
    const found = readNoteFile(folder, path, before);
    if (found.kind === 'file' && found.row.blob === before)
      moveIfPossible(join(folder, path), join(folder, named.path));
  }
};

/** Some file systems don't allow names as long as git does. */
const moveIfPossible = (file: string, target: string): void => {
  try {
    moveIfFree(file, target);
  } catch (error) {
    if (codeOf(error) !== 'ENAMETOOLONG') throw error;
  }
};

const fileAbove = (folder: string, path: string): string | undefined => {
  for (const above of foldersAbove(path)) {
    const stat = lstatSync(join(folder, above), { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) return stat?.isFile() === true ? above : undefined;
  }
  return undefined;
};
