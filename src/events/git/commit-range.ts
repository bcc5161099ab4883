/** Lists what one head has and another lacks, without relying on the clocks of the machines that committed. */

import { cacheAnswers } from '../answer-cache.js';
import type { PathChange } from '../journal.js';
import type { LoggedCommit } from '../logged-event.js';
import { logFormat, parseLogSteps } from './git-log.js';
import { everyChange, GitError, type GitFolders, runGit } from './git-process.js';
import { byPath, diffTrees } from './note-tree.js';

type Linked = Pick<LoggedCommit, 'hash' | 'parents'>;

/**
 * The commits that `to` has and `from` lacks. For `to ^from`, git walks by date and stops a few commits late: with a
 * clock ahead, it lists commits that `from` has. A listing without `from` or the merge bases is exact if it leads only
 * to those; otherwise the whole history of `from` is subtracted, for one more call. `isForward`: `to` continues `from`.
 */
export const listRange = async <Listed extends Linked>(
  folders: GitFolders,
  from: string | undefined,
  to: string,
  list: (range: readonly string[]) => Promise<readonly Listed[]>,
  isForward = false,
): Promise<readonly Listed[]> => {
  if (from === undefined) return list([to]);
  if (from === to) return [];
  const without = (commits: readonly string[]) => list([to, ...commits.map((commit) => `^${commit}`)]);
  let common = isForward ? [from] : recentBases.get(keyOf(folders, from, to));
  if (common === undefined) {
    const listed = await without([from]);
    if (isClosed(listed, [from])) return listed;
    common = await mergeBases(folders, from, to);
  }
  const listed = await without(common);
  if (common.length === 0 || isClosed(listed, common)) return listed;
  const output = await runGit(folders, ['rev-list', from, '--']);
  const known = new Set(output.toString('latin1').split('\n'));
  return listed.filter(({ hash }) => !known.has(hash));
};

/** True if all parents of the listed commits are listed or left out, and each commit has one. */
const isClosed = (listed: readonly Linked[], leftOut: readonly string[]): boolean => {
  const known = new Set([...leftOut, ...listed.map(({ hash }) => hash)]);
  return listed.every(({ parents }) => parents.length > 0 && parents.every((parent) => known.has(parent)));
};

/** The newest common commits; none for unrelated histories. One git call, or none if recently asked. */
export const mergeBases = async (folders: GitFolders, one: string, other: string): Promise<readonly string[]> => {
  if (one === other) return [one];
  const key = keyOf(folders, one, other);
  const known = recentBases.get(key);
  if (known !== undefined) return known;
  const bases = await readMergeBases(folders, one, other);
  // No bases aren't kept: a shallow clone may be completed.
  if (bases.length > 0) recentBases.set(key, bases);
  const [oldest = key] = recentBases.keys();
  if (recentBases.size > mostRecent) recentBases.delete(oldest);
  return bases;
};

/** One sync asks about three pairs, each several times. */
const recentBases = new Map<string, readonly string[]>();
const mostRecent = 8;
const keyOf = ({ gitDir }: GitFolders, one: string, other: string): string =>
  [gitDir, ...[one, other].sort()].join(' ');

const readMergeBases = async (folders: GitFolders, one: string, other: string): Promise<readonly string[]> => {
  try {
    const output = await runGit(folders, ['merge-base', '--all', one, other]);
    return output.toString('latin1').trim().split('\n');
  } catch (error) {
    // Exit code 1 means that they have no common commit.
    if (error instanceof GitError && error.exitCode === 1) return [];
    throw error;
  }
};

/** Parses the output of `git rev-list --parents`. */
export const parseParents = (output: Buffer): readonly Linked[] =>
  output
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [hash = '', ...parents] = line.split(' ');
      return { hash, parents };
    });

export type UnpublishedCommit = LoggedCommit & {
  /** Every path, notes or not, links and submodules too; of a merge, those that differ from all its parents. */
  readonly changes: readonly PathChange[];
};

export type HeadSide = {
  readonly commits: readonly UnpublishedCommit[];
  /** Against the base. */
  readonly changes: readonly PathChange[];
};

/** `base` is a commit that both heads have, undefined for the empty tree. Two git calls, or one for a line of commits. */
export const readSide = async (
  folders: GitFolders,
  base: string | undefined,
  head: string,
  other: string,
): Promise<HeadSide> => {
  const commits = await readUnpublished(folders, head, other);
  return { commits, changes: changesOfLine(commits, base) ?? (await diffTrees(folders, base, head)) };
};

/** Puts the changes of commits together that form a line from `base`; undefined if they don't, or if it can't be told. */
const changesOfLine = (
  commits: readonly UnpublishedCommit[],
  base: string | undefined,
): readonly PathChange[] | undefined => {
  const changed = new Map<string, PathChange>();
  let parent = base;
  for (const { hash, parents, changes } of commits) {
    if (parents.length !== 1 || parents[0] !== parent) return undefined;
    parent = hash;
    for (const change of changes) {
      const before = (changed.get(change.path) ?? change).before;
      // A content that came back may have another mode.
      if (changed.has(change.path) && before === change.after) return undefined;
      changed.set(change.path, { ...change, before });
    }
  }
  return [...changed.values()].sort(byPath);
};

/** Returns the commits oldest first, parents before children. One git call; none if recently asked and few. */
export const readUnpublished = async (
  folders: GitFolders,
  head: string,
  upstream: string | undefined,
): Promise<readonly UnpublishedCommit[]> =>
  keepUnpublished(folders.gitDir, [head, upstream], () =>
    listRange(folders, upstream, head, async (range) => parse(await runGit(folders, [...log, ...range, '--']))),
  );

/** A sync reads them to see which side is newer, and to check what leaves. */
const keepUnpublished = cacheAnswers<readonly UnpublishedCommit[]>(
  2,
  (commits) =>
    commits.reduce((sum, { changes }) => sum + 1 + changes.length, 0) <= 1000 &&
    commits.reduce((sum, { message }) => sum + message.length, 0) <= 1024 * 1024,
);

const parse = (output: Buffer): readonly UnpublishedCommit[] =>
  parseLogSteps(output).map(({ commit, changes }) => ({ ...commit, changes }));

const log = [
  'log',
  '-z',
  '--topo-order',
  '--reverse',
  '--raw',
  '-c',
  '--no-abbrev',
  ...everyChange,
  '--root',
  logFormat,
];
