/** Decides for every command which files may be replaced or removed. */

import type { FileChange } from '../../events/event.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { describeInFile, parseNoteFile } from '../../events/note/note-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { Store } from './write-store.js';

/**
 * The version that may be replaced: the head's, or the one checked out before; git has both. Any other is a person's,
 * who may still want it. Undefined if there must be no file. The index must be at the head.
 */
export const replaceableAt = (store: Store, name: JournalName, path: string): BlobId | undefined => {
  const head = store.lookup.blobAt(name, path);
  const checkedOut = store.state.checkedOut(name, path)?.blob;
  if (checkedOut === undefined || checkedOut === head) return head;
  const file = readNoteFile(store.journals[name].folder, path, checkedOut);
  return file.kind === 'file' && file.row.blob === checkedOut ? checkedOut : head;
};

/** The obstacle to a change: a hand edit that must be adopted first, or the reason it can't be checked out at all. */
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
