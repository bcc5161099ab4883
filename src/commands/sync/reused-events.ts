/**
 * Commits of ours under the id of an event that upstream has already, or that stands before them. The same contents are the
 * same event; what differs was changed by hand (`git commit --amend`, a message used again) and becomes an event of its own.
 * Pure.
 */
import { isUtf8 } from 'node:buffer';
import type { PathChange } from '../../events/git-log.js';
import { splitLines } from '../../events/line-diff.js';
import { toLoggedEvent } from '../../events/logged-event.js';
import type { BlobId } from '../../events/note.js';
import { idOfPath, isNotePath } from '../../events/paths.js';
import { derivedUlid } from '../../events/ulid-form.js';
import type { UnpublishedCommit } from '../../events/unpublished.js';

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
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
};

/** What is left to append. */
export const withoutPublished = ({ commits, published, compared, bytes }: Reusing): readonly UnpublishedCommit[] => {
  const seen = new Set<string>();
  return commits.flatMap((commit): readonly UnpublishedCommit[] => {
    const id = eventIdOf(commit);
    const theirs = compared.get(commit.hash);
    if (theirs !== undefined) {
      const changes = unlike(commit, theirs, published, bytes);
      return changes.length === 0 ? [] : [{ ...asForeign(commit), changes }];
    }
    if (published.has(id)) return [];
    const isSecond = seen.has(id);
    seen.add(id);
    return [isSecond ? asForeign(commit) : commit];
  });
};

export const eventIdOf = (commit: UnpublishedCommit): string => toLoggedEvent(commit, () => []).event.id;

/** Without its trailers it has an id that comes from its hash. */
const asForeign = (commit: UnpublishedCommit): UnpublishedCommit => ({
  ...commit,
  message: `${commit.message.split('\n')[0]}\n`,
});

const unlike = (
  ours: UnpublishedCommit,
  { commit: theirs, wasKnown }: PublishedEvent,
  published: ReadonlySet<string>,
  bytes: ReadonlyMap<BlobId, Buffer>,
): readonly PathChange[] => {
  const theirChange = new Map(theirs.changes.map((change) => [change.path, change]));
  const ourPaths = new Set(ours.changes.map(({ path }) => path));
  const differing = ours.changes.filter((change) => !isSame(change, theirChange.get(change.path)));
  const missing = theirs.changes.filter(({ path }) => !ourPaths.has(path));
  if (differing.length + missing.length === 0) return [];
  const isAmended = wasKnown && ours.changes.every(({ path, before }) => isGrownFrom(before, theirChange.get(path)));
  if (isAmended) {
    return [
      ...differing.map((change) => {
        const there = theirChange.get(change.path);
        return there === undefined ? change : { ...change, before: there.after };
      }),
      ...missing.map(({ path, before, after }) => ({ path, before: after, after: before, afterMode: '100644' })),
    ];
  }
  // A store that was copied or restored: upstream has the event as another one appended and merged it.
  return differing.filter((change) => bringsLines(ours, change, theirs, published, bytes));
};

const isSame = (ours: PathChange, theirs: PathChange | undefined): boolean =>
  theirs !== undefined && ours.after === theirs.after && ours.afterMode === theirs.afterMode;

const isGrownFrom = (before: BlobId | undefined, theirs: PathChange | undefined): boolean =>
  theirs === undefined || theirs.before === before;

const bringsLines = (
  { changes, epochMs, ...commit }: UnpublishedCommit,
  { path, before, after }: PathChange,
  theirs: UnpublishedCommit,
  published: ReadonlySet<string>,
  bytes: ReadonlyMap<BlobId, Buffer>,
): boolean => {
  if (after === undefined) return false;
  const id = isNotePath(path) ? idOfPath(path) : undefined;
  const eventId = eventIdOf({ ...commit, epochMs, changes });
  // Where the texts clashed, ours is in a note beside it.
  if (id !== undefined && published.has(derivedUlid(epochMs, 'conflict.recorded', eventId, id))) return false;
  const there = theirs.changes.filter(
    (one) => one.path === path || (id !== undefined && one.path.endsWith(`${id}.md`)),
  );
  const known = new Set([before, ...there.map((one) => one.after)].flatMap((blob) => linesOf(blob, bytes)));
  return linesOf(after, bytes).some((line) => !line.startsWith('updated_at:') && !known.has(line));
};

/** What is no text is one line. */
const linesOf = (blob: BlobId | undefined, bytes: ReadonlyMap<BlobId, Buffer>): readonly string[] => {
  const content = blob === undefined ? undefined : bytes.get(blob);
  if (blob === undefined) return [];
  return content === undefined || !isUtf8(content)
    ? [blob]
    : splitLines(content.toString('utf8')).map((line) => line.trimEnd());
};
