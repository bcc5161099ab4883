/** The files of one note: which of several counts, and how changes alter them. Pure. */

import type { PathChange } from '../../events/journal.js';
import type { BlobId } from '../../events/note/note.js';
import { type NoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { parseTime } from '../../events/time.js';

export type Version = {
  readonly path: string;
  readonly blob: BlobId;
  readonly bytes: Buffer | undefined;
  readonly file: NoteFile | undefined;
};

/** `made` are contents that the merge itself made. */
type Contents = {
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
  readonly line: { readonly made?: ReadonlyMap<BlobId, Buffer> | undefined };
};

/** Returns the newest of several files with one id, then the first by path. Unreadable files come last. */
export const versionOf = ({ bytes, line }: Contents, files: ReadonlyMap<string, BlobId>): Version | undefined => {
  const versions = [...files].map(([path, blob]): Version => {
    const content = line.made?.get(blob) ?? bytes.get(blob);
    const parsed = content === undefined ? undefined : parseNoteFile(content, 'portable', path);
    return { path, blob, bytes: content, file: parsed?.ok === true ? parsed.file : undefined };
  });
  const age = ({ file }: Version): number => (file === undefined ? -1 : (parseTime(file.note.updatedAt) ?? 0));
  return versions.sort((one, other) => age(other) - age(one) || (one.path < other.path ? -1 : 1))[0];
};

export const sideOf = (changes: readonly PathChange[], side: 'before' | 'after'): ReadonlyMap<string, BlobId> =>
  new Map(changes.flatMap((change) => (change[side] === undefined ? [] : [[change.path, change[side]] as const])));

export const applyTo = (
  before: ReadonlyMap<string, BlobId>,
  changes: readonly PathChange[],
): ReadonlyMap<string, BlobId> => {
  const files = new Map(before);
  for (const { path, after } of changes) {
    if (after === undefined) files.delete(path);
    else files.set(path, after);
  }
  return files;
};

/** Returns the file that we changed if upstream has it too, or else all that upstream has. */
export const filesFor = (
  files: ReadonlyMap<string, BlobId>,
  changes: readonly PathChange[],
): ReadonlyMap<string, BlobId> => {
  const [edited] = changes.filter(
    ({ path, before, after }) => before !== undefined && after !== undefined && files.has(path),
  );
  const blob = edited === undefined ? undefined : files.get(edited.path);
  return edited === undefined || blob === undefined ? files : new Map([[edited.path, blob]]);
};
