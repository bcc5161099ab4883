/** git's own index, which a person works with too: changed as a whole or not at all. */
import { closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitError, type GitFolders } from './git-process.js';

/**
 * `change` works on a copy that takes the index's place when it is done, while git's own lock keeps others out. A git that
 * outlives a killed process, or reads only half of its input, writes to the copy alone: given half a line,
 * `update-index --index-info` takes a path that was cut off for a whole one. Throws GitError when the lock is taken.
 */
export const changeIndex = async (
  folders: GitFolders,
  change: (copied: GitFolders) => Promise<unknown>,
): Promise<void> => {
  const index = join(folders.gitDir, 'index');
  const lock = `${index}.lock`;
  takeLock(lock);
  try {
    const copy = join(folders.gitDir, 'index.anamnesis');
    // What a killed git left of an earlier copy.
    for (const path of [copy, `${copy}.lock`]) rmSync(path, { force: true });
    if (existsSync(index)) copyFileSync(index, copy);
    await change({ ...folders, indexFile: copy });
    renameSync(copy, index);
  } finally {
    rmSync(lock, { force: true });
  }
};

const takeLock = (lock: string): void => {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new GitError(['update-index'], null, `Unable to create '${lock}': File exists.`);
  }
};
