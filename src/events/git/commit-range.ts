/** Ranges of commits that do not depend on the clocks of the machines that wrote them. */

import { keepAnswers } from '../kept-answers.js';
import type { LoggedCommit } from '../logged-event.js';
import { isMerge } from './git-log.js';
import { GitError, type GitFolders, runGit } from './git-process.js';

/**
 * What `to` has and `from` has not, as `list` reads it with the arguments of a range. Given `to ^from`, git walks both by
 * date and gives up a few commits after the dates say that it may: where one machine's clock is ahead it lists commits that
 * `from` has too. From the newest common commits on there is nothing to give up, unless a merge leads to what was there
 * before them: then the whole history of `from` tells, in a git call more. With `isForward`, `to` is known to continue `from`.
 */
export const listRange = async <Listed extends Pick<LoggedCommit, 'hash' | 'parents'>>(
  folders: GitFolders,
  from: string | undefined,
  to: string,
  list: (range: readonly string[]) => Promise<readonly Listed[]>,
  isForward = false,
): Promise<readonly Listed[]> => {
  if (from === undefined) return list([to]);
  const common = isForward ? [from] : await mergeBases(folders, from, to);
  const listed = await list([to, ...common.map((commit) => `^${commit}`)]);
  if (!listed.some(isMerge)) return listed;
  const output = await runGit(folders, ['rev-list', from, '--']);
  const known = new Set(output.toString('latin1').split('\n'));
  return listed.filter(({ hash }) => !known.has(hash));
};

/** Newest commits that both have; none where they began apart. One git call, and none where it was just asked. */
export const mergeBases = async (folders: GitFolders, one: string, other: string): Promise<readonly string[]> =>
  one === other ? [one] : keepBases(folders.gitDir, [one, other].sort(), () => readMergeBases(folders, one, other));

/** One sync asks about three pairs. That two have nothing in common is not kept: a shallow clone may be completed. */
const keepBases = keepAnswers<readonly string[]>(8, (bases) => bases.length > 0);

const readMergeBases = async (folders: GitFolders, one: string, other: string): Promise<readonly string[]> => {
  try {
    const output = await runGit(folders, ['merge-base', '--all', one, other]);
    return output.toString('latin1').trim().split('\n');
  } catch (error) {
    // Exit 1 says that they have nothing in common.
    if (error instanceof GitError && error.exitCode === 1) return [];
    throw error;
  }
};
