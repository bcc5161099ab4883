/** Finds the version last checked out at a path, even without a record of it. */

import type { GitJournal } from '../../events/git/git-journal.js';
import type { BlobId } from '../../events/note/note.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';

/** The version in the working tree now; undefined if there is no file or it can't be read. */
export const currentBlob = (journal: GitJournal, path: string): BlobId | undefined => {
  const found = readNoteFile(journal.folder, path);
  return found.kind === 'file' ? found.row.blob : undefined;
};

/**
 * For a working tree without records (state.db was lost): a file equal to any earlier version of its path is stale, any
 * other file is a hand edit, and a missing file is put back.
 */
export const guessBase = async (
  journal: GitJournal,
  head: string | undefined,
  path: string,
  inHead: BlobId | undefined,
): Promise<BlobId | undefined> => {
  const file = currentBlob(journal, path);
  if (file === undefined || head === undefined) return undefined;
  if (file === inHead) return file;
  return (await journal.versions(head, path)).has(file) ? file : inHead;
};
