/**
 * Sizes of the words that a fetch brought, before anything reads them: git sets no limit to a commit's message, or to what a
 * ref names, and hundreds of megabytes of either pack into a few kilobytes.
 */
import { maxFileBytes } from '../../note/note.js';
import { splitLines } from '../blob-stream.js';
import { GitError, type GitFolders, runGit, streamGit } from '../git-process.js';
import { sharedRefs } from './git-transport.js';

/** Bytes. */
export type WordLimits = { readonly inOne: number; readonly inAll: number };

/** An import of 100,000 notes is recorded in 5 MB, and a year of work in 50 MB. */
export const wordLimits: WordLimits = { inOne: maxFileBytes, inAll: 1024 ** 3 };

/**
 * Why the commits of `to` that `from` has not may not be read, as a phrase, or what a shared ref names; undefined when all of
 * it may. A ref that names too much is removed here, since listings of refs read it whole. Two git calls beside each other
 * and one after them. Throws GitError when `to` is no commit.
 */
export const inspectWords = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
  limits: WordLimits = wordLimits,
): Promise<string | undefined> => {
  const range = from === undefined ? [to] : [to, `^${from}`];
  const [listed, large] = await Promise.all([
    from === to ? Buffer.alloc(0) : runGit(folders, ['rev-list', ...range, '--']),
    findLargeRefs(folders, limits.inOne),
  ]);
  for (const ref of large) await runGit(folders, ['update-ref', '-d', ref]);
  if (large.length > 0) return `${large[0]} names more than ${inMebibytes(limits.inOne)}`;
  return listed.length === 0 ? undefined : inspectCommits(folders, listed, limits);
};

const inspectCommits = async (
  folders: GitFolders,
  commits: Buffer,
  { inOne, inAll }: WordLimits,
): Promise<string | undefined> => {
  let refused: string | undefined;
  let all = 0;
  const take = splitLines((line) => {
    const [commit, , size = '0'] = line.split(' ');
    all += Number(size);
    if (Number(size) > inOne) refused ??= `the message of commit ${commit} has more than ${inMebibytes(inOne)}`;
    else if (all > inAll) refused ??= `the messages of its commits have more than ${inMebibytes(inAll)}`;
  });
  const args = ['cat-file', '--batch-check', '--buffer'];
  await streamGit(folders, args, (chunk) => take(chunk) && refused === undefined, [commits]);
  return refused;
};

const findLargeRefs = async (folders: GitFolders, maxBytes: number): Promise<readonly string[]> => {
  try {
    const listed = await runGit(folders, ['for-each-ref', '--format=%(objectsize) %(refname)', ...sharedRefs]);
    const lines = listed.toString('utf8').split('\n');
    return lines
      .filter((line) => Number.parseInt(line, 10) > maxBytes)
      .map((line) => line.slice(line.indexOf(' ') + 1));
  } catch (error) {
    // One of them names what is not there; nothing of it can be read then.
    if (error instanceof GitError) return [];
    throw error;
  }
};

const inMebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
