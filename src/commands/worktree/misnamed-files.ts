/**
 * Finds notes that a person gave a name no note has (`my-notes.md`). If the note's own file is gone, such a file is
 * still the note: it is renamed to its id, in the folder where it is now.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { GitJournal } from '../../events/git/git-journal.js';
import { groupBy } from '../../events/group-by.js';
import type { BlobId, NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { isNotePath } from '../../events/note/paths.js';
import { moveIfFree } from '../../events/worktree/replace-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { LeftFile } from './hand-edits.js';

export type MisnamedFile = { readonly path: string; readonly target: string; readonly id: NoteId };

/**
 * Returns, among the files not named as notes, one for each note whose file is among `gone`: the first with a text that
 * git doesn't have, as after a rename and an edit; of mere copies, the one of the head's version. `headOf` and `noteOf`
 * map a path to the head's version and to its note.
 */
export const findMisnamed = async (
  journal: Pick<GitJournal, 'name' | 'folder' | 'blobs'>,
  ignored: readonly LeftFile[],
  gone: readonly string[],
  headOf: (path: string) => BlobId | undefined,
  noteOf: (path: string) => NoteId,
): Promise<readonly MisnamedFile[]> => {
  const { name, folder } = journal;
  const heads = new Map(gone.map((path) => [noteOf(path), headOf(path)]));
  const known = [...heads.values()].find((blob) => blob !== undefined);
  const found: (MisnamedFile & { readonly blob: BlobId })[] = [];
  for (const { path } of heads.size === 0 ? [] : ignored) {
    const file = isNotePath(path) ? undefined : readNoteFile(folder, path, known);
    if (file?.kind !== 'file') continue;
    const parsed = parseNoteFile(file.bytes, name, path);
    if (!parsed.ok || !heads.has(parsed.file.note.id)) continue;
    const { id } = parsed.file.note;
    const target = `${path.slice(0, path.lastIndexOf('/'))}/${id}.md`;
    // Some folders can't hold notes; such a file stays left, with that reason.
    if (isNotePath(target) && isFree(folder, target)) found.push({ path, target, id, blob: file.row.blob });
  }
  const byNote = [...groupBy(found, ({ id }) => id)];
  const several = byNote.flatMap(([, files]) => (files.length > 1 ? files.map(({ blob }) => blob) : []));
  const inGit = several.length === 0 ? new Map<BlobId, Buffer>() : await journal.blobs(several);
  return byNote.flatMap(([id, files]) => {
    const best =
      files.find(({ blob }) => !inGit.has(blob)) ?? files.find(({ blob }) => blob === heads.get(id)) ?? files[0];
    return best === undefined ? [] : [{ path: best.path, target: best.target, id }];
  });
};

/** Renames the files to their ids. Returns the new paths. */
export const nameById = (folder: string, files: readonly MisnamedFile[]): readonly string[] =>
  files.filter(({ path, target }) => moveIfFree(join(folder, path), join(folder, target))).map(({ target }) => target);

const isFree = (folder: string, path: string): boolean =>
  lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined;
