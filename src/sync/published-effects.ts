/** Finds whether upstream's history has the changes of our commits, which equal event ids don't prove. Pure. */

import type { UnpublishedCommit } from '../events/git/remote/unpublished.js';
import { groupBy } from '../events/group-by.js';
import type { PathChange } from '../events/journal.js';
import { toLoggedEvent } from '../events/logged-event.js';
import { blobIdOf } from '../events/note/blob-id.js';
import { formatLost } from '../events/note/lost-values.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { parseMessage } from '../events/trailers.js';
import { clashId } from './reappend/clash-id.js';
import { mergeEvent, type NoteLine } from './reappend/merge-event.js';
import { applyTo, sideOf } from './reappend/note-versions.js';

/** The change of one upstream commit to one note, or to one other file; `at` is the commit's index. */
type Step = { readonly at: number; readonly changes: readonly PathChange[] };

/** Returns the changes of our commit that upstream lacks. Must be called in our order. `theirs` has the same event. */
export type FindLacking = (ours: UnpublishedCommit, theirs: UnpublishedCommit) => readonly PathChange[];

/**
 * Searches upstream for each of our changes to a note, after the match of the previous one. Once one is missing, it and
 * all later ones must be appended: otherwise a note that we removed and restored would only be removed.
 */
export const findingLacking = (
  upstream: readonly UnpublishedCommit[],
  bytes: ReadonlyMap<BlobId, Buffer>,
): FindLacking => {
  const steps = new Map<string, Step[]>();
  const places = new Map<string, number>();
  for (const [at, commit] of upstream.entries()) {
    places.set(commit.hash, at);
    for (const [key, changes] of groupBy(commit.changes, keyOf)) {
      const known = steps.get(key);
      if (known === undefined) steps.set(key, [{ at, changes }]);
      else known.push({ at, changes });
    }
  }
  const conflicts = new Map(upstream.map((commit) => [parseMessage(commit.message)?.id, commit]));
  const reached = new Map<string, number>();
  return (ours, theirs) => {
    const place = places.get(theirs.hash) ?? -1;
    return [...groupBy(ours.changes, keyOf)].flatMap(([key, changes]) => {
      const after = reached.get(key) ?? -1;
      const known = steps.get(key) ?? [];
      const same = known.find((step) => step.at > after && isSameStep(changes, step.changes))?.at ?? nowhere;
      const isMerged =
        place > after && place < same && isMergedIn({ ours, changes, files: filesAt(known, place), conflicts, bytes });
      const at = isMerged ? place : same;
      reached.set(key, at);
      return at === nowhere ? changes : [];
    });
  };
};

const nowhere = Number.POSITIVE_INFINITY;

/** Returns the note's files up to `place`, as far as upstream changed them since the lines diverged. */
const filesAt = (steps: readonly Step[], place: number): ReadonlyMap<string, BlobId> =>
  steps
    .filter(({ at }) => at <= place)
    .reduce<ReadonlyMap<string, BlobId>>((files, { changes }) => applyTo(files, changes), new Map());

/** Contents that `findingLacking` reads to tell whether a difference was merged. */
export const contentsToCompare = (
  pairs: readonly (readonly [ours: UnpublishedCommit, theirs: UnpublishedCommit])[],
  upstream: readonly UnpublishedCommit[],
): readonly BlobId[] => {
  const differing = pairs.filter(([ours, theirs]) => !isSameStep(ours.changes, theirs.changes));
  const keys = new Set(differing.flatMap(([ours]) => ours.changes.map(keyOf)));
  const changes = [...differing.map(([ours]) => ours), ...upstream].flatMap((commit) => commit.changes);
  const read = changes.filter((change) => keys.has(keyOf(change)));
  return [...new Set(read.flatMap(({ before, after }) => [before, after].filter((blob) => blob !== undefined)))];
};

export const isSameChange = (ours: PathChange, theirs: PathChange | undefined): boolean =>
  theirs !== undefined && ours.after === theirs.after && ours.afterMode === theirs.afterMode;

const isSameStep = (ours: readonly PathChange[], theirs: readonly PathChange[]): boolean => {
  const byPath = new Map(theirs.map((change) => [change.path, change]));
  return ours.every((change) => isSameChange(change, byPath.get(change.path)));
};

const keyOf = ({ path }: PathChange): string => (isNotePath(path) ? idOfPath(path) : path);

type AskedMerge = {
  readonly ours: UnpublishedCommit;
  readonly changes: readonly PathChange[];
  /** The note's files, as upstream had them with the event. */
  readonly files: ReadonlyMap<string, BlobId>;
  readonly conflicts: ReadonlyMap<string | undefined, UnpublishedCommit>;
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
};

/** Sorts after every event id, so that the published value stays where both sides set one. */
const afterAll = '~';

/**
 * If a store was copied or restored, another one may have appended the event and merged it. Merging it once more must
 * then change nothing, and clashing text must be in the sibling note. A removal leaves nothing to see.
 */
const isMergedIn = ({ ours, changes, files, conflicts, bytes }: AskedMerge): boolean => {
  const [first] = changes;
  if (first === undefined || !isNotePath(first.path) || files.size === 0) return false;
  if (changes.every(({ after }) => after === undefined)) return false;
  const id = idOfPath(first.path);
  const { event } = toLoggedEvent(ours, []);
  const { changes: further, conflict } = mergeEvent({
    id,
    event,
    epochMs: ours.epochMs,
    changes,
    line: { files, own: sideOf(changes, 'before'), siblings: new Map() },
    bytes,
    masked: new Map(),
    earlier: new Set(),
    eventUpstream: afterAll,
  });
  if (further.length > 0) return false;
  if (conflict === undefined) return true;
  for (let round = 1; ; round += 1) {
    const kept = conflicts.get(clashId(ours.epochMs, event.id, id, round));
    if (kept === undefined) return false;
    if (isKeptIn(kept, id, conflict)) return true;
  }
};

const isKeptIn = (kept: UnpublishedCommit, noteId: NoteId, { siblings, lost }: NoteLine): boolean => {
  const told = new Set(parseMessage(kept.message)?.lost);
  return (
    siblings.every(({ path, bytes }) =>
      kept.changes.some((change) => change.path === path && change.after === blobIdOf(bytes, change.after)),
    ) && lost.every((one) => told.has(formatLost({ noteId, ...one })))
  );
};
