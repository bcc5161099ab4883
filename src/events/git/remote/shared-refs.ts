/**
 * The refs that the machines of one memory share besides the branch. Anybody who may push names them, and a name that is none
 * of ours would stand in the way of one that is: git has no room for `machines/laptop` beside `machines/laptop/x`.
 */
import { isUlid } from '../../ulid-form.js';
import { refsBelow } from '../git-files.js';
import { type GitFolders, runGit } from '../git-process.js';
import { machineOfRef, markFolder } from './machine-marks.js';

export const purgeFolder = 'refs/anamnesis/purges/';
export const sharedRefs: readonly string[] = [markFolder, purgeFolder];

/** False of a name that this program gives no ref. */
export const isSharedRef = (ref: string): boolean =>
  ref.startsWith(purgeFolder) ? isUlid(ref.slice(purgeFolder.length)) : machineOfRef(ref) !== undefined;

/** Marks of machines that are kept here; one that is here is still brought up to date. */
const maxMarks = 1000;

/** Those to be fetched by their names: without the marks of machines that there is no room for. */
export const withinRoom = (gitDir: string, refs: readonly string[]): readonly string[] => {
  const known = refsBelow(gitDir, markFolder);
  let room = maxMarks - known.size;
  return refs.filter((ref) => {
    if (!ref.startsWith(markFolder) || known.has(ref.slice(markFolder.length))) return true;
    room -= 1;
    return room >= 0;
  });
};

/** Removes what an earlier fetch brought under other names. */
export const dropStrangeRefs = async (folders: GitFolders): Promise<void> => {
  const listed = await runGit(folders, ['for-each-ref', '--format=%(refname)', ...sharedRefs]);
  const strange = listed
    .toString('utf8')
    .split('\n')
    .filter((ref) => ref !== '' && !isSharedRef(ref));
  if (strange.length === 0) return;
  await runGit(folders, ['update-ref', '--stdin', '-z'], [strange.map((ref) => `delete ${ref}\0\0`).join('')]);
};
