/** Makes files with the marks of a git merge wait until a person has finished it. */

import { unmergedPaths } from '../../events/git/git-index.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { ClassifiedFiles, LeftFile } from './hand-edits.js';

/**
 * Git is asked only about files with its marks; marks in a note about git are text like any other. `git add`, or a file
 * without marks, means that the person has finished the merge.
 */
export const withoutUnmerged = async (
  { folders }: Pick<GitJournal, 'folders'>,
  found: ClassifiedFiles,
): Promise<ClassifiedFiles> => {
  const marked = [...found.adopt, ...found.merge].filter(({ bytes }) => hasMarks(bytes)).map(({ path }) => path);
  if (marked.length === 0) return found;
  const unmerged = await unmergedPaths(folders);
  const waiting = new Set(marked.filter((path) => unmerged.has(path)));
  if (waiting.size === 0) return found;
  const left = [...waiting].map((path): LeftFile => ({ path, reason }));
  return {
    ...found,
    adopt: found.adopt.filter(({ path }) => !waiting.has(path)),
    merge: found.merge.filter(({ path }) => !waiting.has(path)),
    left: [...found.left, ...left],
  };
};

const reason = 'it holds the marks of a merge that git could not finish: resolve them, or git merge --abort';

const hasMarks = (bytes: Buffer): boolean => bytes.includes('\n<<<<<<< ') && bytes.includes('\n>>>>>>> ');
