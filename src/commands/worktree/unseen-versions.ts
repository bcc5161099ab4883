/** Follows versions that a person's commits replaced by accident through later moves of their git. */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { PathChange } from '../../events/journal.js';
import type { BlobId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import type { HeadMove } from '../../events/worktree/head-moves.js';
import type { Store } from './write-store.js';

/** A version that a person's commit replaced before it was checked out, and the `base` that was checked out instead. */
export type Unseen = {
  readonly base: BlobId | undefined;
  readonly version: BlobId | undefined;
  /** The version in the person's newest commit. */
  readonly after: BlobId | undefined;
};

type ReplacedUnseen = Unseen & {
  /** The commit that replaced the version. */
  readonly commit: string;
};

export type UnseenVersions = {
  /** By path: versions that have yet to be put back or merged. */
  readonly waiting: ReadonlyMap<string, Unseen>;
  /** Records that a commit replaced the version; of two versions of a file, only the first is kept. */
  add(path: string, unseen: Unseen, commit: string): void;
  /** Applies a move's change of a file; the move may be that commit itself. */
  follow(move: HeadMove, change: PathChange): Promise<void>;
  /** A version waits for the file of its note, even if the commit that replaced it moved that file. */
  followRenames(changes: readonly PathChange[]): void;
};

/** `known` are the versions that wait as of the checkpoint. */
export const followUnseen = (journal: GitJournal, known: ReadonlyMap<string, Unseen>): UnseenVersions => {
  const waiting = new Map(known);
  const commits = new Map<string, string>();
  const checkedOut = new Map<string, ReplacedUnseen>();

  /** True if a merge or a rebase brings the commit that replaced the version, or its change in another commit. */
  const comesAgain = async (
    taken: ReplacedUnseen,
    { from, to }: HeadMove,
    { before, after }: PathChange,
  ): Promise<boolean> =>
    (taken.version === before && taken.after === after) ||
    ((await journal.contains(to, taken.commit)) && !(await journal.contains(from, taken.commit)));

  return {
    waiting,
    add(path, unseen, commit) {
      if (waiting.has(path)) return;
      waiting.set(path, unseen);
      commits.set(path, commit);
    },
    async follow(move, change) {
      const { path, after } = change;
      const one = waiting.get(path);
      const before = checkedOut.get(path);
      if (one !== undefined && one.version === after && !move.isCommit && !move.mayKeepFiles) {
        checkedOut.set(path, { ...one, commit: commits.get(path) ?? move.to });
        waiting.delete(path);
      } else if (one !== undefined) waiting.set(path, { ...one, after });
      else if (before !== undefined && !move.isCommit && (await comesAgain(before, move, change)))
        waiting.set(path, { base: before.base, version: before.version, after });
    },
    followRenames(changes) {
      const added = changes.filter(({ before, after }) => before === undefined && after !== undefined);
      if (added.length === 0) return;
      for (const { path, after } of changes) {
        const one = waiting.get(path);
        if (after !== undefined || one?.version === undefined) continue;
        const named = added.filter((other) => idOfPath(other.path) === idOfPath(path));
        const [target, second] = named.length > 0 ? named : added.filter((other) => other.after === one.base);
        if (target === undefined || second !== undefined) continue;
        waiting.delete(path);
        waiting.set(target.path, { ...one, after: target.after });
      }
    },
  };
};

type Kept = readonly (readonly [path: string, base: string | null, version: string | null, after: string | null])[];

const factOf = (journal: GitJournal): string => `unseen-${journal.name}`;

/**
 * Reads the versions whose files can't be parsed yet: they can't be merged until then, and by that time the commit that
 * replaced them is before the checkpoint. As of the checkpoint: commits that a person made since have yet to be
 * followed.
 */
export const readUnseenLeft = (store: Store, journal: GitJournal): ReadonlyMap<string, Unseen> => {
  const kept: Kept = JSON.parse(store.state.fact(factOf(journal)) || '[]');
  return new Map(
    kept.map(([path, base, version, after]) => [
      path,
      { base: base ?? undefined, version: version ?? undefined, after: after ?? undefined },
    ]),
  );
};

export const keepUnseenLeft = (store: Store, journal: GitJournal, unseen: ReadonlyMap<string, Unseen>): void => {
  const kept: Kept = [...unseen].map(([path, { base, version, after }]) => [
    path,
    base ?? null,
    version ?? null,
    after ?? null,
  ]);
  const fact = kept.length === 0 ? '' : JSON.stringify(kept);
  if (fact !== (store.state.fact(factOf(journal)) ?? '')) store.state.setFact(factOf(journal), fact);
};
