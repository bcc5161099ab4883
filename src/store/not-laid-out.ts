/** Files in which a killed sync or command has not laid its version out yet. */
import { dirname } from 'node:path';
import type { GitJournal } from '../events/git/git-journal.js';
import type { BlobId } from '../events/note/note.js';
import { readPersonsMoves } from '../events/worktree/persons-moves.js';
import { readLaidOutAt } from '../state/state.js';

/**
 * Whether the next command would replace the file by the recorded version. A file also looks as it was laid out last if a
 * person committed a change and took it back in the file. Then it is theirs, and so it is if nothing can be told.
 */
export const isNotLaidOut = (journal: GitJournal, path: string, blob: BlobId): boolean => {
  const row = readLaidOutAt(dirname(journal.folder), journal.name, path);
  if (row?.blob !== blob) return false;
  const head = journal.head();
  if (row.checkout === head || row.checkout === undefined || head === undefined) return row.isPending;
  return readPersonsMoves(journal.folders.gitDir, row.checkout, head).length === 0;
};
