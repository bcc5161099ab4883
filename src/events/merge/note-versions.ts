/** Merges the versions that two sides made of one note. Pure. */
import { blobIdOf } from '../note/blob-id.js';
import { formatLost, type LostOfNote } from '../note/lost-values.js';
import { conflictCopy, mergeNotes } from '../note/merge.js';
import type { BlobId, NoteId } from '../note/note.js';
import { formatNoteFile, type NoteFile } from '../note/note-file.js';
import { pathOfNote } from '../note/paths.js';
import { formatTime, parseTime } from '../time.js';
import type { FileState, PlacedFile } from './tree-state.js';

export type Version = FileState & { readonly path: string; readonly file: NoteFile };

/** One file of a note in the base and on both sides. */
export type NoteVersions = {
  readonly id: NoteId;
  readonly base: Version | undefined;
  readonly a: Version | undefined;
  readonly b: Version | undefined;
};

export type MergedVersions = {
  readonly placed: readonly PlacedFile[];
  readonly merged?: NoteId;
  readonly conflict?: { readonly noteId: NoteId; readonly sibling: NoteId };
  readonly lost: readonly LostOfNote[];
  readonly returned?: NoteId;
};

type Times = Readonly<Record<'a' | 'b', ReadonlyMap<NoteId, number>>>;

/** Adds the contents that it makes to `contents`. */
export const mergeNoteVersions = (
  { id, base, a, b }: NoteVersions,
  times: Times,
  contents: Map<BlobId, Buffer>,
): MergedVersions => {
  const only = a ?? b;
  if (only === undefined) return { placed: [], lost: [] };
  if (a === undefined || b === undefined) {
    if (base === undefined) return { placed: [asPlaced(only)], lost: [] };
    return isEdited(base.file, only.file)
      ? { placed: [asPlaced(only)], lost: [], returned: id }
      : { placed: [], lost: [] };
  }
  const path = mergePath(base, a, b);
  const taken = a.blob === b.blob || b.blob === base?.blob ? a : a.blob === base?.blob ? b : undefined;
  if (taken !== undefined)
    return { placed: [{ ...asPlaced(taken), path: inFolderOfType(path, taken.file) }], lost: [] };
  return mergeBoth(id, base, order(id, a, b, times), path, contents);
};

type Ordered = { readonly newer: Version; readonly older: Version };

/** The newer side's text and values stay where both changed the same. Ties are settled by the blobs' ids. */
const order = (id: NoteId, a: Version, b: Version, times: Times): Ordered => {
  const [timeOfA, timeOfB] = [times.a.get(id) ?? updated(a), times.b.get(id) ?? updated(b)];
  const isANewer = timeOfA === timeOfB ? a.blob > b.blob : timeOfA > timeOfB;
  return isANewer ? { newer: a, older: b } : { newer: b, older: a };
};

const updated = ({ file }: Version): number => parseTime(file.note.updatedAt) ?? 0;

const mergeBoth = (
  id: NoteId,
  base: Version | undefined,
  { newer, older }: Ordered,
  path: string,
  contents: Map<BlobId, Buffer>,
): MergedVersions => {
  const { file, clashing, lost } = mergeNotes(base?.file, newer.file, older.file, 'ours');
  const made = make(file, newer.blob, contents);
  const note = { placed: [{ path: inFolderOfType(path, file), state: made, note: file.note }], merged: id };
  const values = lost.map((value) => ({ noteId: id, ...value }));
  const isLong = values.reduce((sum, value) => sum + formatLost(value).length, 0) > maxLostChars;
  if (clashing === undefined && !isLong) return { ...note, lost: values };
  const atMs = updated(older);
  const copy = conflictCopy(
    older.file.note,
    older.file.note.body,
    `${newer.blob} ${older.blob}`,
    atMs,
    formatTime(atMs),
  );
  const sibling = {
    state: make(copy, newer.blob, contents),
    note: copy.note,
    path: pathOfNote(copy.note.type, copy.note.id),
  };
  return {
    ...note,
    placed: [...note.placed, sibling],
    conflict: { noteId: id, sibling: copy.note.id },
    lost: isLong ? [] : values,
  };
};

/** Longer values are kept in a sibling with the whole note instead of in a message. */
const maxLostChars = 4096;

const make = (file: NoteFile, like: BlobId, contents: Map<BlobId, Buffer>): FileState => {
  const bytes = formatNoteFile(file);
  const blob = blobIdOf(bytes, like);
  contents.set(blob, bytes);
  return { blob, mode: '100644', isMade: true };
};

const asPlaced = ({ path, blob, mode, file }: Version): PlacedFile => ({
  path,
  state: { blob, mode },
  note: file.note,
});

/** Where one side moved the file, it goes; where both did, the smaller path is as good as the other. */
const mergePath = (base: Version | undefined, a: Version, b: Version): string => {
  if (b.path === base?.path) return a.path;
  return a.path === base?.path || b.path < a.path ? b.path : a.path;
};

const inFolderOfType = (path: string, { note: { type, id } }: NoteFile): string =>
  path.startsWith(`${type}/`) ? path : pathOfNote(type, id);

/** What outlives a removal on the other side: not tags, and not a confirmation. */
const isEdited = ({ note: was }: NoteFile, { note: is }: NoteFile): boolean =>
  was.title !== is.title || was.body !== is.body || was.type !== is.type || was.project !== is.project;
