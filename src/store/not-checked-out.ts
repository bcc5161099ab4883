/** Detects files whose recorded version a killed sync or command has not checked out yet. */
import { dirname } from 'node:path';
import type { GitJournal } from '../events/git/git-journal.js';
import type { BlobId } from '../events/note/note.js';
import { readHeadMoves } from '../events/worktree/head-moves.js';
import { readCheckedOutAt } from '../state/state.js';

/**
 * True when the next command would replace the file with the recorded version. A file also looks as last checked out
 * when a person committed a change and then reverted it in the file; then, or when in doubt, the file counts as theirs.
 */
export const isNotCheckedOut = (journal: GitJournal, path: string, blob: BlobId): boolean => {
  const row = readCheckedOutAt(dirname(journal.folder), journal.name, path);
  if (row?.blob !== blob) return false;
  const head = journal.head();
  if (row.checkout === head || row.checkout === undefined || head === undefined) return row.isPending;
  return readHeadMoves(journal.folders.gitDir, row.checkout, head).length === 0;
};
