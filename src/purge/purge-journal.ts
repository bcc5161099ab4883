/** Purges one journal: writes its new history beside the old one, then moves the refs to it. */

import type { Store } from '../commands/worktree/write-store.js';
import { formatIdentity } from '../events/git/fast-import.js';
import { retryWhileLocked } from '../events/git/git-files.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { branch, runGit } from '../events/git/git-process.js';
import { redact } from '../events/note/redact.js';
import { formatTime } from '../events/time.js';
import { formatMessage } from '../events/trailers.js';
import { derivedUlid } from '../events/ulid-form.js';
import { type NewRawCommit, purgingRef } from './new-history.js';
import { moveRefs, type RefMove } from './refs.js';
import { type RewrittenHistory, rewriteHistory } from './rewrite.js';
import { purgeText } from './rule/matcher.js';
import type { PurgeRequest } from './rule/request.js';
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

/** What the event that records the purge says. */
export type PurgeFacts = {
  /** Id of the purge, the same in both journals. */
  readonly purge: string;
  readonly atMs: number;
  readonly settings: { readonly machine: string; readonly user: string };
  readonly request: PurgeRequest;
};

/** Moves no ref. Returns trailers that can't do without the text, if there are some. Throws GitError. */
export const makeHistory = async (
  store: Store,
  scan: Scan,
  one: JournalScan,
  facts: PurgeFacts,
): Promise<NewJournal | { readonly structural: readonly string[] }> => {
  const { journal, refs, into } = one;
  if (into === undefined) throw new Error('a new history needs a scan that was made with `write`');
  const rewritten = await rewriteHistory(journal.folders, { ...rewritingOf(scan, one), into });
  const { made, structural } = rewritten;
  if (structural.length > 0) return { structural };
  const oldHead = refs.find(({ name }) => name === branch)?.id;
  const mainMark = made.get(oldHead ?? '');
  const headMark = mainMark === undefined ? undefined : await into.commit(eventCommit(scan, one, facts, mainMark));
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

/** Names every note that the purge changed, which is how other machines tell where the remote's side wins. */
const eventCommit = (
  { rule }: Scan,
  { journal, changed }: JournalScan,
  { purge, atMs, settings: { machine, user }, request: { what, reason } }: PurgeFacts,
  parent: string,
): NewRawCommit => {
  const identity = formatIdentity(machine, atMs);
  const count = changed.size;
  const message = formatMessage({
    id: journal.name === 'portable' ? purge : derivedUlid(atMs, 'other-journal', purge),
    kind: 'notes.purged',
    at: formatTime(atMs),
    machine,
    user,
    subject: what.kind === 'note' ? `note ${what.id}` : `a text in ${count === 1 ? '1 note' : `${count} notes`}`,
    notes: what.kind === 'note' ? [what.id] : [...changed].sort(),
    reason: reason === undefined ? undefined : redact(purgeText(reason, rule.text).text).text,
    commandId: purge,
  });
  return {
    author: identity,
    committer: identity,
    encoding: undefined,
    message: Buffer.from(message),
    parents: [parent],
    changes: [],
  };
};
