/** The heads that a remote is known to have had. */
import { acceptedHead } from '../branch.js';
import { listRange } from '../commit-range.js';
import { readRef } from '../git-files.js';
import type { GitJournal } from '../git-journal.js';
import { type GitFolders, runGit } from '../git-process.js';
import { incomingRef } from './git-transport.js';

/**
 * Returns the accepted head, and other published heads that our branch contains and the accepted one doesn't: those
 * fetched by a killed sync, those that a person's git fetched or pushed, and commits that
 * another machine than `machine` recorded and a person pulled. None contains another. History that was only fetched
 * isn't read: it may not have been inspected. At most three git calls, and none when everything is published.
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

/** Other machines have what these refs have; `origin` is git's name for the remote. */
const otherRefs = [incomingRef, 'refs/remotes/origin/main'];

type Ahead = {
  readonly hash: string;
  readonly parents: readonly string[];
  /**
   * The machine whose program made the commit; undefined for a person's, including one by git's cherry-pick or rebase.
   */
  readonly recordedBy: string | undefined;
};

/** Returns the commits with children before their parents. */
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

/** Returns the wanted commits that no other wanted commit contains. */
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
