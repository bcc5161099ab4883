/**
 * Checks the sizes of fetched messages before anything reads them: git doesn't limit a commit's message or an object
 * that a ref names, and hundreds of megabytes of either pack into a few kilobytes.
 */
import { maxFileBytes } from '../../note/note.js';
import { splitLines } from '../blob-stream.js';
import { cacheIfLinear, parseParents } from '../commit-range.js';
import { GitError, type GitFolders, runGit, streamGit } from '../git-process.js';
import { incomingRef } from './git-transport.js';
import { objectType } from './object-type.js';
import { sharedRefs } from './shared-refs.js';

/** In bytes. */
export type SizeLimits = { readonly inOne: number; readonly inAll: number };

export type MessageLimits = SizeLimits & {
  /** Limited too, because each is an event, however short its message: a million of them take 2.7 GB in memory. */
  readonly commits: number;
};

/**
 * Recording an import of 100,000 notes takes 5 MB, and a year of work 50 MB; 270 commits a day for ten years are a
 * million.
 */
export const messageLimits: MessageLimits = { inOne: maxFileBytes, inAll: 1024 ** 3, commits: 1_000_000 };

/** For the objects that shared refs name: a machine's mark has a few hundred bytes. */
export const refLimits: SizeLimits = { inOne: 1024 ** 2, inAll: 64 * 1024 ** 2 };

/** The objects that fetched refs point to. */
export type FetchedRefs = {
  /** Type of the incoming head's object: `commit`, another one that the remote put there, or `missing`. */
  readonly type: string;
  /** Why the shared refs may not be read, as a phrase; undefined if they may. */
  readonly refused: string | undefined;
  /** Refs whose objects are too large, alone or together with the ones before them. */
  readonly large: readonly string[];
};

/** Reads the fetched refs. One git call, and one more when a ref names a missing object. */
export const readFetchedRefs = async (
  folders: GitFolders,
  incoming: string,
  { inOne, inAll }: SizeLimits = refLimits,
): Promise<FetchedRefs> => {
  const refs = await listRefs(folders);
  const [head] = refs.filter(({ name, id }) => name === incomingRef && id === incoming);
  const large: string[] = [];
  let refused: string | undefined;
  let all = 0;
  for (const { name, size } of refs.filter((ref) => ref.name !== incomingRef)) {
    // Several refs may name one object; it is read for each.
    all += size > inOne ? 0 : size;
    if (size <= inOne && all <= inAll) continue;
    large.push(name);
    refused ??=
      size > inOne
        ? `${name} names more than ${inMebibytes(inOne)}`
        : `its refs of machines name more than ${inMebibytes(inAll)} together`;
  }
  return { type: head?.type ?? (await objectType(folders, incoming)), refused, large };
};

/**
 * Returns why the commits that `to` has and `from` lacks, or a shared ref, may not be read, as a phrase; undefined if
 * all may. Deletes the refs with large objects, because listings of refs read them whole. Two git calls, and a third
 * for a long history. Throws GitError when `to` is not a commit.
 */
export const inspectMessages = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
  { large, refused }: Pick<FetchedRefs, 'large' | 'refused'>,
  limits: MessageLimits = messageLimits,
): Promise<string | undefined> => {
  const deletions = large.map((ref) => `delete ${ref}\0\0`);
  if (large.length > 0) await runGit(folders, ['update-ref', '--stdin', '-z'], [deletions.join('')]);
  if (refused !== undefined) return refused;
  if (from === to) return undefined;
  const range = from === undefined ? [to] : [to, `^${from}`];
  const withParents = await listWithParents(folders, range);
  if (from !== undefined && withParents !== undefined)
    await cacheIfLinear(folders, from, to, parseParents(withParents));
  const most = `--max-count=${limits.commits + 1}`;
  const listed = withParents ?? (await runGit(folders, ['rev-list', most, ...range, '--']));
  return listed.length === 0 ? undefined : inspectCommits(folders, listed, limits);
};

/**
 * Returns undefined when the list is longer than that of a few thousand commits: one commit can have a million parents.
 */
const listWithParents = async (folders: GitFolders, range: readonly string[]): Promise<Buffer | undefined> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  await streamGit(folders, ['rev-list', '--parents', ...range, '--'], (chunk) => {
    parts.push(chunk);
    bytes += chunk.length;
    return bytes <= maxListedBytes;
  });
  return bytes <= maxListedBytes ? Buffer.concat(parts) : undefined;
};

const maxListedBytes = 512 * 1024;

const inspectCommits = async (
  folders: GitFolders,
  commits: Buffer,
  { inOne, inAll, commits: most }: MessageLimits,
): Promise<string | undefined> => {
  let refused: string | undefined;
  let all = 0;
  let count = 0;
  const take = splitLines((line) => {
    const [commit, , size = '0'] = line.split(' ');
    all += Number(size);
    count += 1;
    if (count > most) refused ??= `it has more than ${most} commits that are not here`;
    else if (Number(size) > inOne) refused ??= `the message of commit ${commit} has more than ${inMebibytes(inOne)}`;
    else if (all > inAll) refused ??= `the messages of its commits have more than ${inMebibytes(inAll)}`;
  });
  // With %(rest), which is the parents, git reads only the first word of a line as the object.
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize) %(rest)', '--buffer'];
  await streamGit(folders, args, (chunk) => take(chunk) && refused === undefined, [commits]);
  return refused;
};

type FetchedRef = { readonly name: string; readonly id: string; readonly type: string; readonly size: number };

const listRefs = async (folders: GitFolders): Promise<readonly FetchedRef[]> => {
  try {
    const format = '--format=%(objectsize) %(objecttype) %(objectname) %(refname)';
    const listed = await runGit(folders, ['for-each-ref', format, incomingRef, ...sharedRefs]);
    const lines = listed.toString('utf8').split('\n').filter(Boolean);
    return lines.map((line) => {
      const [size = '', type = '', id = '', name = ''] = line.split(' ');
      return { name, id, type, size: Number.parseInt(size, 10) };
    });
  } catch (error) {
    // One of them names a missing object; then none can be read.
    if (error instanceof GitError) return [];
    throw error;
  }
};

const inMebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
