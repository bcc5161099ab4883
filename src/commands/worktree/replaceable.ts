/** Which files may be replaced or removed: the one place that decides it for every command. */

import type { FileChange } from '../../events/event.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { describeInFile, parseNoteFile } from '../../events/note/note-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import { currentBlob } from './base-of-file.js';
import type { Store } from './write-store.js';

/**
 * The version that a file must hold to be replaced or removed, undefined where there must be none: what the journal's head
 * has at the path or, where that is not checked out yet, what was checked out before. Both are in git. Whatever else stands
 * there is a person's, and what they may still want. The index must be at the head.
 */
export const replaceableAt = (store: Store, name: JournalName, path: string): BlobId | undefined => {
  const head = store.lookup.blobAt(name, path);
  const checkedOut = store.state.checkedOut(name, path)?.blob;
  if (checkedOut === undefined || checkedOut === head) return head;
  return currentBlob(store.journals[name], path) === checkedOut ? checkedOut : head;
};

/** The obstacle to a change: a hand edit that has to be taken in first, or why it can't be checked out at all. */
export type Hindrance = { readonly kind: 'edit' } | { readonly kind: 'block'; readonly reason: string };

export const findHindrance = (store: Store, { journal, path }: FileChange): Hindrance | undefined => {
  const { folder } = store.journals[journal];
  const replaceable = replaceableAt(store, journal, path);
  const found = readNoteFile(folder, path, replaceable);
  if (found.kind === 'obstacle') return { kind: 'block', reason: found.reason };
  if (found.kind === 'absent' || found.row.blob === replaceable) return undefined;
  const parsed = parseNoteFile(found.bytes, journal, path);
  return parsed.ok ? { kind: 'edit' } : { kind: 'block', reason: describeInFile(parsed.problem) };
};
