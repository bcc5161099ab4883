/** Files in which git left the marks of a merge that a person has yet to finish: they wait instead of being taken in. */

import { unmergedPaths } from '../../events/git/git-index.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { LeftFile, Reconciliation } from './hand-edits.js';

/**
 * Only a file with git's marks costs a question to git; marks in a note about git are text like any other. `git add`, or a
 * file without marks, is the person's word that the merge is done.
 */
export const withoutUnmerged = async (
  { folders }: Pick<GitJournal, 'folders'>,
  found: Reconciliation,
): Promise<Reconciliation> => {
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
