/** Whether the remote has a note, as far as this machine knows. */
import { acceptedHead } from '../events/git/branch.js';
import { type GitFolders, runGit } from '../events/git/git-process.js';

/** True if a file at one of these paths is in the history that was accepted last, even if it was removed since. */
export const remoteHas = async (folders: GitFolders, paths: readonly string[]): Promise<boolean> => {
  const accepted = acceptedHead(folders);
  if (accepted === undefined || paths.length === 0) return false;
  const found = await runGit(folders, ['--literal-pathspecs', 'rev-list', '--max-count=1', accepted, '--', ...paths]);
  return found.length > 0;
};
