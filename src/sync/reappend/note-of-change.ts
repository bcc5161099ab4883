/**
 * Finds which note a change is about: the one that its path names, unless a person put the file in another note's
 * place; then the file itself names it. Pure.
 */
import { groupBy } from '../../events/group-by.js';
import type { PathChange } from '../../events/journal.js';
import type { BlobId, NoteId } from '../../events/note/note.js';
import { idOfPath, isNotePath } from '../../events/note/paths.js';

/** Ids that contents state; for any other content, the path names the note. */
export type StatedIds = ReadonlyMap<BlobId, NoteId>;

/** `path` must be a note's. */
export const noteAt = (path: string, blob: BlobId, stated: StatedIds): NoteId => stated.get(blob) ?? idOfPath(path);

/** Returns no id for a file that is not a note, and two if the path got another note's file. */
export const notesOfChange = ({ path, before, after }: PathChange, stated: StatedIds): readonly NoteId[] => {
  if (!isNotePath(path)) return [];
  const ids = [before, after].flatMap((blob) => (blob === undefined ? [] : [noteAt(path, blob, stated)]));
  return ids.length === 2 && ids[0] === ids[1] ? ids.slice(1) : ids;
};

/**
 * Returns the notes that both sides changed, and those that share a path with one of them, directly or along a chain of
 * notes in one another's places: a note that gets a path displaces the one that had it. Linear in the changes.
 */
export const findContested = (
  ours: readonly PathChange[],
  upstream: readonly PathChange[],
  stated: StatedIds,
): ReadonlySet<NoteId> => {
  const idsOf = (changes: readonly PathChange[]): ReadonlySet<NoteId> =>
    new Set(changes.flatMap((change) => notesOfChange(change, stated)));
  const upstreamIds = idsOf(upstream);
  const contested = new Set([...idsOf(ours)].filter((id) => upstreamIds.has(id)));
  const shared = sharedPlaces(ours, upstream, stated);
  for (const { ids, isChangedByBoth } of shared) if (isChangedByBoth) for (const id of ids) contested.add(id);
  const placesOf = groupBy(
    shared.flatMap((place) => place.ids.map((id) => ({ id, place }))),
    ({ id }) => id,
  );
  const passed = new Set<SharedPlace>();
  // The loop also visits what is added to the set meanwhile.
  for (const id of contested) {
    for (const { place } of placesOf.get(id) ?? []) {
      if (passed.has(place)) continue;
      passed.add(place);
      for (const other of place.ids) contested.add(other);
    }
  }
  return contested;
};

type SharedPlace = { readonly ids: readonly NoteId[]; readonly isChangedByBoth: boolean };

/** Returns the paths at which more than one note had a file. */
const sharedPlaces = (
  ours: readonly PathChange[],
  upstream: readonly PathChange[],
  stated: StatedIds,
): readonly SharedPlace[] => {
  if (stated.size === 0) return [];
  const byPath = new Map<string, { readonly ids: Set<NoteId>; readonly sides: Set<unknown> }>();
  for (const side of [ours, upstream]) {
    for (const change of side) {
      const place = byPath.get(change.path) ?? { ids: new Set(), sides: new Set() };
      for (const id of notesOfChange(change, stated)) place.ids.add(id);
      byPath.set(change.path, { ...place, sides: place.sides.add(side) });
    }
  }
  return [...byPath.values()].flatMap(({ ids, sides }) =>
    ids.size > 1 ? [{ ids: [...ids], isChangedByBoth: sides.size > 1 }] : [],
  );
};

export type ChangeOfNote = { readonly id: NoteId | undefined; readonly change: PathChange };

/**
 * Returns each change with its note, which is undefined for other files. A change that gave a contested note's path to
 * another note becomes two: the removal of one and the addition of the other.
 */
export const splitByNote = (
  changes: readonly PathChange[],
  stated: StatedIds,
  isContested: (id: NoteId) => boolean,
): readonly ChangeOfNote[] =>
  changes.flatMap((change): readonly ChangeOfNote[] => {
    const [id, next] = notesOfChange(change, stated);
    if (next === undefined || id === undefined || !isContested(id)) return [{ id: next ?? id, change }];
    return [
      { id, change: { ...change, after: undefined } },
      { id: next, change: { ...change, before: undefined } },
    ];
  });
