/** Detects files whose recorded version a killed sync or command has not checked out yet. */
import { dirname } from 'node:path';
import type { Journal } from '../events/journal.js';
import type { BlobId } from '../events/note/note.js';
import { readCheckedOutAt } from '../state/state.js';

/** True when the next command would replace the file, which is as last checked out, with the recorded version. */
export const isNotCheckedOut = (journal: Journal, path: string, blob: BlobId): boolean => {
  const row = readCheckedOutAt(dirname(journal.folder), journal.name, path);
  if (row?.blob !== blob) return false;
  return row.isPending || (row.checkout !== undefined && row.checkout !== journal.head());
};
