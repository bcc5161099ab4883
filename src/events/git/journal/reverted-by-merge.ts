/** Finds changes that a merge takes back: one side made them, but the merge has the file as it was before. */
import type { LoggedCommit } from '../../logged-event.js';
import type { NoteId } from '../../note/note.js';
import { everyChange, type GitFolders } from '../git-process.js';
import { streamFields } from '../stream-fields.js';
import type { ChangedNotes } from './foreign-commits.js';
import { openIdsOfNotes } from './ids-of-notes.js';
import { readCommonBases } from './read-merge-bases.js';

type Merge = Pick<LoggedCommit, 'hash' | 'parents'>;

/**
 * git shows no difference between a merge and the side that it follows. If it follows the side without the change, the
 * other side's change is lost, and no commit says so. Two git calls; for a few merges, one plus one for each pair of
 * their sides.
 */
export const readRevertedByMerge = async (folders: GitFolders, merges: readonly Merge[]): Promise<ChangedNotes> => {
  if (merges.length === 0) return new Map();
  const bases = await readBases(folders, merges);
  const compared = merges.flatMap(({ hash, parents }, at): readonly Compared[] => {
    const before = bases[at] ?? [];
    const side = before.length === 0 ? 'unrelated-side' : 'side';
    return [
      ...before.map((other) => ({ hash, other, as: 'base' }) as const),
      ...parents.map((other) => ({ hash, other, as: side }) as const),
    ];
  });
  const takenBack = new Map(merges.map(({ hash }) => [hash, new Set<NoteId>()]));
  let merge = '';
  // For one merge at a time: this may be the whole tree.
  let sinceBases = new Set<string>();
  const idOf = openIdsOfNotes();
  await compare(folders, compared, ({ hash, as }, path, isThere) => {
    const id = idOf(path);
    if (id === undefined) return;
    if (hash !== merge) sinceBases = new Set();
    merge = hash;
    if (as === 'base') sinceBases.add(path);
    // Unrelated histories have no base, so only a missing file counts as taken back.
    else if (as === 'side' ? !sinceBases.has(path) : !isThere) takenBack.get(hash)?.add(id);
  });
  return new Map([...takenBack].map(([hash, notes]) => [hash, [...notes]]));
};

/**
 * Returns the merge bases of each merge's sides, as many as are compared. For the number of git calls see
 * `readCommonBases`.
 */
export const readBases = (
  folders: GitFolders,
  merges: readonly Pick<Merge, 'parents'>[],
): Promise<readonly (readonly string[])[]> =>
  readCommonBases(
    folders,
    merges.map(({ parents }) => parents),
    maxBases,
  );

/** Per merge, and the same ones on every machine. With more bases, a change may wrongly count as taken back. */
const maxBases = 4;

/** A merge and a commit to compare it with; bases come before sides. */
type Compared = { readonly hash: string; readonly other: string; readonly as: 'base' | 'side' | 'unrelated-side' };

/** Calls `onDiffering` for each file that differs, with whether the merge has it. */
const compare = async (
  folders: GitFolders,
  pairs: readonly Compared[],
  onDiffering: (pair: Compared, path: string, isThere: boolean) => void,
): Promise<void> => {
  const args = ['diff-tree', '--stdin', '--always', '-r', '-z', '--raw', '--no-abbrev', ...everyChange];
  let at = -1;
  let change: string | undefined;
  const take = (field: string): void => {
    if (change !== undefined) {
      const pair = pairs[at];
      if (pair !== undefined) onDiffering(pair, field, !change.endsWith(' D'));
      change = undefined;
    } else if (field.startsWith(':')) change = field;
    else at += 1;
  };
  await streamFields(folders, args, take, [pairs.map(({ hash, other }) => `${hash} ${other}\n`).join('')]);
};
