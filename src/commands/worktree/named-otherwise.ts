/**
 * Files that a person gave a name which no note has (`my-notes.md`). Where the note's own file is gone, such a file is the
 * note still: it gets the name of its id again, in the folder where it lies now.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath, isNotePath } from '../../events/note/paths.js';
import { moveIfFree } from '../../events/worktree/replace-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { LeftFile } from './hand-edits.js';

export type NamedOtherwise = { readonly path: string; readonly target: string; readonly id: NoteId };

/** Of the files that are no notes by their names, the first of each note whose file is among `gone`. */
export const findNamedOtherwise = (
  { name, folder }: Pick<GitJournal, 'name' | 'folder'>,
  ignored: readonly LeftFile[],
  gone: readonly string[],
): readonly NamedOtherwise[] => {
  const wanted = new Set(gone.map(idOfPath));
  const found: NamedOtherwise[] = [];
  for (const { path } of wanted.size === 0 ? [] : ignored) {
    const file = isNotePath(path) ? undefined : readNoteFile(folder, path);
    if (file?.kind !== 'file') continue;
    const parsed = parseNoteFile(file.bytes, name, path);
    if (!parsed.ok || !wanted.delete(parsed.file.note.id)) continue;
    const { id } = parsed.file.note;
    const target = `${path.slice(0, path.lastIndexOf('/'))}/${id}.md`;
    // A folder may be one that no note lies in, and that file is left with the reason.
    if (isNotePath(target) && isFree(folder, target)) found.push({ path, target, id });
  }
  return found;
};

/** Answers the paths at which the notes lie now. */
export const nameById = (folder: string, files: readonly NamedOtherwise[]): readonly string[] =>
  files.filter(({ path, target }) => moveIfFree(join(folder, path), join(folder, target))).map(({ target }) => target);

const isFree = (folder: string, path: string): boolean =>
  lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined;
