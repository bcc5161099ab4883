/** Moves the working tree and git's index from the old history to the purged one. */

import { reconcile } from '../commands/worktree/reconcile.js';
import { announceIndex } from '../commands/worktree/upkeep.js';
import type { Store } from '../commands/worktree/write-store.js';
import { parseRawDiff } from '../events/git/git-log.js';
import { everyChange, runGit } from '../events/git/git-process.js';
import { retryWhileLocked } from '../events/git/git-retry.js';
import { type JournalName, journalFolder } from '../events/note/note.js';
import { isNotePath } from '../events/note/paths.js';
import { clearSetAside, keepNothing } from '../events/worktree/replace-file.js';
import type { CheckedOutFile } from '../events/worktree/working-tree.js';
import { putNoteFile, removeNoteFile } from '../events/worktree/working-tree.js';
import { resetIndex, type Staged } from './clean-git.js';

const filesAtOnce = 500;

/**
 * Writes the new head's version over files that still have the old head's; merges notes that a person edited meanwhile.
 * Returns the paths of other files that could not be written. The old objects must still exist. Under the write lock.
 */
export const checkOutPurged = async (
  store: Store,
  name: JournalName,
  oldHead: string,
  newHead: string,
): Promise<readonly string[]> => {
  const journal = store.journals[name];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', ...everyChange, oldHead, newHead];
  const changes = parseRawDiff(await runGit(journal.folders, args)).filter(({ afterMode }) => afterMode !== '160000');
  const contested: string[] = [];
  const left: string[] = [];
  for (let at = 0; at < changes.length; at += filesAtOnce) {
    const part = changes.slice(at, at + filesAtOnce);
    const bytes = await journal.blobs(part.flatMap(({ after }) => after ?? []));
    const put: CheckedOutFile[] = [];
    const removed: string[] = [];
    for (const { path, before, after, afterMode } of part) {
      store.step('purge:put');
      const content = after === undefined ? undefined : bytes.get(after);
      const isLink = afterMode === '120000' || (after !== undefined && content === undefined);
      const done = isLink
        ? 'changed'
        : content === undefined
          ? removeNoteFile(journal.folder, path, before)
          : putNoteFile(journal.folder, path, content, before);
      if (done === 'changed') (isNotePath(path) ? contested : left).push(path);
      else if (done === 'removed') removed.push(path);
      else if (isNotePath(path)) put.push(done);
    }
    store.state.advance(name, undefined, put, removed);
  }
  store.state.advance(name, newHead, [], []);
  // The row still names the old version, so only the person's own change is adopted.
  if (contested.length > 0) await reconcile(store, name, { look: contested, deletions: 'put-back' });
  // The versions that were just replaced must not survive anywhere.
  clearSetAside(journal.folder, keepNothing);
  return left;
};

/** Stages the entries again, except purged ones, whose paths it returns. */
export const restage = async (
  store: Store,
  name: JournalName,
  staged: readonly Staged[],
  isPurged: (entry: Staged) => boolean,
): Promise<readonly string[]> => {
  const journal = store.journals[name];
  const head = journal.head();
  if (head === undefined) return [];
  const kept = staged.filter((entry) => !isPurged(entry));
  announceIndex(store, name, head);
  await retryWhileLocked(() => resetIndex(journal.folders, head, kept), journal.folders.gitDir, store.log);
  store.state.setFact(`git-index:${journalFolder[name]}`, head);
  return staged.filter(isPurged).map(({ path }) => path);
};
