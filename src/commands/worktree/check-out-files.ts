/** Checks out head versions where the files are still as last seen. */
import { Fault } from '../../events/faults.js';
import type { Journal } from '../../events/journal.js';
import { describeTooLarge } from '../../events/note/note.js';
import { readInBatches } from '../../events/read-in-batches.js';
import type { CheckedOutFile } from '../../events/worktree/working-tree.js';
import { putNoteFile, removeNoteFile } from '../../events/worktree/working-tree.js';
import type { FileToPut, LeftFile } from './sort-files.js';
import type { Store } from './write-store.js';

/** `contested` files were changed in the meantime and are left for the next round. Requires the write lock. */
export const checkOutFiles = async (
  store: Store,
  journal: Journal,
  wanted: readonly FileToPut[],
): Promise<{
  readonly put: readonly CheckedOutFile[];
  readonly removed: readonly string[];
  readonly contested: readonly string[];
  /** Files that are too large: git has them, and whatever is at their paths stays. */
  readonly left: readonly LeftFile[];
}> => {
  const put: CheckedOutFile[] = [];
  const removed: string[] = [];
  const contested: string[] = [];
  const left: LeftFile[] = [];
  // Removals come first: a file to write may differ only by case from one to remove.
  for (const { path, head, base } of wanted) {
    if (head !== undefined) continue;
    store.step('put');
    if (removeNoteFile(journal.folder, path, base) === 'removed') removed.push(path);
    else contested.push(path);
  }
  const files = wanted.flatMap((file) => (file.head === undefined ? [] : [{ ...file, blob: file.head }]));
  for await (const { entry, bytes, size } of readInBatches(journal, files)) {
    const { path, blob, base } = entry;
    store.step('put');
    if (bytes === undefined) {
      if (size === undefined)
        throw new Fault('journal-damaged', `git has no object ${blob} for ${path}`, 'run: anamnesis verify');
      left.push({ path, reason: describeTooLarge(size) });
      continue;
    }
    const row = putNoteFile(journal.folder, path, bytes, base);
    if (row === 'changed') contested.push(path);
    else put.push(row);
  }
  return { put, removed, contested, left };
};
