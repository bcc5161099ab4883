/** Ranges of commits that do not depend on the clocks of the machines that wrote them. */

import { keepAnswers } from '../kept-answers.js';
import type { LoggedCommit } from '../logged-event.js';
import { isMerge } from './git-log.js';
import { GitError, type GitFolders, runGit } from './git-process.js';

/**
 * What `to` has and `from` has not, as `list` reads it with the arguments of a range. Given `to ^from`, git walks both by
 * date and gives up a few commits after the dates say that it may: where one machine's clock is ahead it lists commits that
 * `from` has too. Where what it lists is one line on top of `from`, that is the answer. From the newest common commits on
 * there is nothing to give up either, unless a merge leads to what was there before them: then the whole history of `from`
 * tells, in a git call more. With `isForward`, `to` is known to continue `from`.
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

/** Newest commits that both have; none where they began apart. One git call, and none where it was just asked. */
export const mergeBases = async (folders: GitFolders, one: string, other: string): Promise<readonly string[]> =>
  one === other ? [one] : keepBases(folders.gitDir, [one, other].sort(), () => readMergeBases(folders, one, other));

/** True when a listing of `to ^from` is one line of commits on top of `from`: then nothing is in it that `from` has too. */
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

/** Output of `git rev-list --parents`. */
export const parseParents = (output: Buffer): readonly Pick<LoggedCommit, 'hash' | 'parents'>[] =>
  output
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [hash = '', ...parents] = line.split(' ');
      return { hash, parents };
    });

/** Keeps what a listing of `to ^from` tells: a line of commits from one to the other makes `from` what both have. */
export const keepIfLine = async (
  { gitDir }: GitFolders,
  from: string,
  to: string,
  listed: readonly Pick<LoggedCommit, 'hash' | 'parents'>[],
): Promise<void> => {
  if (from !== to && isLine(listed, from, to)) await keepBases(gitDir, [from, to].sort(), async () => [from]);
};

/**
 * Keeps that `grown` has in common with `other` what `root` has: it is a line of new commits on top of that one. One git
 * call where that was not asked yet.
 */
export const keepGrown = async (folders: GitFolders, grown: string, root: string, other: string): Promise<void> => {
  if (grown !== root) await keepBases(folders.gitDir, [grown, other].sort(), () => mergeBases(folders, root, other));
};

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
