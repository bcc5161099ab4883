/** Files in which a killed sync or command has not laid its version out yet. */
import { dirname } from 'node:path';
import type { GitJournal } from '../events/git/git-journal.js';
import type { BlobId } from '../events/note/note.js';
import { readPersonsMoves } from '../events/worktree/persons-moves.js';
import { readLaidOutAt } from '../state/state.js';

/**
 * Whether the next command would replace the file by the recorded version. A file is also as it was laid out last where a
 * person committed and took that back in the file; then it is theirs, as it is where nothing can be told.
 */
export const isNotLaidOut = (journal: GitJournal, path: string, blob: BlobId): boolean => {
  const row = readLaidOutAt(dirname(journal.folder), journal.name, path);
  if (row?.blob !== blob) return false;
  const head = journal.head();
  if (row.checkout === head || row.checkout === undefined || head === undefined) return row.isPending;
  return readPersonsMoves(journal.folders.gitDir, row.checkout, head).length === 0;
};
