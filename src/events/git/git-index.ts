/** git's own index, which a person works with too: changed as a whole or not at all. */
import { copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-code.js';
import type { BlobId } from '../note/note.js';
import { readAtOnce } from '../worktree/plain-files.js';
import { withoutLinks } from '../worktree/replace-file.js';
import { parseRawDiff } from './git-log.js';
import { everyChange, GitError, type GitFolders, runGit } from './git-process.js';
import { branch } from './journal-ref.js';

/**
 * `change` works on a copy that takes the index's place when it is done, while git's own lock keeps others out. A git that
 * outlives a killed process, or reads only half of its input, writes to a copy of its own: given half a line,
 * `update-index --index-info` takes a path that was cut off for a whole one. Under the write lock, so that a lock of ours
 * that is there already is that of a killed process. Throws GitError when a git has taken it.
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
/** Content of a lock of ours; git's own are empty until it writes an index there. */
const ours = 'anamnesis\n';

/** Linked into its place whole: a process killed between making and filling it would leave one that looks like git's. */
const takeLock = (gitDir: string, lock: string): void => {
  const filled = join(gitDir, `${copyPrefix}${process.pid}-${performance.now()}.lock`);
  try {
    writeFileSync(filled, ours, { mode: 0o600 });
    linkOrWrite(filled, lock);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (readAtOnce(lock, 'utf8') === ours) return;
    throw new GitError(['update-index'], null, `Unable to create '${lock}': File exists.`);
  } finally {
    rmSync(filled, { force: true });
  }
};

/** Where there are no hard links, a kill between the two steps of a write is the lesser evil. */
const linkOrWrite = (filled: string, lock: string): void => {
  try {
    linkSync(filled, lock);
  } catch (error) {
    if (!withoutLinks.has(codeOf(error))) throw error;
    writeFileSync(lock, ours, { flag: 'wx', mode: 0o600 });
  }
};

/** Paths that git could not merge and nobody has added since. One git call. */
export const unmergedPaths = async (folders: GitFolders): Promise<ReadonlySet<string>> => {
  const entries = (await runGit(folders, ['ls-files', '--unmerged', '-z'])).toString('utf8').split('\0');
  return new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)).filter((path) => path !== ''));
};

/**
 * By path: the versions that the branch has had on its way to `head` since the `known` commits, also at heads that a sync
 * appended again elsewhere. A person's `git reset` or `git merge` may have left the index at any of them. Two git calls.
 */
export const versionsOnTheWay = async (
  folders: GitFolders,
  known: readonly string[],
  head: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<BlobId | undefined>>> => {
  const listed = await runGit(folders, ['rev-list', '-g', '-n', `${maxHeads}`, branch, '--']);
  const heads = [head, ...listed.toString('latin1').split('\n').filter(Boolean)];
  const range = ['--ignore-missing', ...heads, ...known.map((commit) => `^${commit}`)];
  const form = ['--format=', '--raw', '-z', '-m', '--no-abbrev', ...everyChange];
  const output = await runGit(folders, ['--literal-pathspecs', 'log', ...form, ...range, '--', ...paths]);
  const versions = new Map<string, Set<BlobId | undefined>>();
  for (const { path, before, after } of parseRawDiff(output)) {
    const known = versions.get(path);
    if (known === undefined) versions.set(path, new Set([before, after]));
    else known.add(before).add(after);
  }
  return versions;
};

/** Of the branch's latest ones, which git's reflog lists. */
const maxHeads = 64;
