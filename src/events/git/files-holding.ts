/** Finds the files of the working tree that contain a text with git, which reads thousands of files on all cores. */
import { GitError, type GitFolders, runGit } from './git-process.js';

/** Paths of files below the folder that contain the text; of several lines, one matching line is enough. */
export const filesHolding = async (
  folders: GitFolders,
  text: string,
  { ignoreCase }: { readonly ignoreCase: boolean },
): Promise<readonly string[]> => {
  // git can't search for a NUL, and a file that contains one isn't read as a note.
  if (text.includes('\0')) return [];
  const args = [
    'grep',
    ...['--no-index', '--no-recurse-submodules', '--no-color', '--no-textconv', '--fixed-strings', '--text'],
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...['--files-with-matches', '-z', '-e', text, '--', '.'],
  ];
  try {
    const output = await runGit(folders, args);
    return output.toString('utf8').split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1 && error.stderr.trim() === '') return [];
    throw error;
  }
};
