/** Classifies a file by the version last checked out, the journal's head and its content. Pure. */
import type { BlobId } from '../../events/note/note.js';

export type Reconciling =
  /** All three agree. */
  | 'nothing'
  /** The file is the head's already; only the record of it is behind. */
  | 'advance'
  /** Put the head's version, or remove the file where the head has none. */
  | 'put'
  /** A person changed or removed the file: record that as an event. */
  | 'adopt'
  /** A person edited while the journal moved on: merge the two. */
  | 'merge';

/** design §4's table. `base` is what we last checked out at the path; undefined means that there is no file. */
export const reconcilePath = (
  base: BlobId | undefined,
  head: BlobId | undefined,
  file: BlobId | undefined,
): Reconciling => {
  if (file === head) return base === head ? 'nothing' : 'advance';
  if (file === base) return 'put';
  if (base === head) return 'adopt';
  // A delete against an edit keeps the edit, whichever side made it.
  if (file === undefined) return 'put';
  if (head === undefined) return 'adopt';
  return 'merge';
};
