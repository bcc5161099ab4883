/** Reads the commits of a branch that another head lacks, with their changes: sync appends them again. */

import { cacheAnswers } from '../../answer-cache.js';
import type { PathChange } from '../../journal.js';
import type { LoggedCommit } from '../../logged-event.js';
import type { BlobId, NoteId } from '../../note/note.js';
import { listRange, mergeBases } from '../commit-range.js';
import { isMerge, logFormat, parseLogSteps, parseRawDiff } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';
import { diffTrees } from '../note-tree.js';

export type UnpublishedCommit = LoggedCommit & {
  /** Every path, notes or not, links and submodules too. */
  readonly changes: readonly PathChange[];
};

/**
 * Returns the commits oldest first, parents before children. With `isForward`, `head` is known to continue `upstream`,
 * which saves a check. One git call, and a few per merge; none if recently asked and few. A merge's changes are all its
 * differences from the merge base with upstream (`before` is the base's version), plus the paths changed by earlier
 * commits that it restored to the base's version (then `before` is `after`): the merge decided about those too.
 */
export const readUnpublished = async (
  folders: GitFolders,
  head: string,
  upstream: string | undefined,
  isForward = false,
): Promise<readonly UnpublishedCommit[]> =>
  keepUnpublished(folders.gitDir, [head, upstream], () => askUnpublished(folders, head, upstream, isForward));

/** A sync reads them to check that they continue the accepted head, to look for secrets, and to append them again. */
const keepUnpublished = cacheAnswers<readonly UnpublishedCommit[]>(
  1,
  (commits) =>
    commits.reduce((sum, { changes }) => sum + 1 + changes.length, 0) <= 1000 &&
    commits.reduce((sum, { message }) => sum + message.length, 0) <= 1024 * 1024,
);

const askUnpublished = async (
  folders: GitFolders,
  head: string,
  upstream: string | undefined,
  isForward: boolean,
): Promise<readonly UnpublishedCommit[]> => {
  const list = async (range: readonly string[]) => {
    const steps = parseLogSteps(await runGit(folders, [...logArguments, ...range, '--']));
    return steps.map(({ commit, changes }) => ({ ...commit, changes }));
  };
  const commits: UnpublishedCommit[] = [];
  const touched = new Set<string>();
  for (const { changes: own, ...commit } of await listRange(folders, upstream, head, list, isForward)) {
    const changes = isMerge(commit) ? await changesOfMerge(folders, commit, upstream, touched) : own;
    for (const { path } of changes) touched.add(path);
    commits.push({ ...commit, changes });
  }
  return commits;
};

/** Returns just these commits with their changes; a merge shows none. One git call. */
export const readCommits = async (
  folders: GitFolders,
  hashes: readonly string[],
): Promise<readonly UnpublishedCommit[]> => {
  if (hashes.length === 0) return [];
  const args = [...logArguments.filter((one) => !ordering.includes(one)), '--no-walk=unsorted', '--stdin'];
  const output = await runGit(folders, args, [hashes.map((hash) => `${hash}\n`).join('')]);
  return parseLogSteps(output).map(({ commit, changes }) => ({ ...commit, changes }));
};

/** Returns the commits from `from` to `to` if they are linear, else undefined. One git call. */
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

const ordering: readonly string[] = ['--topo-order', '--reverse'];
const logArguments = ['log', '-z', ...ordering, '--raw', '--no-abbrev', ...everyChange, '--root', logFormat];

/** Returns every version that these notes had in a commit's history, at any path. */
export const readVersions = async (
  folders: GitFolders,
  commit: string,
  ids: readonly NoteId[],
): Promise<ReadonlySet<BlobId>> => {
  const args = ['log', '--format=', '--raw', '-z', '-m', '--no-abbrev', ...everyChange, commit, '--'];
  const changes = parseRawDiff(await runGit(folders, [...args, ...ids.map((id) => `:(glob)**/${id}.md`)]));
  return new Set(changes.flatMap(({ before, after }) => [before, after].filter((blob) => blob !== undefined)));
};

const changesOfMerge = async (
  folders: GitFolders,
  { hash, parents }: LoggedCommit,
  upstream: string | undefined,
  touched: ReadonlySet<string>,
): Promise<readonly PathChange[]> => {
  const [base] = upstream === undefined ? [] : await mergeBases(folders, hash, upstream);
  const [changes, ...ofParents] = await Promise.all([base, ...parents].map((from) => diffTrees(folders, from, hash)));
  const byPath = new Map(changes?.map((change) => [change.path, change]));
  for (const change of ofParents.flat())
    if (!byPath.has(change.path) && touched.has(change.path))
      byPath.set(change.path, { ...change, before: change.after });
  return [...byPath.values()];
};
