/** Takes in a file of memory/ that adopting leaves alone for its id, as a new note. */
import { journalFolder, type NoteId } from '../../events/note/note.js';
import { formatNoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { pathOfNote } from '../../events/note/paths.js';
import { derivedUlid, timeOfUlid } from '../../events/ulid-form.js';
import { compareFiles } from '../../events/worktree/checked-out-files.js';
import { putNoteFile, readNoteFile, removeNoteFile } from '../../events/worktree/working-tree.js';
import { writtenAnew } from '../move.js';
import type { Refusal } from '../refusals.js';
import type { Store } from './write-store.js';

/** Gives such files ids of their own, under which the next look adopts them. Requires the write lock. */
export const publishLeft = async (store: Store, id: NoteId): Promise<Refusal | undefined> => {
  const { journals, state, lookup } = store;
  const { folder } = journals.portable;
  await lookup.catchUp(journals.portable);
  const { changed } = await compareFiles(folder, state.allStamps('portable'), false);
  let count = 0;
  for (const path of changed) {
    const found = readNoteFile(folder, path);
    const parsed = found.kind === 'file' ? parseNoteFile(found.bytes, 'portable', path) : undefined;
    if (found.kind !== 'file' || parsed?.ok !== true || parsed.file.note.id !== id) continue;
    if (lookup.blobAt('portable', path) !== undefined) continue;
    const own = derivedUlid(timeOfUlid(id), 'published', id, found.row.blob);
    const { note, ...file } = writtenAnew(parsed.file, own, { scope: 'portable' });
    putNoteFile(folder, pathOfNote(note.type, own), formatNoteFile({ note, ...file }), undefined);
    removeNoteFile(folder, path, found.row.blob);
    count += 1;
  }
  return count > 0 ? undefined : noneLeft(id);
};

const noteFolder = `${journalFolder.portable}/`;

const noneLeft = (id: NoteId): Refusal => ({
  code: 'none-left',
  message: `no file in ${noteFolder} was left because it says it is note ${id}`,
  next: `anamnesis status names the files that were left; a machine-local note is published by: anamnesis move ${id} --scope portable`,
});
