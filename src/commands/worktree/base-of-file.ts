/** The version last checked out at a path, even where no record of it is left. */

import type { GitJournal } from '../../events/git/git-journal.js';
import type { BlobId } from '../../events/note/note.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';

/** Version that stands in the working tree now, undefined when there is none or it can't be read. */
export const currentBlob = (journal: GitJournal, path: string): BlobId | undefined => {
  const found = readNoteFile(journal.folder, path);
  return found.kind === 'file' ? found.row.blob : undefined;
};

/**
 * Nothing is recorded of the working tree (state.db was lost): a file equal to any earlier version of its path is
 * stale, anything else is a hand edit, and a missing file is put back.
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
