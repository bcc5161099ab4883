/** git's own index, which a person's git uses too: changed as a whole or not at all. */
import { copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../faults.js';
import type { BlobId } from '../note/note.js';
import { readAtOnce } from '../worktree/plain-files.js';
import { withoutLinks } from '../worktree/replace-file.js';
import { parseRawDiff } from './git-log.js';
import { everyChange, GitError, type GitFolders, runGit } from './git-process.js';

/**
 * Runs `change` on a copy that then replaces the index, while git's own lock keeps others out. A git that outlives a
 * killed process, or gets only half its input, writes only to its own copy: given half a line, `update-index
 * --index-info` accepts the truncated path. Needs the write lock, so an existing lock of ours was left by a killed
 * process. Throws GitError when another git holds the lock.
 */
export const changeIndex = async (
  folders: GitFolders,
  change: (copied: GitFolders) => Promise<unknown>,
): Promise<void> => {
  const index = join(folders.gitDir, 'index');
  const lock = `${index}.lock`;
  takeLock(folders.gitDir, lock);
  try {
    for (const name of readdirSync(folders.gitDir))
      if (name.startsWith(copyPrefix)) rmSync(join(folders.gitDir, name), { force: true });
    const copy = join(folders.gitDir, `${copyPrefix}${process.pid}-${performance.now()}`);
    if (existsSync(index)) copyFileSync(index, copy);
    await change({ ...folders, indexFile: copy });
    renameSync(copy, index);
  } finally {
    rmSync(lock, { force: true });
  }
};

const copyPrefix = 'index.anamnesis';
/** Content of our lock; git's own locks are empty until it writes an index there. */
const lockContent = 'anamnesis\n';

/**
 * Links the complete file into place: a process killed between creating and filling it would leave one that looks like
 * git's.
 */
const takeLock = (gitDir: string, lock: string): void => {
  const filled = join(gitDir, `${copyPrefix}${process.pid}-${performance.now()}.lock`);
  try {
    writeFileSync(filled, lockContent, { mode: 0o600 });
    linkOrWrite(filled, lock);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (readAtOnce(lock, 'utf8') === lockContent) return;
    throw new GitError(['update-index'], null, `Unable to create '${lock}': File exists.`);
  } finally {
    rmSync(filled, { force: true });
  }
};

/** Without hard links, the risk of a kill between creating and filling is accepted. */
const linkOrWrite = (filled: string, lock: string): void => {
  try {
    linkSync(filled, lock);
  } catch (error) {
    if (!withoutLinks.has(codeOf(error))) throw error;
    writeFileSync(lock, lockContent, { flag: 'wx', mode: 0o600 });
  }
};

/** Returns paths that git could not merge and that weren't added since. One git call. */
export const unmergedPaths = async (folders: GitFolders): Promise<ReadonlySet<string>> => {
  const entries = (await runGit(folders, ['ls-files', '--unmerged', '-z'])).toString('utf8').split('\0');
  return new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)).filter((path) => path !== ''));
};

/** Returns, by path, every version in the history of `head`; no paths stand for all. One git call. */
export const versionsIn = async (
  folders: GitFolders,
  head: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<BlobId | undefined>>> => {
  const form = ['--format=', '--raw', '-z', '-m', '--no-abbrev', ...everyChange];
  const output = await runGit(folders, ['--literal-pathspecs', 'log', ...form, head, '--', ...paths]);
  const versions = new Map<string, Set<BlobId | undefined>>();
  for (const { path, before, after } of parseRawDiff(output))
    versions.set(path, (versions.get(path) ?? new Set()).add(before).add(after));
  return versions;
};
