/** Purges one journal: writes its new history beside the old one, then moves the refs to it. */

import type { Store } from '../commands/worktree/write-store.js';
import { acceptedRef } from '../events/git/branch.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { runGit } from '../events/git/git-process.js';
import { retryWhileLocked } from '../events/git/git-retry.js';
import { branch } from '../events/git/journal-ref.js';
import { formatIdentity } from '../events/git/stream-form.js';
import { purgingRef } from './new-history.js';
import { moveRefs, newNameOf, type PurgedRef, type RefMove, rewriteTag } from './refs.js';
import { type Rewritten, rewriteHistory } from './rewrite.js';
import { formatPublished, purgeRefs } from './rule/record.js';
import type { JournalScan, Scan } from './scan-journals.js';

/** Commits that another machine has rewritten already: reused instead of rewritten again. */
export type Followed = {
  readonly known: ReadonlyMap<string, string>;
  /** Heads of the new history: they and their ancestors are not rewritten. */
  readonly without: readonly string[];
};

export const nothingFollowed: Followed = { known: new Map(), without: [] };

/** Counts what would change; writes nothing. */
export const countHistory = (scan: Scan, one: JournalScan, followed: Followed = nothingFollowed): Promise<Rewritten> =>
  rewriteHistory(one.journal, { ...rewritingOf(scan, one, followed), into: undefined });

/** A new history, written beside the old one but not in use yet. */
export type MadeHistory = {
  readonly journal: GitJournal;
  readonly rewritten: Rewritten;
  readonly oldHead: string | undefined;
  readonly newHead: string | undefined;
  readonly moves: readonly RefMove[];
};

/** The event that records the purge, to be committed on top of the new main. */
export type Telling = { readonly message: string; readonly epochMs: number; readonly purge: string };

/**
 * Makes the new history and moves no ref. Returns instead the trailers that can't do without the text, if any; the
 * caller gives up then. Calls `tell` only when main changes; if it returns undefined, no event is added. Throws
 * GitError.
 */
export const makeHistory = async (
  store: Store,
  scan: Scan,
  one: JournalScan,
  tell: (rewritten: Rewritten, oldHead: string) => Telling | undefined,
  followed: Followed = nothingFollowed,
): Promise<MadeHistory | { readonly structural: readonly string[] }> => {
  const { journal, refs, into } = one;
  if (into === undefined) throw new Error('a new history needs a scan that was made with `write`');
  const rewritten = await rewriteHistory(journal, { ...rewritingOf(scan, one, followed), into });
  if (rewritten.structural.length > 0) return { structural: rewritten.structural };
  const oldHead = refs.find(({ name }) => name === branch)?.id;
  const mainMark = rewritten.made.get(oldHead ?? '');
  const telling = oldHead === undefined || mainMark === undefined ? undefined : tell(rewritten, oldHead);
  const headMark = telling === undefined ? mainMark : await into.commit(tellingCommit(store, telling, mainMark ?? ''));
  const markOf = ({ name, commit }: PurgedRef): string | undefined =>
    name === branch ? headMark : rewritten.made.get(commit ?? '');
  const marks = new Set(refs.map(markOf).filter((mark) => mark?.startsWith(':') === true));
  const ids = await into.finish([...marks].filter((mark) => mark !== undefined));
  store.step(`purge:made-${journal.name}`);
  const moves: RefMove[] = [];
  const taken = new Set(refs.map(({ name }) => name));
  for (const ref of refs) {
    // Left by a killed purge: fast-import has reset it since, and moveToHistory deletes it.
    if (ref.name === purgingRef) continue;
    const mark = markOf(ref);
    const after = mark === undefined ? ref.commit : (ids.get(mark) ?? mark);
    const move = await moveOf(scan, one, ref, after, taken);
    if (move !== undefined) moves.push(move);
  }
  const newHead = moves.find(({ name }) => name === branch)?.after ?? oldHead;
  if (telling !== undefined && newHead !== undefined && journal.name === 'portable') {
    const remoteHead = refs.find(({ name }) => name === acceptedRef)?.id;
    const id = await writeRecord(store, journal, telling, formatPublished(telling.message, { newHead, remoteHead }));
    moves.push({ name: `${purgeRefs}${telling.purge}`, before: '', after: id });
  }
  return { journal, rewritten, oldHead, newHead, moves };
};

/** Moves all refs of a journal to its new history, or none: 'moved' if another git was faster. Under the write lock. */
export const moveToHistory = async (store: Store, { journal, moves }: MadeHistory): Promise<'done' | 'moved'> => {
  store.step(`purge:refs-${journal.name}`);
  const { folders } = journal;
  const patiently = <Answer>(run: () => Promise<Answer>) => retryWhileLocked(run, folders.gitDir, store.log);
  if ((await patiently(() => moveRefs(folders, moves))) === 'moved') return 'moved';
  await patiently(() => runGit(folders, ['update-ref', '-d', purgingRef]));
  store.step(`purge:moved-${journal.name}`);
  return 'done';
};

const rewritingOf = (scan: Scan, one: JournalScan, { known, without }: Followed) => ({
  rule: scan.rule,
  titles: scan.titles,
  fates: one.fates,
  blobAfter: scan.blobAfter,
  tips: [...new Set(one.refs.flatMap(({ commit }) => commit ?? []))].sort(),
  known,
  without,
});

/** Writes the record as a commit without files; only its message matters. Returns its id. */
const writeRecord = async (
  store: Store,
  journal: GitJournal,
  { epochMs }: Telling,
  message: string,
): Promise<string> => {
  const write = async (type: string, text: string): Promise<string> =>
    (await runGit(journal.folders, ['hash-object', '-t', type, '-w', '--stdin'], [text])).toString('latin1').trim();
  const identity = formatIdentity(store.machine, epochMs);
  return write('commit', `tree ${await write('tree', '')}\nauthor ${identity}\ncommitter ${identity}\n\n${message}`);
};

const tellingCommit = (store: Store, { message, epochMs }: Telling, parent: string) => {
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

/** Returns undefined if the ref does not change. */
const moveOf = async (
  { rule: { text } }: Scan,
  { journal: { folders } }: JournalScan,
  { name, id, commit, isTag }: PurgedRef,
  after: string | undefined,
  taken: Set<string>,
): Promise<RefMove | undefined> => {
  if (commit === undefined || after === undefined) return { name, before: id, after: undefined };
  const newName = newNameOf(name, text, taken);
  taken.add(newName);
  const target = isTag ? await rewriteTag(folders, id, after, newName, text) : after;
  // rewriteTag drops the signature, so a tag on the same commit that contains no purged text is left alone.
  if (newName === name && (target === id || (isTag && after === commit && !(await tagContains(folders, id, text)))))
    return undefined;
  return { name, before: id, after: target, newName };
};

const tagContains = async (
  folders: JournalScan['journal']['folders'],
  id: string,
  text: Scan['rule']['text'],
): Promise<boolean> =>
  text !== undefined && text.spans((await runGit(folders, ['cat-file', 'tag', id])).toString('utf8')).length > 0;
