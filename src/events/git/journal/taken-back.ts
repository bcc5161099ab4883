/** Changes that a merge takes back: one side made them, and the merge has the file as it was before. */
import type { LoggedCommit } from '../../logged-event.js';
import type { NoteId } from '../../note/note.js';
import { idOfPath, isNotePath } from '../../note/paths.js';
import { mergeBases } from '../commit-range.js';
import { everyChange, type GitFolders } from '../git-process.js';
import { streamFields } from '../stream-fields.js';
import type { ChangedNotes } from './foreign-commits.js';

type Merge = Pick<LoggedCommit, 'hash' | 'parents'>;

/**
 * A merge shows no difference to the side that it follows. Where it follows the one that changed nothing, the other side's
 * change is gone, and no commit says so. A git call for each merge, and one for many of them.
 */
export const readTakenBack = async (folders: GitFolders, merges: readonly Merge[]): Promise<ChangedNotes> => {
  const takenBack = new Map<string, readonly NoteId[]>();
  for (let from = 0; from < merges.length; from += atOnce)
    for (const [hash, notes] of await readSome(folders, merges.slice(from, from + atOnce))) takenBack.set(hash, notes);
  return takenBack;
};

const atOnce = 50;
/** Of one merge, the same ones on every machine. With more of them, a change may count as taken back that wasn't. */
const maxBases = 4;

const readSome = async (folders: GitFolders, merges: readonly Merge[]): Promise<ChangedNotes> => {
  const sides: { readonly merge: Merge; readonly bases: readonly string[] }[] = [];
  for (const merge of merges)
    sides.push({ merge, bases: (await basesOf(folders, merge.parents)).toSorted().slice(0, maxBases) });
  const pairs = sides.flatMap(({ merge: { hash, parents }, bases }) =>
    [...parents, ...bases].map((other) => `${hash} ${other}\n`),
  );
  const found = await readPairs(folders, pairs);
  let at = 0;
  return new Map(
    sides.map(({ merge: { hash, parents }, bases }) => {
      const changed = found.slice(at, at + parents.length);
      at += parents.length;
      const sinceBases = found.slice(at, at + bases.length);
      at += bases.length;
      const paths = changed.flatMap((differing) =>
        [...differing].flatMap(([path, isThere]) => {
          // Histories that began apart have nothing in common, so that only what is missing is as it was.
          const asBefore = bases.length === 0 ? !isThere : sinceBases.every((since) => !since.has(path));
          return asBefore ? [path] : [];
        }),
      );
      return [hash, [...new Set(paths.map(idOfPath))]] as const;
    }),
  );
};

/** Of the first side and each of the others. */
const basesOf = async (folders: GitFolders, [first = '', ...others]: readonly string[]): Promise<readonly string[]> => {
  const bases = new Set<string>();
  for (const other of others) for (const base of await mergeBases(folders, first, other)) bases.add(base);
  return [...bases];
};

/** By path, whether the commit has it: notes in which a commit differs from the other of its pair. */
type Differing = ReadonlyMap<string, boolean>;

const readPairs = async (folders: GitFolders, pairs: readonly string[]): Promise<readonly Differing[]> => {
  const args = ['diff-tree', '--stdin', '--always', '-r', '-z', '--raw', '--no-abbrev', ...everyChange];
  const found: Map<string, boolean>[] = [];
  let change: string | undefined;
  const take = (field: string): void => {
    if (change !== undefined) {
      if (isNotePath(field)) found.at(-1)?.set(field, !change.endsWith(' D'));
      change = undefined;
    } else if (field.startsWith(':')) change = field;
    else found.push(new Map());
  };
  await streamFields(folders, args, take, pairs);
  return found;
};
