/**
 * The refs that the machines of one memory share besides the branch: their marks. Anyone who may push chooses names and
 * contents, and a foreign name could block one of ours: git can't store `machines/laptop` beside `machines/laptop/x`.
 */
import { refsBelow } from '../git-files.js';
import { GitError, type GitFolders, runGit } from '../git-process.js';
import { machineOfRef, markFolder } from './machine-marks.js';

/** False for a name that this program never gives a ref. */
export const isSharedRef = (ref: string): boolean => machineOfRef(ref) !== undefined;

/** How many machines' marks are kept here; existing ones are still updated. */
const maxMarks = 1000;

/** Returns the refs to fetch, without marks of new machines beyond `maxMarks`. */
export const withinRoom = (gitDir: string, refs: readonly string[]): readonly string[] => {
  const known = refsBelow(gitDir, markFolder);
  let room = maxMarks - known.size;
  return refs.filter((ref) => {
    if (known.has(ref.slice(markFolder.length))) return true;
    room -= 1;
    return room >= 0;
  });
};

/** Removes fetched refs that are no marks: by name, or because they point to anything but a short commit. */
export const dropForeignRefs = async (folders: GitFolders): Promise<void> => {
  const listed = await listRefs(folders, '%(objecttype) %(objectsize) %(refname)').catch((error: unknown) => {
    // One of them names a missing object; then only their names can be judged.
    if (error instanceof GitError) return listRefs(folders, 'commit 0 %(refname)');
    throw error;
  });
  const strange = listed.flatMap((line) => {
    const [type, size, ref = ''] = line.split(' ');
    return type === 'commit' && Number.parseInt(size ?? '', 10) <= maxMarkBytes && isSharedRef(ref) ? [] : [ref];
  });
  if (strange.length === 0) return;
  await runGit(folders, ['update-ref', '--stdin', '-z'], [strange.map((ref) => `delete ${ref}\0\0`).join('')]);
};

const listRefs = async (folders: GitFolders, format: string): Promise<readonly string[]> => {
  const listed = await runGit(folders, ['for-each-ref', `--format=${format}`, markFolder]);
  return listed.toString('utf8').split('\n').filter(Boolean);
};

/** A mark has a few hundred bytes, and listings of refs read them whole. */
const maxMarkBytes = 4096;
