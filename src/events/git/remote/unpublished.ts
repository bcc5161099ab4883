/** Reads what one head has and another lacks: the commits, and how the tree differs from one that both have. */

import { cacheAnswers } from '../../answer-cache.js';
import type { PathChange } from '../../journal.js';
import type { LoggedCommit } from '../../logged-event.js';
import { listRange } from '../commit-range.js';
import { logFormat, parseLogSteps } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';
import { byPath, diffTrees } from '../note-tree.js';

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
