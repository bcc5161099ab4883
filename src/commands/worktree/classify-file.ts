/** Classifies a file by the version last checked out, the journal's head and its content. Pure. */
import type { BlobId } from '../../events/note/note.js';

export type FileAction =
  /** All three agree. */
  | 'nothing'
  /** The file already has the head's version; only the record of it is behind. */
  | 'advance'
  /** Check out the head's version, or remove the file if the head has none. */
  | 'put'
  /** A person changed or removed the file: record that as an event. */
  | 'adopt'
  /** A person edited while the journal moved on: merge the two. */
  | 'merge';

/** Implements the table in docs/architecture.md, Reconciling. `base`: the version last checked out, if any. */
export const classifyFile = (
  base: BlobId | undefined,
  head: BlobId | undefined,
  file: BlobId | undefined,
): FileAction => {
  if (file === head) return base === head ? 'nothing' : 'advance';
  if (file === base) return 'put';
  if (base === head) return 'adopt';
  // If one side deleted and the other edited, the edit wins.
  if (file === undefined) return 'put';
  if (head === undefined) return 'adopt';
  return 'merge';
};
