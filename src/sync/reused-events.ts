/**
 * Commits of ours under the id of an event that upstream has already, or that stands before them. The same contents are the
 * same event; what differs was changed by hand (`git commit --amend`, a message used again), or upstream does not say the
 * truth, and becomes an event of its own. Pure.
 */
import type { UnpublishedCommit } from '../events/git/remote/unpublished.js';
import type { PathChange } from '../events/journal.js';
import { notesAt, toLoggedEvent } from '../events/logged-event.js';
import type { BlobId } from '../events/note/note.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { findingLacking, isSameChange } from './published-effects.js';

export type PublishedEvent = {
  readonly commit: UnpublishedCommit;
  /** This machine had accepted it before it was fetched now, so that a commit here may be made from it. */
  readonly wasKnown: boolean;
};

export type Reusing = {
  readonly commits: readonly UnpublishedCommit[];
  /** Ids of all events upstream. */
  readonly published: ReadonlySet<string>;
  /** The published commits of the events of the commits that are to be compared; those of others go by their id. */
  readonly compared: ReadonlyMap<string, PublishedEvent>;
  /** All commits upstream since the lines parted, oldest first; none where nothing is compared. */
  readonly upstream: readonly UnpublishedCommit[];
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
};

export type ToAppend = UnpublishedCommit & {
  /** Upstream may have all of it after all, merged with other things: then it is no event. */
  readonly mayBeThere?: true;
};

/** The events left to append. */
export const withoutPublished = (asked: Reusing): readonly ToAppend[] => {
  const { commits, published, compared } = asked;
  const findLacking = findingLacking(asked.upstream, asked.bytes);
  const seen = new Set<string>();
  return commits.flatMap((commit): readonly ToAppend[] => {
    const id = eventIdOf(commit);
    const theirs = compared.get(commit.hash);
    if (theirs !== undefined) {
      const found = theirs.wasKnown ? amendedBy(commit, theirs.commit) : undefined;
      const amended = found && withoutSplit(found, commit, (added) => findLacking(added, theirs.commit));
      if (amended !== undefined) return amended.length === 0 ? [] : [{ ...asForeign(commit), changes: amended }];
      const changes = findLacking(commit, theirs.commit);
      return changes.length === 0 ? [] : [{ ...asForeign(commit), changes, mayBeThere: true }];
    }
    if (published.has(id)) return [];
    const isSecond = seen.has(id);
    seen.add(id);
    return isSecond ? [asForeign(commit)] : splitUnnamed(commit);
  });
};

/**
 * Splits off the changes of notes that a command's commit doesn't name. Somebody added them by hand, and they become an event
 * of their own: left in the commit, they would make all of it count as made with git, and the command's event would be lost.
 */
const splitUnnamed = (commit: UnpublishedCommit): readonly UnpublishedCommit[] => {
  const { unnamed } = toLoggedEvent(commit, notesAt(commit.changes));
  if (unnamed.length === 0) return [commit];
  const added = new Set(unnamed);
  const isAdded = ({ path }: PathChange): boolean => isNotePath(path) && added.has(idOfPath(path));
  return [
    { ...commit, changes: commit.changes.filter((change) => !isAdded(change)) },
    { ...asForeign(commit), changes: commit.changes.filter(isAdded) },
  ];
};

/** Without what was added to the commit and is upstream as an event of its own: it may have been appended again before. */
const withoutSplit = (
  amended: readonly PathChange[],
  commit: UnpublishedCommit,
  findLacking: (added: UnpublishedCommit) => readonly PathChange[],
): readonly PathChange[] => {
  const [, added] = splitUnnamed(commit);
  if (added === undefined) return amended;
  const lacking = new Set(findLacking(added));
  const isThere = new Set(added.changes.filter((change) => !lacking.has(change)).map(({ path }) => path));
  return amended.filter(({ path }) => !isThere.has(path));
};

export const eventIdOf = (commit: UnpublishedCommit): string => toLoggedEvent(commit, []).event.id;

/** Without its trailers it has an id that comes from its hash. */
const asForeign = (commit: UnpublishedCommit): UnpublishedCommit => ({
  ...commit,
  message: `${commit.message.split('\n')[0]}\n`,
});

/** The changes from their commit to ours; undefined if ours was not made from theirs. */
const amendedBy = (ours: UnpublishedCommit, theirs: UnpublishedCommit): readonly PathChange[] | undefined => {
  const theirChange = new Map(theirs.changes.map((change) => [change.path, change]));
  const ourPaths = new Set(ours.changes.map(({ path }) => path));
  const differing = ours.changes.filter((change) => !isSameChange(change, theirChange.get(change.path)));
  const missing = theirs.changes.filter(({ path }) => !ourPaths.has(path));
  if (differing.length + missing.length === 0) return [];
  if (!ours.changes.every(({ path, before }) => isGrownFrom(before, theirChange.get(path)))) return undefined;
  return [
    ...differing.map((change) => {
      const there = theirChange.get(change.path);
      return there === undefined ? change : { ...change, before: there.after };
    }),
    ...missing.map(({ path, before, after }) => ({ path, before: after, after: before, afterMode: '100644' })),
  ];
};

const isGrownFrom = (before: BlobId | undefined, theirs: PathChange | undefined): boolean =>
  theirs === undefined || theirs.before === before;
