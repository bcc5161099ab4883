/**
 * What a person committed of a machine-local note and nobody has in `memory/` any more: our commits are appended again
 * without it, so that the sync goes on. Pure.
 */
import { isMerge } from '../events/git/git-log.js';
import type { UnpublishedCommit } from '../events/git/remote/unpublished.js';
import { toLoggedEvent } from '../events/logged-event.js';
import type { BlobId } from '../events/note/note.js';
import type { Said } from '../events/note/said-scope.js';

/** The file of a commit that must not leave this machine. */
export type Withheld = { readonly hash: string; readonly path: string };

type Brought = { readonly commit: UnpublishedCommit; readonly path: string; readonly said: Said };

/**
 * Tells which files are gone from the end of the line, and every other file that the line brought of their notes with
 * them. What stays in `memory/` is for a person to decide about, and a merge for git.
 */
export const openIsGone = (
  line: readonly UnpublishedCommit[],
  saidOf: (blob: BlobId, path: string) => Said,
): ((brought: Brought) => boolean) => {
  if (line.some(isMerge)) return () => false;
  const last = new Map(line.flatMap(({ changes }) => changes.map(({ path, after }) => [path, after] as const)));
  const there = new Set([...last].flatMap(([path, after]) => (after === undefined ? [] : [saidOf(after, path).id])));
  return ({ path, said: { id } }) => id !== undefined && last.get(path) === undefined && !there.has(id);
};

/**
 * The commits without what was written to these paths since; what lay there before goes when they end. An event of ours
 * of which nothing is left would only name the note.
 */
export const withoutWithheld = (
  line: readonly UnpublishedCommit[],
  withheld: readonly Withheld[],
): readonly UnpublishedCommit[] => {
  const begins = new Set(withheld.map(({ hash, path }) => `${hash} ${path}`));
  const stands = new Map<string, BlobId | undefined>();
  return line.flatMap((commit) => {
    const changes = commit.changes.flatMap((change) => {
      const { path, before, after } = change;
      if (!stands.has(path) && begins.has(`${commit.hash} ${path}`)) stands.set(path, before);
      if (!stands.has(path)) return [change];
      const standing = stands.get(path);
      if (after !== undefined || standing === undefined) return [];
      stands.set(path, undefined);
      return [{ ...change, before: standing }];
    });
    const isEmptied = changes.length === 0 && commit.changes.length > 0;
    return isEmptied && !toLoggedEvent(commit, () => []).foreign ? [] : [{ ...commit, changes }];
  });
};
