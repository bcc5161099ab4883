/** The heads that a remote is known to have had. */
import { acceptedHead, formerRef } from '../branch.js';
import { listRange } from '../commit-range.js';
import { readRef } from '../git-files.js';
import type { GitJournal } from '../git-journal.js';
import { type GitFolders, runGit } from '../git-process.js';
import { incomingRef } from './git-transport.js';

/**
 * The accepted head, and others that our branch has taken over and that one does not contain: what an address had that was
 * changed or removed since, what was fetched by a sync that was killed, what a person's git fetched or pushed, and what
 * another machine than `machine` recorded and a person pulled. None contains another. Of what was only fetched nothing is
 * read: it may not have been inspected. At most three git calls, and none where all is published.
 */
export const publishedHeads = async (
  { folders, head }: Pick<GitJournal, 'folders' | 'head'>,
  machine: string,
): Promise<readonly string[]> => {
  const now = head();
  const accepted = acceptedHead(folders);
  const own = accepted === undefined ? [] : [accepted];
  if (now === undefined || now === accepted) return own;
  const known = new Set(otherRefs.flatMap((ref) => readRef(folders.gitDir, ref) ?? []));
  const ahead = await listAhead(folders, accepted, now);
  const published = ahead.filter(
    ({ hash, recordedBy }) => known.has(hash) || ![undefined, machine].includes(recordedBy),
  );
  return newestOf(folders, [...own, ...withoutAncestors(ahead, new Set(published.map(({ hash }) => hash)))]);
};

/** The other machines have what is on main; `origin` is git's name for the remote. */
const otherRefs = [formerRef, incomingRef, 'refs/remotes/origin/main'];

type Ahead = {
  readonly hash: string;
  readonly parents: readonly string[];
  /** The machine whose program made the commit; undefined of a person's. Git's own cherry-pick or rebase leaves no such one. */
  readonly recordedBy: string | undefined;
};

/** Children before their parents. */
const listAhead = (folders: GitFolders, accepted: string | undefined, now: string): Promise<readonly Ahead[]> =>
  listRange(folders, accepted, now, async (range) => {
    const format = '--format=%H%x00%P%x00%ae%x00%at%x00%ce%x00%ct';
    const output = await runGit(folders, ['log', '--topo-order', format, ...range, '--']);
    const lines = output.toString('utf8').split('\n').filter(Boolean);
    return lines.map((line) => {
      const [hash = '', parents = '', author = '', authored, committer, committed] = line.split('\0');
      const isOurs = author.startsWith(address) && author === committer && authored === committed;
      const recordedBy = isOurs ? author.slice(address.length) : undefined;
      return { hash, parents: parents.split(' ').filter(Boolean), recordedBy };
    });
  });

const address = 'anamnesis@';

/** Of the commits that are wanted, those that no other one of them contains. */
const withoutAncestors = (ahead: readonly Ahead[], wanted: ReadonlySet<string>): readonly string[] => {
  const covered = new Set<string>();
  return ahead.flatMap(({ hash, parents }) => {
    const isWanted = wanted.has(hash);
    const isCovered = covered.has(hash);
    if (isWanted || isCovered) for (const parent of parents) covered.add(parent);
    return isWanted && !isCovered ? [hash] : [];
  });
};

const newestOf = async (folders: GitFolders, heads: readonly string[]): Promise<readonly string[]> => {
  if (heads.length < 2) return heads;
  const output = await runGit(folders, ['merge-base', '--independent', ...heads]);
  return output.toString('latin1').trim().split('\n');
};
