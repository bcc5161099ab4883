/** Follows, move by move, how a person's git changed the files between two commands. */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { BlobId } from '../../events/note/note.js';
import type { PersonsMove } from '../../events/worktree/persons-moves.js';
import { currentBlob } from './base-of-file.js';
import type { TakenIn } from './taken-in.js';
import { followUnseen, type Unseen } from './unseen-versions.js';
import type { Store } from './write-store.js';

export type Followed = {
  /** By path: what the file was made from last; undefined where there was none. */
  readonly bases: ReadonlyMap<string, BlobId | undefined>;
  /** Paths of moves that no command of ours has dealt with. */
  readonly movedSince: ReadonlySet<string>;
  readonly unseen: ReadonlyMap<string, Unseen>;
};

/**
 * A commit says what the files and git's index say. Where the version before it is the one that was laid out, its change is
 * the person's. Where another one was, they had not seen it: a command or a sync was killed before it laid its version out,
 * or git's index is from before it. `known` are the unseen versions as of the checkpoint. One git call a move, and few moves
 * since the last command; one more for each file that was laid out after the checkpoint. `takenIn` are versions that files held
 * when an event of ours took them in.
 */
export const followMoves = async (
  store: Store,
  journal: GitJournal,
  checkout: string,
  moves: readonly PersonsMove[],
  known: ReadonlyMap<string, Unseen>,
  takenIn: TakenIn,
): Promise<Followed> => {
  const movedSince = new Set<string>();
  const bases = new Map<string, BlobId | undefined>();
  const unseen = followUnseen(journal, known);
  let atCheckout: Promise<ReadonlyMap<string, BlobId>> | undefined;
  /** It is nearly always the checkpoint's version, and asking git for the history of each path is slow. */
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
      // A sync that appends our commits again takes versions out of the history that were laid out long before it.
      const laidOutSince =
        row !== before &&
        row !== undefined &&
        !(await wasKnown(path, row)) &&
        (await journal.versions(from, path)).has(row);
      const followed = bases.has(path) ? bases.get(path) : laidOutSince ? before : row;
      const base = isTakenIn ? takenIn.get(path) : followed;
      if (!isDealtWith) movedSince.add(path);
      const isSeen = base === before || (row === before && row !== undefined);
      // A version that a command of ours dealt with is in the journal again.
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

/** A note that had been removed is in a commit again and in no file: git's index was from before the removal. */
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
