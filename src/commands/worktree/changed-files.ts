/** Adopts hand edits without delaying writes: searches without the lock, reconciles under it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from '../../events/journal.js';
import { journalNames } from '../../events/note/note.js';
import { compareFiles } from '../../events/worktree/checked-out-files.js';
import { pendingCheckout } from './move-progress.js';
import type { Exclusively, Store } from './write-store.js';

/**
 * Compares each file with its row, in half the time of comparing with the head; the whole tree only if rows can't tell.
 * A file written meanwhile may be examined in vain, but is never taken for a hand edit.
 */
export const adoptChanges = async (store: Store, exclusively: Exclusively): Promise<void> => {
  for (const name of journalNames) {
    const journal = store.journals[name];
    const changed = await findChanged(store, journal);
    if (changed?.length === 0) continue;
    const { reconcile } = await import('./reconcile.js');
    // Needed in nearly every case, and loaded here so that a process waiting for the lock does not wait for this too.
    await import('./settle-files.js');
    await exclusively(() => reconcile(store, name, { look: changed ?? 'all', deletions: 'hold' }));
  }
};

/** Returns undefined if the rows can't tell. */
const findChanged = async (store: Store, journal: Journal): Promise<readonly string[] | undefined> => {
  if (!(await isAtRest(store, journal))) return undefined;
  const rows = store.state.allStamps(journal.name);
  const { changed, missing } = await compareFiles(journal.folder, rows, false);
  if (journal.head() === undefined) return rows.size + changed.length === 0 ? [] : undefined;
  return [...changed, ...missing];
};

/** A write spends a few milliseconds between its commit and its checkpoint; a killed one stays there. */
const isAtRest = async (store: Store, journal: Journal): Promise<boolean> => {
  for (let look = 0; look < looks; look += 1) {
    if (!journal.exists()) return false;
    const head = journal.head();
    if (store.state.checkout(journal.name) === head)
      return journal.name !== 'portable' || pendingCheckout(store) === undefined;
    await sleep(lookAgainMs);
  }
  return false;
};

const looks = 20;
const lookAgainMs = 3;
