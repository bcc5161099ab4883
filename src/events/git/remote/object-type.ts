/** What kind of object an id names: a remote can put any of them where a commit belongs. */
import { type GitFolders, runGit } from '../git-process.js';

/** `commit`, `tag`, `tree` or `blob`; `missing` for what git does not have. */
export const objectType = async (folders: GitFolders, id: string): Promise<string> => {
  const type = await runGit(folders, ['cat-file', '-t', id]).catch(() => Buffer.from('missing'));
  return type.toString('latin1').trim();
};
