/** Moves the branch to a head that contains what came and what was here, and then the files. */
import { announceMove, finishMove } from '../commands/worktree/move-progress.js';
import { reconcile } from '../commands/worktree/reconcile.js';
import type { Exclusively, Store } from '../commands/worktree/write-store.js';
import { moveBranch } from '../events/git/branch.js';
import { type GitFolders, runGit } from '../events/git/git-process.js';
import type { Difference } from '../events/journal.js';
import type { NoteId } from '../events/note/note.js';
import { checkOutPending } from './checkout.js';
import { mergeHeads } from './merge-heads.js';

export type HeadMove = {
  /** Where the branch is now: it has `target`, and what was written here meanwhile. */
  readonly head: string;
  /** Events that came, without merges, which nobody wrote. */
  readonly pulled: number;
  /** Files that were passed to the index. */
  readonly indexed: number;
  /** Notes that a merge among them brought back. */
  readonly returned: readonly NoteId[];
};

/**
 * Locks only for the move, unless something was written meanwhile: that is merged under the lock, in the time of a
 * write of a few notes. The files follow in slices. If it is killed, the next command finishes.
 */
export const land = async (
  store: Store,
  exclusively: Exclusively,
  from: string | undefined,
  target: string,
  known?: Difference | undefined,
): Promise<HeadMove> => {
  const journal = store.journals.portable;
  const read = known ?? (await store.lookup.difference(journal, from, target, true));
  const moved = await exclusively(async () => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      await reconcile(store, 'portable', { look: [], deletions: 'hold' });
      const head = journal.head();
      if (head === from) {
        if (await move(store, head, target, read)) return { head: target, difference: read };
        continue;
      }
      const to = await toward(store, head, target);
      if (to === head) return { head: to, difference: undefined };
      const difference = await store.lookup.difference(journal, head, to, true);
      if (await move(store, head, to, difference)) return { head: to, difference };
    }
    throw new Error('another program kept moving the branch while it was being synced');
  });
  await checkOutPending(store, exclusively, moved.difference);
  // A difference that is too large for the index is left to a replay; and what came may have an id of local/.
  await exclusively(() => reconcile(store, 'portable', { look: [], deletions: 'hold' }));
  const { head, difference } = moved;
  const events = difference?.events ?? [];
  const merges = events.map(({ event }) => event).filter(({ kind }) => kind === 'machines.merged');
  return {
    head,
    pulled:
      difference === undefined
        ? await countEvents(journal.folders, from, head)
        : events.filter(({ parents }) => parents.length < 2).length,
    indexed: difference?.changes.length ?? (await journal.diff(from, head)).length,
    returned: [...new Set(merges.flatMap(({ returned }) => returned ?? []))],
  };
};

const countEvents = async (folders: GitFolders, from: string | undefined, head: string): Promise<number> => {
  const range = from === undefined ? [head] : [head, `^${from}`];
  return Number((await runGit(folders, ['rev-list', '--count', '--no-merges', ...range, '--'])).toString('latin1'));
};

/** Another git program may commit between our look and our move. */
const attempts = 4;

/** Returns a head that has both; `head` is what was written here since the target was made. */
const toward = async (store: Store, head: string | undefined, target: string): Promise<string> => {
  const journal = store.journals.portable;
  if (head === undefined || (await journal.contains(target, head))) return target;
  if (await journal.contains(head, target)) return head;
  return (await mergeHeads(store, { ours: head, theirs: target })).commit;
};

/** Under the write lock; false if another program moved the branch. */
export const move = async (
  store: Store,
  head: string | undefined,
  target: string,
  difference: Difference | undefined,
): Promise<boolean> => {
  announceMove(store, head, target);
  store.step('sync:move');
  if (!(await moveBranch(store.journals.portable.folders, head, target, store.log))) return false;
  store.step('sync:moved');
  finishMove(store);
  store.step('sync:checkpoint');
  if (difference !== undefined) await store.lookup.record(difference);
  store.step('sync:indexed');
  return true;
};
