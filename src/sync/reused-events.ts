/**
 * Handles our commits whose event id upstream, or an earlier commit of ours, already has. Equal contents are the same
 * event. A difference was made by hand (`git commit --amend`, a message used again), or upstream does not tell the
 * truth; it becomes a separate event. Pure.
 */
import type { UnpublishedCommit } from '../events/git/remote/unpublished.js';
import type { PathChange } from '../events/journal.js';
import { notesAt, toLoggedEvent } from '../events/logged-event.js';
import type { BlobId } from '../events/note/note.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { findingLacking, isSameChange } from './published-effects.js';

export type PublishedEvent = {
  readonly commit: UnpublishedCommit;
  /** This machine had accepted it before this fetch, so a commit here may have been made from it. */
  readonly wasKnown: boolean;
};

export type Reusing = {
  readonly commits: readonly UnpublishedCommit[];
  /** Ids of all events upstream. */
  readonly published: ReadonlySet<string>;
  /** By our commits' hashes, the published commits to compare them with; the other commits are matched by event id. */
  readonly compared: ReadonlyMap<string, PublishedEvent>;
  /** All commits upstream since the lines diverged, oldest first; empty if nothing is compared. */
  readonly upstream: readonly UnpublishedCommit[];
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
};

export type ToAppend = UnpublishedCommit & {
  /** Upstream may have all of it after all, merged with other changes: then it is not an event. */
  readonly mayBeThere?: true;
};

/** Returns the events that are left to append. */
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
 * Splits off the changes of notes that a command's commit doesn't name. They were added by hand and become a separate
 * event: left in the commit, they would make all of it count as made with git, and the command's event would be lost.
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

/** Drops changes that were added to the commit and are an event of their own upstream, perhaps by an earlier sync. */
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

/** Removes the trailers, so that the event's id derives from the commit's hash. */
const asForeign = (commit: UnpublishedCommit): UnpublishedCommit => ({
  ...commit,
  message: `${commit.message.split('\n')[0]}\n`,
});

/** Returns the changes from their commit to ours, or undefined if ours was not made from theirs. */
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
