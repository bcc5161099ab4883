/**
 * Inspects each incoming commit, not only the tree that they lead to: what one commit adds the next may take away again, and
 * whoever reads the history still comes across it.
 */
import type { LoggedCommit } from '../../logged-event.js';
import { splitLines } from '../blob-stream.js';
import { isMerge } from '../git-log.js';
import { type GitFolders, streamGit } from '../git-process.js';
import { readBases } from '../journal/taken-back.js';
import { countChanged, type Pair } from './tree-walk.js';

export type HistoryLimits = {
  /** Files and folders in which the commits differ from what they are compared with. */
  readonly entries: number;
  /** Of a merge; git is asked about each of them. */
  readonly sides: number;
  /** Time for reading the trees, in milliseconds. */
  readonly ms: number;
};

export const historyLimits: HistoryLimits = { entries: 8_000_000, sides: 16, ms: 300_000 };

/**
 * Why the commits that `to` has and `from` doesn't may not be taken over, as a phrase; undefined if they may. Each is compared
 * with all that it is compared with when its history is read: with its parents, and a merge with what its sides have in common.
 * A single commit on top of `from` is left to `inspectIncoming`, which has just made that comparison. A git call, one for every
 * 200 comparisons, and for merges those of `readCommon`.
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
  // As it comes: with their parents, many commits are more than one text can hold.
  await streamGit(folders, ['rev-list', '--parents', ...range, '--'], (chunk) => take(chunk) && octopus === undefined);
  if (octopus !== undefined)
    return `its commit ${octopus.hash.slice(0, 12)} merges ${octopus.parents.length} others, and at most ${limits.sides} are taken`;
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
