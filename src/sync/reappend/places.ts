/** Assigns paths to the files of several notes, so that two that want one path don't overwrite each other. Pure. */
import type { ImportedChange } from '../../events/journal.js';
import type { NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import type { ContestedNote, MergedEvent } from './merge-event.js';

/** The result of an event for one note. */
export type MergedNote = { readonly id: NoteId; readonly before: ContestedNote; readonly result: MergedEvent };

/** The notes that have these paths on the new line; updated by `settlePlaces`. */
export type Holders = Map<string, NoteId>;

/**
 * Returns the same with a separate path for each file. The note that a path names gets it, or else the one that had it;
 * the other one's file is named by its own id, in that folder, in the usual one, or below that.
 */
export const settlePlaces = (
  merged: readonly MergedNote[],
  holders: Holders,
  isTaken: (path: string) => boolean,
): readonly MergedNote[] => {
  for (const { id, before } of merged)
    for (const path of before.files.keys()) if (holders.get(path) === id) holders.delete(path);
  const claims = merged.flatMap(({ id, before, result }) =>
    [...result.line.files.keys()].map((path) => ({ id, path, rank: rankOf(id, path, before) })),
  );
  const moved = new Map<NoteId, Map<string, string>>();
  for (const { id, path } of claims.sort((one, other) => one.rank - other.rank)) {
    const isFree = (one: string): boolean => !holders.has(one) && !isTaken(one);
    const place = isFree(path) ? path : freePlace(id, path, isFree);
    holders.set(place, id);
    if (place !== path) moved.set(id, (moved.get(id) ?? new Map<string, string>()).set(path, place));
  }
  return merged.map((one) => ({ ...one, result: [...(moved.get(one.id) ?? [])].reduce(moveFile, one.result) }));
};

/**
 * Joins the changes of a commit's notes, one for each path. The last of one note counts, and a path that one note
 * leaves and another one gets is written. Removals come first, because git would remove a whole folder of that name.
 */
export const joinChanges = (lists: readonly (readonly ImportedChange[])[]): readonly ImportedChange[] => {
  const joined = new Map<string, ImportedChange>();
  for (const list of lists) {
    const last = new Map(list.map((change) => [change.path, change]));
    for (const change of last.values())
      if (isWrite(change) || !joined.has(change.path)) joined.set(change.path, change);
  }
  const changes = [...joined.values()];
  return [...changes.filter((change) => !isWrite(change)), ...changes.filter(isWrite)];
};

const rankOf = (id: NoteId, path: string, { files }: ContestedNote): number => {
  if (idOfPath(path) === id) return 0;
  return files.has(path) ? 1 : 2;
};

const freePlace = (id: NoteId, path: string, isFree: (path: string) => boolean): string => {
  const usual = `${path.slice(0, path.indexOf('/'))}/${id.slice(-2)}`;
  const folders = [path.slice(0, path.lastIndexOf('/')), usual];
  for (let at = 0; ; at += 1) {
    const place = `${folders[at] ?? `${usual}/${at}`}/${id}.md`;
    if (isFree(place)) return place;
  }
};

const moveFile = (result: MergedEvent, [from, to]: readonly [string, string]): MergedEvent => {
  const { line, changes } = result;
  const blob = line.files.get(from);
  if (blob === undefined) return result;
  const files = new Map(line.files);
  files.delete(from);
  files.set(to, blob);
  const written = changes.filter((change) => change.path === from && isWrite(change));
  const bytes = line.made?.get(blob);
  const here: ImportedChange = bytes === undefined ? { path: to, blob, mode: '100644' } : { path: to, bytes };
  const moved = written.length === 0 ? [here] : written.map((change) => ({ ...change, path: to }));
  return {
    ...result,
    line: { ...line, files },
    changes: [...changes.filter((one) => !written.includes(one)), ...moved],
  };
};

/** False for a removal. */
export const isWrite = (change: ImportedChange): boolean => 'blob' in change || change.bytes !== undefined;
