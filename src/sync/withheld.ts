/**
 * Withholds files of machine-local notes that a person committed and that are no longer in `memory/`: our commits are
 * appended again without them, so that the sync can continue. Pure.
 */
import { isMerge } from '../events/git/git-log.js';
import type { UnpublishedCommit } from '../events/git/remote/unpublished.js';
import { groupBy } from '../events/group-by.js';
import { toLoggedEvent } from '../events/logged-event.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import type { CommittedFile, StatedOf } from './committed-files.js';

/** The file of a commit that must not leave this machine. */
export type Withheld = {
  readonly hash: string;
  readonly path: string;
  /** The commit in which the path loses it; undefined for a file that was removed without a commit. */
  readonly until: string | undefined;
};

/**
 * Returns a function that returns the file to withhold, if all files that the line added of its note are gone from
 * `memory/`. It returns undefined if one is still there, which a person must decide about, and for a file that went
 * into a merge, which must be resolved with git. `isInFolder` detects files removed without a commit.
 */
export const openWithholding = (
  line: readonly UnpublishedCommit[],
  statedOf: StatedOf,
  isInFolder: (path: string) => boolean,
): ((brought: Pick<CommittedFile, 'commit' | 'path' | 'said'>) => Withheld | undefined) => {
  const merged = mergedIn(line);
  const last = new Map(line.flatMap(({ changes }) => changes.map(({ path, after }) => [path, after] as const)));
  const filesOf = groupBy(
    [...last].flatMap(([path, after]) => (after === undefined ? [] : [{ path, id: statedOf(after, path).id }])),
    ({ id }) => id,
  );
  const isThereOf = new Map<NoteId, boolean>();
  return ({ commit: { hash }, path, said: { id } }) => {
    if (id === undefined || merged.has(path)) return undefined;
    const isThere = isThereOf.get(id) ?? filesOf.get(id)?.some((file) => isInFolder(file.path)) === true;
    isThereOf.set(id, isThere);
    if (isThere) return undefined;
    const until = findEnd(line, hash, path, (blob) => statedOf(blob, path).id, id);
    return until === undefined && isInFolder(path) ? undefined : { hash, path, until };
  };
};

/** Returns the paths that a merge decided about, among them all that the commits before it changed. */
export const mergedIn = (line: readonly UnpublishedCommit[]): ReadonlySet<string> =>
  new Set(line.filter(isMerge).flatMap(({ changes }) => changes.map(({ path }) => path)));

/**
 * Finds the commit that removes the file, or puts back what was there before, or puts another note's file there.
 * Content that names no note may have been made from the private text.
 */
const findEnd = (
  line: readonly UnpublishedCommit[],
  begin: string,
  path: string,
  idIn: (blob: BlobId) => NoteId | undefined,
  id: NoteId,
): string | undefined => {
  const had = new Set<BlobId>();
  let hasBegun = false;
  for (const { hash, changes } of line) {
    const change = changes.find((one) => one.path === path);
    if (change === undefined) continue;
    const { before, after } = change;
    if (hasBegun) {
      if (after === undefined || had.has(after) || ![undefined, id].includes(idIn(after))) return hash;
      continue;
    }
    if (before !== undefined && idIn(before) !== id) had.add(before);
    hasBegun = hash === begin;
  }
  return undefined;
};

/**
 * Returns the commits without what was written to these paths until they got other content, which then replaces what
 * was there before. Drops an event of ours of which nothing is left: it would only name the note.
 */
export const withoutWithheld = (
  line: readonly UnpublishedCommit[],
  withheld: readonly Withheld[],
): readonly UnpublishedCommit[] => {
  const begins = new Map(withheld.map(({ hash, path, until }) => [`${hash} ${path}`, until]));
  const stands = new Map<string, { readonly blob: BlobId | undefined; readonly until: string | undefined }>();
  return line.flatMap((commit) => {
    const { hash } = commit;
    const changes = commit.changes.flatMap((change) => {
      const { path, before, after } = change;
      const standing = stands.get(path);
      const begin = `${hash} ${path}`;
      if (standing === undefined) {
        if (!begins.has(begin)) return [change];
        stands.set(path, { blob: before, until: begins.get(begin) });
        return [];
      }
      if (standing.until !== hash) return [];
      stands.delete(path);
      return after === standing.blob ? [] : [{ ...change, before: standing.blob }];
    });
    const isEmptied = changes.length === 0 && commit.changes.length > 0;
    return isEmptied && !toLoggedEvent(commit, []).foreign ? [] : [{ ...commit, changes }];
  });
};
