/**
 * The refs that the machines of one memory share besides the branch. Anyone who may push chooses their names, and a
 * foreign name could block one of ours: git can't store `machines/laptop` beside `machines/laptop/x`.
 */
import { refsBelow } from '../git-files.js';
import { type GitFolders, runGit } from '../git-process.js';
import { machineOfRef, markFolder } from './machine-marks.js';

export const sharedRefs: readonly string[] = [markFolder];

/** False for a name that this program never gives a ref. */
export const isSharedRef = (ref: string): boolean => machineOfRef(ref) !== undefined;

/** How many machines' marks are kept here; existing ones are still updated. */
const maxMarks = 1000;

/** Returns the refs to fetch, without marks of new machines beyond `maxMarks`. */
export const withinRoom = (gitDir: string, refs: readonly string[]): readonly string[] => {
  const known = refsBelow(gitDir, markFolder);
  let room = maxMarks - known.size;
  return refs.filter((ref) => {
    if (!ref.startsWith(markFolder) || known.has(ref.slice(markFolder.length))) return true;
    room -= 1;
    return room >= 0;
  });
};

/** Removes refs with foreign names that an earlier fetch brought. */
export const dropForeignRefs = async (folders: GitFolders): Promise<void> => {
  const listed = await runGit(folders, ['for-each-ref', '--format=%(refname)', ...sharedRefs]);
  const strange = listed
    .toString('utf8')
    .split('\n')
    .filter((ref) => ref !== '' && !isSharedRef(ref));
  if (strange.length === 0) return;
  await runGit(folders, ['update-ref', '--stdin', '-z'], [strange.map((ref) => `delete ${ref}\0\0`).join('')]);
};
