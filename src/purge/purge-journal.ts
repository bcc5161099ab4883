/** Purges one journal: writes its new history beside the old one, then moves the refs to it. */

import type { Store } from '../commands/worktree/write-store.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { runGit } from '../events/git/git-process.js';
import { retryWhileLocked } from '../events/git/git-retry.js';
import { branch } from '../events/git/journal-ref.js';
import { formatIdentity } from '../events/git/stream-form.js';
import { purgingRef } from './new-history.js';
import { moveRefs, type RefMove } from './refs.js';
import { type RewrittenHistory, rewriteHistory } from './rewrite.js';
import type { JournalScan, Scan } from './scan.js';

/** Counts what would change; writes nothing. */
export const countHistory = (scan: Scan, one: JournalScan): Promise<RewrittenHistory> =>
  rewriteHistory(one.journal.folders, { ...rewritingOf(scan, one), into: undefined });

/** A new history, written beside the old one but not in use yet. */
export type NewJournal = {
  readonly journal: GitJournal;
  readonly rewritten: RewrittenHistory;
  readonly oldHead: string | undefined;
  readonly newHead: string | undefined;
  readonly moves: readonly RefMove[];
};

/** The event that records the purge, to be committed on top of the new main. */
export type PurgeCommit = { readonly message: string; readonly epochMs: number };

/**
 * Makes the new history and moves no ref. Returns instead the trailers that can't do without the text, if any; the
 * caller gives up then. Calls `describe` only when main changes. Throws GitError.
 */
export const makeHistory = async (
  store: Store,
  scan: Scan,
  one: JournalScan,
  describe: () => PurgeCommit,
): Promise<NewJournal | { readonly structural: readonly string[] }> => {
  const { journal, refs, into } = one;
  if (into === undefined) throw new Error('a new history needs a scan that was made with `write`');
  const rewritten = await rewriteHistory(journal.folders, { ...rewritingOf(scan, one), into });
  const { made, structural } = rewritten;
  if (structural.length > 0) return { structural };
  const oldHead = refs.find(({ name }) => name === branch)?.id;
  const mainMark = made.get(oldHead ?? '');
  const headMark = mainMark === undefined ? undefined : await into.commit(eventCommit(store, describe(), mainMark));
  const markOf = (name: string, commit = ''): string | undefined => (name === branch ? headMark : made.get(commit));
  const ids = await into.finish([...new Set(refs.flatMap(({ name, commit }) => markOf(name, commit) ?? []))]);
  store.step(`purge:made-${journal.name}`);
  const moves = refs.flatMap(({ name, id: before, commit }): readonly RefMove[] => {
    // Left by a killed purge: fast-import has reset it since, and moveToHistory deletes it.
    if (name === purgingRef) return [];
    if (commit === undefined) return [{ name, before, after: undefined }];
    const after = ids.get(markOf(name, commit) ?? '');
    return after === undefined ? [] : [{ name, before, after }];
  });
  return { journal, rewritten, oldHead, newHead: moves.find(({ name }) => name === branch)?.after ?? oldHead, moves };
};

/** Moves all refs of a journal to its new history, or none: 'moved' if another git was faster. Under the write lock. */
export const moveToHistory = async (store: Store, { journal, moves }: NewJournal): Promise<'done' | 'moved'> => {
  store.step(`purge:refs-${journal.name}`);
  const { folders } = journal;
  const patiently = <Answer>(run: () => Promise<Answer>) => retryWhileLocked(run, folders.gitDir, store.log);
  if ((await patiently(() => moveRefs(folders, moves))) === 'moved') return 'moved';
  await patiently(() => runGit(folders, ['update-ref', '-d', purgingRef]));
  store.step(`purge:moved-${journal.name}`);
  return 'done';
};

const rewritingOf = ({ rule, titles }: Scan, { fates, refs }: JournalScan) => ({
  rule,
  titles,
  fates,
  tips: [...new Set(refs.flatMap(({ commit }) => commit ?? []))].sort(),
});

const eventCommit = (store: Store, { message, epochMs }: PurgeCommit, parent: string) => {
  const identity = formatIdentity(store.machine, epochMs);
  return {
    author: identity,
    committer: identity,
    encoding: undefined,
    message: Buffer.from(message),
    parents: [parent],
    changes: [],
  };
};
