/** Moves the branch in one step for sync, and manages the refs kept beside it. */
import { join } from 'node:path';
import { Fault } from '../faults.js';
import type { NewCommit } from '../journal.js';
import { listRange, parseParents } from './commit-range.js';
import { formatFastImport } from './fast-import.js';
import {
  nextForOtherHead,
  readOtherHead,
  readRef,
  retryWhileLocked,
  retryWhileRefLocked,
  syncFolder,
  writeRef,
} from './git-files.js';
import { branch, GitError, type GitFolders, headRef, runGit } from './git-process.js';

/** The remote's last head that we accepted; it stays when the remote gets another address, which must continue it. */
export const acceptedRef = 'refs/anamnesis/remote';
/** New commits are built on this ref before the branch moves to them. */
export const buildingRef = 'refs/anamnesis/building';
/** Heads kept for rescue, from before a rewritten remote was accepted or a person moved the branch. */
export const rescuePrefix = 'refs/anamnesis/rescue/';

/** Makes commits on top of `parent` without moving the branch; durable when this returns. Returns their ids. */
export const buildCommits = async (
  folders: GitFolders,
  commits: readonly NewCommit[],
  parent: string | undefined,
): Promise<readonly string[]> => {
  const args = ['fast-import', '--quiet', '--done', '--force', '--date-format=raw'];
  const output = await retryWhileRefLocked(
    () => runGit(folders, args, formatFastImport(commits, buildingRef, parent)),
    folders.gitDir,
  );
  syncFolder(join(folders.gitDir, 'objects', 'pack'));
  return output.toString('latin1').trim().split('\n');
};

/** In one step; false when it is no longer at `from`. Needs the write lock. Throws Fault 'head-elsewhere' off main. */
export const moveBranch = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
  log: (line: string) => void,
): Promise<boolean> => {
  const elsewhere = readOtherHead(folders.gitDir);
  if (elsewhere !== undefined) {
    throw new Fault(
      'head-elsewhere',
      `HEAD of ${folders.workTree} is not on main but at ${elsewhere.replace(/^ref: /, '')}, so nothing was taken over`,
      nextForOtherHead(folders.gitDir, folders.workTree),
    );
  }
  // First: killed here, the next command finishes the move.
  const before = readRef(folders.gitDir, headRef);
  writeRef(folders.gitDir, headRef, to);
  try {
    const old = from ?? '0'.repeat(to.length);
    await retryWhileLocked(() => runGit(folders, ['update-ref', branch, to, old]), folders.gitDir, log);
  } catch (error) {
    if (before !== undefined) writeRef(folders.gitDir, headRef, before);
    if (error instanceof GitError && /but expected|is at [0-9a-f]+ but|reference already exists/.test(error.stderr))
      return false;
    throw error;
  }
  syncFolder(join(folders.gitDir, 'refs', 'heads'));
  return true;
};

export const acceptedHead = ({ gitDir }: GitFolders): string | undefined => readRef(gitDir, acceptedRef);

/** Records the accepted head. Starts no git, because every sync that receives or publishes something calls it. */
export const acceptHead = async (folders: GitFolders, commit: string): Promise<void> => {
  const { gitDir } = folders;
  if (acceptedHead(folders) !== commit)
    await retryWhileRefLocked(async () => writeRef(gitDir, acceptedRef, commit), gitDir);
};

/** Keeps a head under its own ref, so that git never collects it. Returns the ref's name. */
export const keepRescue = async (
  folders: GitFolders,
  commit: string,
  id: string,
  prefix = rescuePrefix,
): Promise<string> => {
  const kept = await runGit(folders, ['for-each-ref', '--format=%(refname)', `--points-at=${commit}`, prefix]);
  const [known = ''] = kept.toString('utf8').split('\n');
  if (known !== '') return known;
  const name = `${prefix}${id}`;
  await changeRef(folders, [name, commit]);
  return name;
};

/** Changes a ref below `refs/anamnesis`, waiting for a lock that a killed git may have left. */
const changeRef = async (folders: GitFolders, args: readonly string[]): Promise<void> => {
  await retryWhileRefLocked(() => runGit(folders, ['update-ref', ...args]), folders.gitDir);
};

/** Counts the commits that `to` has and `from` lacks. */
export const countCommits = async (folders: GitFolders, to: string, from: string | undefined): Promise<number> => {
  const list = async (range: readonly string[]) =>
    parseParents(await runGit(folders, ['rev-list', '--parents', ...range, '--']));
  return (await listRange(folders, from, to, list)).length;
};
