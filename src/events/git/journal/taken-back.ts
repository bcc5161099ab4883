/** Changes that a merge takes back: one side made them, and the merge has the file as it was before. */
import type { LoggedCommit } from '../../logged-event.js';
import type { NoteId } from '../../note/note.js';
import { everyChange, type GitFolders } from '../git-process.js';
import { streamFields } from '../stream-fields.js';
import type { ChangedNotes } from './foreign-commits.js';
import { openIdsOfNotes } from './ids-of-notes.js';
import { readCommon } from './read-common.js';

type Merge = Pick<LoggedCommit, 'hash' | 'parents'>;

/**
 * A merge shows no difference to the side that it follows. Where it follows the one that changed nothing, the other side's
 * change is gone, and no commit says so. Two git calls; for a few merges one, and one for each pair of their sides.
 */
export const readTakenBack = async (folders: GitFolders, merges: readonly Merge[]): Promise<ChangedNotes> => {
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
  // Of one merge at a time: it may be as much as the whole tree.
  let sinceBases = new Set<string>();
  const idOf = openIdsOfNotes();
  await compare(folders, compared, ({ hash, as }, path, isThere) => {
    const id = idOf(path);
    if (id === undefined) return;
    if (hash !== merge) sinceBases = new Set();
    merge = hash;
    if (as === 'base') sinceBases.add(path);
    // Histories that began apart have nothing in common, so that only what is missing is as it was.
    else if (as === 'side' ? !sinceBases.has(path) : !isThere) takenBack.get(hash)?.add(id);
  });
  return new Map([...takenBack].map(([hash, notes]) => [hash, [...notes]]));
};

/** The newest common commits of each merge's sides, as far as the merge is compared with them. For git calls see `readCommon`. */
export const readBases = (
  folders: GitFolders,
  merges: readonly Pick<Merge, 'parents'>[],
): Promise<readonly (readonly string[])[]> =>
  readCommon(
    folders,
    merges.map(({ parents }) => parents),
    maxBases,
  );

/** Of one merge, the same ones on every machine. With more of them, a change may count as taken back that wasn't. */
const maxBases = 4;

/** A merge and a commit that it is compared with, the bases before the sides. */
type Compared = { readonly hash: string; readonly other: string; readonly as: 'base' | 'side' | 'unrelated-side' };

/** Tells of each file in which the two differ, and whether the merge has it. */
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
