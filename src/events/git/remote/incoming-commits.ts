/**
 * Inspects each incoming commit, not only the final tree: a later commit may remove what one added, but the history is
 * read too.
 */
import type { LoggedCommit } from '../../logged-event.js';
import { splitLines } from '../blob-stream.js';
import { isMerge } from '../git-log.js';
import { type GitFolders, streamGit } from '../git-process.js';
import { readBases } from '../journal/reverted-by-merge.js';
import { countChanged, type Pair } from './tree-walk.js';

export type HistoryLimits = {
  /** Files and folders that differ between the commits and those that they are compared with. */
  readonly entries: number;
  /** Parents of a merge; each costs a git query. */
  readonly sides: number;
  /** Time for reading the trees, in milliseconds. */
  readonly ms: number;
};

export const historyLimits: HistoryLimits = { entries: 8_000_000, sides: 16, ms: 300_000 };

/**
 * Returns why the commits that `to` has and `from` lacks may not be taken over, as a phrase; undefined if they may.
 * Each is compared with every commit that it will be compared with when its history is read: its parents and, for a
 * merge, the merge bases of its sides. A single commit on top of `from` is skipped, because `inspectIncoming` has just
 * compared it. One git call, one more per 200 comparisons, and for merges those of `readCommonBases`.
 */
export const inspectCommits = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
  limits: HistoryLimits = historyLimits,
): Promise<string | undefined> => {
  const range = from === undefined ? [to] : [to, `^${from}`];
  const commits: Commit[] = [];
  let octopus: Commit | undefined;
  const take = splitLines((line) => {
    const [hash = '', ...parents] = line.split(' ');
    commits.push({ hash, parents });
    if (parents.length > limits.sides) octopus ??= { hash, parents };
  });
  // Streamed: many commits with their parents may exceed the longest possible string.
  await streamGit(folders, ['rev-list', '--parents', ...range, '--'], (chunk) => take(chunk) && octopus === undefined);
  if (octopus !== undefined)
    return `its commit ${octopus.hash.slice(0, 12)} merges ${octopus.parents.length} others, and at most ${limits.sides} are allowed`;
  const [only, ...others] = commits;
  if (others.length === 0 && only?.parents.length === 1 && only.parents[0] === from) return undefined;
  const pairs = [...commits.flatMap(pairsOf), ...(await pairsWithBases(folders, commits.filter(isMerge)))];
  const deadline = Date.now() + limits.ms;
  let changed = 0;
  for (let at = 0; at < pairs.length; at += atOnce) {
    const count = await countChanged(folders, pairs.slice(at, at + atOnce), limits.entries - changed);
    if (count === 'unreadable') return 'git cannot read the trees of its commits';
    changed += count;
    if (changed > limits.entries) return `its commits change more than ${limits.entries} files and folders together`;
    if (Date.now() > deadline) return 'the trees of its commits take too long to read';
  }
  return undefined;
};

const atOnce = 200;

type Commit = Pick<LoggedCommit, 'hash' | 'parents'>;

const pairsOf = ({ hash, parents }: Commit): readonly Pair[] =>
  parents.length === 0 ? [{ from: undefined, to: hash }] : parents.map((from) => ({ from, to: hash }));

const pairsWithBases = async (folders: GitFolders, merges: readonly Commit[]): Promise<readonly Pair[]> => {
  const bases = await readBases(folders, merges);
  return merges.flatMap(({ hash }, at) => (bases[at] ?? []).map((from) => ({ from, to: hash })));
};
