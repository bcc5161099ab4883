/** The commits of a branch that another head does not have, each with what it changed: what syncing appends again. */
import { rangeOf } from './commit-range.js';
import { type LoggedCommit, logFormat, type PathChange, parseLogSteps, parseRawDiff } from './git-log.js';
import { everyChange, type GitFolders, runGit } from './git-process.js';

export type UnpublishedCommit = LoggedCommit & {
  /** Every path, notes or not, links and submodules too. */
  readonly changes: readonly PathChange[];
};

/**
 * Oldest first, parents before children. What a merge commit changed is what it holds unlike every parent; the rest came
 * with the commits it merged. One git call, and some for each merge.
 */
export const readUnpublished = async (
  folders: GitFolders,
  head: string,
  upstream: string | undefined,
): Promise<readonly UnpublishedCommit[]> => {
  const range = await rangeOf(folders, upstream, head);
  const output = await runGit(folders, [...logArguments, ...range, '--']);
  const commits: UnpublishedCommit[] = [];
  for (const { commit, changes } of parseLogSteps(output)) {
    commits.push({ ...commit, changes: commit.parents.length > 1 ? await changesOfMerge(folders, commit) : changes });
  }
  return commits;
};

/** The commits that `to` is ahead of `from`, when they are one line on top of it: undefined for anything else. One git call. */
export const readLine = async (
  folders: GitFolders,
  from: string,
  to: string,
): Promise<readonly UnpublishedCommit[] | undefined> => {
  const output = await runGit(folders, [...logArguments, to, `^${from}`, '--']);
  const commits = parseLogSteps(output).map(({ commit, changes }) => ({ ...commit, changes }));
  const isLine = commits.every(
    ({ parents }, at) => parents.length === 1 && parents[0] === (commits[at - 1]?.hash ?? from),
  );
  return isLine && commits.at(-1)?.hash === to ? commits : undefined;
};

const logArguments = [
  'log',
  '-z',
  '--topo-order',
  '--reverse',
  '--raw',
  '--no-abbrev',
  ...everyChange,
  '--root',
  logFormat,
];

/** Raw difference of two trees, all paths; `from` undefined is the empty tree. */
export const diffTrees = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
): Promise<readonly PathChange[]> => {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', ...everyChange];
  if (from !== undefined) return parseRawDiff(await runGit(folders, [...args, from, to]));
  const emptyTree = (await runGit(folders, ['hash-object', '-t', 'tree', '--stdin'])).toString('latin1').trim();
  return parseRawDiff(await runGit(folders, [...args, emptyTree, to]));
};

const changesOfMerge = async (folders: GitFolders, { hash, parents }: LoggedCommit): Promise<readonly PathChange[]> => {
  const [first, ...others] = await Promise.all(parents.map((parent) => diffTrees(folders, parent, hash)));
  const elsewhere = others.map((changes) => new Set(changes.map(({ path }) => path)));
  return (first ?? []).filter(({ path }) => elsewhere.every((paths) => paths.has(path)));
};
