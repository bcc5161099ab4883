/** Follows, move by move, how a person's git changed the files between two commands. */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { BlobId } from '../../events/note/note.js';
import type { HeadMove } from '../../events/worktree/head-moves.js';
import type { AdoptedVersions } from './adopted-versions.js';
import { currentBlob } from './base-of-file.js';
import { followUnseen, type Unseen } from './unseen-versions.js';
import type { Store } from './write-store.js';

export type Followed = {
  /** By path: the version that the file was last made from; undefined if there was none. */
  readonly bases: ReadonlyMap<string, BlobId | undefined>;
  /** Paths of moves that no command of ours has dealt with. */
  readonly movedSince: ReadonlySet<string>;
  readonly unseen: ReadonlyMap<string, Unseen>;
};

/**
 * A commit contains what the files and git's index contain. If the version before it is the one that was checked out,
 * its change is the person's. If it is another one, they had not seen it: a command or a sync was killed before
 * checking it out, or git's index predates it. `known` are the unseen versions as of the checkpoint; `takenIn` are
 * versions that files held when an event of ours adopted them. Makes one git call per move, of which there are few
 * since the last command, and one more for each file checked out after the checkpoint.
 */
export const followMoves = async (
  store: Store,
  journal: GitJournal,
  checkout: string,
  moves: readonly HeadMove[],
  known: ReadonlyMap<string, Unseen>,
  takenIn: AdoptedVersions,
): Promise<Followed> => {
  const movedSince = new Set<string>();
  const bases = new Map<string, BlobId | undefined>();
  const unseen = followUnseen(journal, known);
  let atCheckout: Promise<ReadonlyMap<string, BlobId>> | undefined;
  /** Asks the checkpoint's tree first, which nearly always has the version: reading each path's history is slow. */
  const wasKnown = async (path: string, blob: BlobId): Promise<boolean> => {
    atCheckout ??= journal.tree(checkout).then((tree) => new Map(tree.map((file) => [file.path, file.blob])));
    return (await atCheckout).get(path) === blob || (await journal.versions(checkout, path)).has(blob);
  };
  for (const move of moves) {
    const { from, to, isCommit, isDealtWith } = move;
    const changes = await journal.diff(from, to);
    for (const change of changes) {
      const { path, before, after } = change;
      const isTakenIn = !isDealtWith && !movedSince.has(path) && takenIn.has(path);
      const row = store.state.checkedOut(journal.name, path)?.blob;
      // A sync that appends our commits again removes versions from the history that were checked out long before it.
      const laidOutSince =
        row !== before &&
        row !== undefined &&
        !(await wasKnown(path, row)) &&
        (await journal.versions(from, path)).has(row);
      const followed = bases.has(path) ? bases.get(path) : laidOutSince ? before : row;
      const base = isTakenIn ? takenIn.get(path) : followed;
      if (!isDealtWith) movedSince.add(path);
      const isSeen = base === before || (row === before && row !== undefined);
      // A version that a command of ours dealt with is back in the journal.
      const maySurprise = isCommit && !isDealtWith;
      if (maySurprise && !isSeen) {
        // An edit beats a deletion that its author did not see.
        if (before !== undefined || after === base) unseen.add(path, { base, version: before, after }, to);
      } else if (maySurprise && (await bringsBack(journal, from, path, before, after)))
        unseen.add(path, { base: undefined, version: undefined, after }, to);
      await unseen.follow(move, change);
      bases.set(path, after);
    }
    if (isCommit) unseen.followRenames(changes);
  }
  return { bases, movedSince, unseen: unseen.waiting };
};

/** True if a commit has a removed note again while there is no file of it: git's index predates the removal. */
const bringsBack = async (
  journal: GitJournal,
  from: string,
  path: string,
  before: BlobId | undefined,
  after: BlobId | undefined,
): Promise<boolean> =>
  before === undefined &&
  after !== undefined &&
  currentBlob(journal, path) === undefined &&
  (await journal.versions(from, path)).has(after);
