/** Reads the commits of a branch that another head lacks, with their changes. */

import { cacheAnswers } from '../../answer-cache.js';
import type { PathChange } from '../../journal.js';
import type { LoggedCommit } from '../../logged-event.js';
import { listRange } from '../commit-range.js';
import { logFormat, parseLogSteps } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';

export type UnpublishedCommit = LoggedCommit & {
  /** Every path, notes or not, links and submodules too; of a merge, those that differ from all its parents. */
  readonly changes: readonly PathChange[];
};

/** Returns the commits oldest first, parents before children. One git call; none if recently asked and few. */
export const readUnpublished = async (
  folders: GitFolders,
  head: string,
  upstream: string | undefined,
): Promise<readonly UnpublishedCommit[]> =>
  keepUnpublished(folders.gitDir, [head, upstream], () =>
    listRange(folders, upstream, head, async (range) => parse(await runGit(folders, [...log, '-c', ...range, '--']))),
  );

/** A sync reads them to see which side is newer, and to check what leaves. */
const keepUnpublished = cacheAnswers<readonly UnpublishedCommit[]>(
  2,
  (commits) =>
    commits.reduce((sum, { changes }) => sum + 1 + changes.length, 0) <= 1000 &&
    commits.reduce((sum, { message }) => sum + message.length, 0) <= 1024 * 1024,
);

/** Returns just these commits with their changes; a merge shows none. One git call. */
export const readCommits = async (
  folders: GitFolders,
  hashes: readonly string[],
): Promise<readonly UnpublishedCommit[]> => {
  if (hashes.length === 0) return [];
  const args = [...log.filter((one) => !ordering.includes(one)), '--no-walk=unsorted', '--stdin'];
  return parse(await runGit(folders, args, [hashes.map((hash) => `${hash}\n`).join('')]));
};

const parse = (output: Buffer): readonly UnpublishedCommit[] =>
  parseLogSteps(output).map(({ commit, changes }) => ({ ...commit, changes }));

const ordering: readonly string[] = ['--topo-order', '--reverse'];
const log = ['log', '-z', ...ordering, '--raw', '--no-abbrev', ...everyChange, '--root', logFormat];
