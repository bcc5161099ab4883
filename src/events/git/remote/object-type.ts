/** The type of the object with an id: a remote can put any type where a commit belongs. */
import { type GitFolders, runGit } from '../git-process.js';

/** Returns `commit`, `tag`, `tree` or `blob`, or `missing` for an object that git lacks. */
export const objectType = async (folders: GitFolders, id: string): Promise<string> => {
  const type = await runGit(folders, ['cat-file', '-t', id]).catch(() => Buffer.from('missing'));
  return type.toString('latin1').trim();
};
