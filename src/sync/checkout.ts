/** Checks out what a sync brought, in short slices, so that no write waits long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutFrom, checkoutIsDone, pendingCheckout } from '../commands/worktree/move-progress.js';
import { reconcile } from '../commands/worktree/reconcile.js';
import type { Exclusively, Store } from '../commands/worktree/write-store.js';
import type { Difference, PathChange } from '../events/journal.js';
import type { BlobId } from '../events/note/note.js';
import { heldAtOnce } from '../events/read-in-batches.js';
import type { CheckedOutFile } from '../events/worktree/working-tree.js';
import { putNoteFile, removeNoteFile } from '../events/worktree/working-tree.js';

/** A write waits at most about this long. */
const sliceMs = 40;
/** A process that waits for the lock polls every few milliseconds; without a pause it would never get it. */
const pauseMs = 5;
/** Number of contents that are read in one git call and held in memory. */
const chunkSize = 1000;

/**
 * Returns how many paths were examined; killed, the next call starts over. Reads contents without the lock. Writes a
 * path only if its row names the version before the sync; reconciling does the rest. `known`: the difference, if read.
 */
export const checkOutPending = async (
  store: Store,
  exclusively: Exclusively,
  known?: Difference | undefined,
): Promise<number> => {
  const journal = store.journals.portable;
  const pending = pendingCheckout(store);
  const head = journal.head();
  if (pending === undefined) return 0;
  const isKnown = known !== undefined && known.from === checkoutFrom(pending) && known.to === head;
  const changes = head === undefined ? [] : isKnown ? known.changes : await journal.diff(checkoutFrom(pending), head);
  const contested: string[] = [];
  for (let from = 0; from < changes.length; from += chunkSize) {
    const chunk = changes.slice(from, from + chunkSize);
    // Files that don't fit into memory with the others are left to reconciling, which reads one at a time.
    const wanted = chunk.flatMap(({ after }) => (after === undefined ? [] : [after]));
    const bytes = isKnown ? known.bytes : await journal.blobs(wanted, heldAtOnce);
    for (let at = 0; at < chunk.length; ) {
      const slice = chunk.slice(at);
      at += await exclusively(async () => putSlice(store, slice, bytes, contested));
      await sleep(pauseMs);
    }
  }
  for (let at = 0; at < contested.length; at += reconciledAtOnce) {
    const look = contested.slice(at, at + reconciledAtOnce);
    await exclusively(() => reconcile(store, 'portable', { look, deletions: 'hold' }));
    await sleep(pauseMs);
  }
  await exclusively(async () => {
    if (pendingCheckout(store) === pending) checkoutIsDone(store);
  });
  return changes.length;
};

const reconciledAtOnce = 100;

/** Puts as many files as fit into the time of a slice, at least one; returns how many. */
const putSlice = (
  { state, journals, step }: Store,
  changes: readonly PathChange[],
  bytes: ReadonlyMap<BlobId, Buffer>,
  contested: string[],
): number => {
  const { folder } = journals.portable;
  const sinceMs = performance.now();
  const put: CheckedOutFile[] = [];
  const removed: string[] = [];
  let done = 0;
  for (const { path, before, after } of changes) {
    const row = state.checkedOut('portable', path);
    const content = after === undefined ? undefined : bytes.get(after);
    step('sync:put');
    if (row?.blob !== before || (after !== undefined && content === undefined)) {
      if (row?.blob !== after) contested.push(path);
    } else if (content === undefined) {
      if (removeNoteFile(folder, path, before) === 'removed') removed.push(path);
      else contested.push(path);
    } else {
      const written = putNoteFile(folder, path, content, before);
      if (written === 'changed') contested.push(path);
      else put.push(written);
    }
    done += 1;
    if (performance.now() - sinceMs > sliceMs) break;
  }
  state.advance('portable', undefined, put, removed);
  return done;
};
