/** Commit ranges that don't depend on the clocks of the machines that made the commits. */

import { cacheAnswers } from '../answer-cache.js';
import type { LoggedCommit } from '../logged-event.js';
import { isMerge } from './git-log.js';
import { GitError, type GitFolders, runGit } from './git-process.js';

/**
 * Returns the commits that `to` has and `from` lacks, as `list` reads them with a range's arguments. For `to ^from`,
 * git walks both sides by date and stops a few commits after the dates suggest it can: when one machine's clock is
 * ahead, it also lists commits that `from` has. So that listing is used only if it is linear from `from`. Otherwise the
 * range starts at the merge bases, where git can't stop early; if it contains a merge, which may lead to commits from
 * before them, the whole history of `from` is subtracted, for one more git call. With `isForward`, `to` is known to
 * continue `from`.
 */
export const listRange = async <Listed extends Pick<LoggedCommit, 'hash' | 'parents'>>(
  folders: GitFolders,
  from: string | undefined,
  to: string,
  list: (range: readonly string[]) => Promise<readonly Listed[]>,
  isForward = false,
): Promise<readonly Listed[]> => {
  if (from === undefined) return list([to]);
  if (from === to) return [];
  let line: readonly Listed[] | undefined;
  const readBases = async (): Promise<readonly string[]> => {
    const listed = await list([to, `^${from}`]);
    if (!isLine(listed, from, to)) return readMergeBases(folders, from, to);
    line = listed;
    return [from];
  };
  const common = isForward ? [from] : await keepBases(folders.gitDir, [from, to].sort(), readBases);
  if (line !== undefined) return line;
  const listed = await list([to, ...common.map((commit) => `^${commit}`)]);
  if (!listed.some(isMerge)) return listed;
  const output = await runGit(folders, ['rev-list', from, '--']);
  const known = new Set(output.toString('latin1').split('\n'));
  return listed.filter(({ hash }) => !known.has(hash));
};

/**
 * Returns the newest common commits; none when the histories are unrelated. One git call, or none if recently asked.
 */
export const mergeBases = async (folders: GitFolders, one: string, other: string): Promise<readonly string[]> =>
  one === other ? [one] : keepBases(folders.gitDir, [one, other].sort(), () => readMergeBases(folders, one, other));

/** True when a listing of `to ^from` is linear from `from` to `to`: then it has no commit that `from` has too. */
const isLine = (listed: readonly Pick<LoggedCommit, 'hash' | 'parents'>[], from: string, to: string): boolean => {
  const parentsOf = new Map(listed.map(({ hash, parents }) => [hash, parents]));
  let at = to;
  for (let count = 0; count < listed.length; count += 1) {
    const [parent, ...others] = parentsOf.get(at) ?? [];
    if (parent === undefined || others.length > 0) return false;
    at = parent;
  }
  return at === from;
};

/** Parses the output of `git rev-list --parents`. */
export const parseParents = (output: Buffer): readonly Pick<LoggedCommit, 'hash' | 'parents'>[] =>
  output
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [hash = '', ...parents] = line.split(' ');
      return { hash, parents };
    });

/** One sync asks about three pairs. An empty answer isn't cached: a shallow clone may be completed. */
const keepBases = cacheAnswers<readonly string[]>(8, (bases) => bases.length > 0);

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
