/** Makes a repository forget everything unreachable, including reflogs, old packs and files that git leaves behind. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type GitFolders, runGit } from '../events/git/git-process.js';

/** Returns why the repository can't be rewritten now and what to do about it, or undefined if it can. */
export const findObstacleToPurge = ({
  gitDir,
  workTree,
}: GitFolders): { readonly message: string; readonly next: string } | undefined => {
  const there = (name: string): boolean => existsSync(join(gitDir, name));
  if (unfinished.some(there)) {
    return {
      message: `a merge or rebase is under way in ${workTree}`,
      next: `finish or abort it with git, then repeat the purge`,
    };
  }
  if (there('worktrees') && readdirSync(join(gitDir, 'worktrees')).length > 0) {
    return { message: `${workTree} has other working trees`, next: `remove them: git -C ${workTree} worktree list` };
  }
  if (there('shallow')) {
    return { message: `${workTree} is a shallow clone`, next: `run: git -C ${workTree} fetch --unshallow` };
  }
  if (there(join('objects', 'info', 'alternates'))) {
    return {
      message: `${workTree} borrows objects from another repository, which would keep what is purged`,
      next: `run: git -C ${workTree} repack -a -d, and remove objects/info/alternates`,
    };
  }
  return undefined;
};

const unfinished = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG'];

/** Deletes everything that neither a ref nor git's index reaches. Under the write lock. Throws GitError. */
export const forgetUnreachable = async (folders: GitFolders): Promise<void> => {
  const { gitDir } = folders;
  await runGit(folders, ['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all']);
  for (const name of readdirSync(gitDir))
    if (isLeftover(name)) rmSync(join(gitDir, name), { recursive: true, force: true });
  const packs = join(gitDir, 'objects', 'pack');
  for (const name of readdirSync(packs)) if (isLeftPack(name)) rmSync(join(packs, name), { force: true });
  // Commit graphs name commits that are gone; compacting writes them again.
  for (const name of ['commit-graph', 'commit-graphs']) {
    rmSync(join(gitDir, 'objects', 'info', name), { recursive: true, force: true });
  }
  await runGit(folders, ['-c', 'repack.writeBitmaps=false', 'repack', '-a', '-d', '-l', '--quiet']);
  await runGit(folders, ['prune', '--expire=now']);
  for (const folder of readdirSync(join(gitDir, 'objects'))) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    const path = join(gitDir, 'objects', folder);
    for (const name of readdirSync(path)) if (name.startsWith('tmp_obj_')) rmSync(join(path, name), { force: true });
  }
};

/** Old heads, typed messages, recorded conflict resolutions (rerere), crash reports. */
const isLeftover = (name: string): boolean =>
  /^(?:ORIG_HEAD|FETCH_HEAD|AUTO_MERGE|COMMIT_EDITMSG|MERGE_MSG|SQUASH_MSG|TAG_EDITMSG|gitk\.cache|rr-cache|lost-found)$/.test(
    name,
  ) || /^(?:fast_import_crash_|index\.anamnesis)/.test(name);

const isLeftPack = (name: string): boolean => /^(?:tmp_|\.tmp-)|\.keep$|^multi-pack-index|\.bitmap$/.test(name);
