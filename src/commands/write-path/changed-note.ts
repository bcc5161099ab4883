/** The note whose file a change writes or removes, whatever the file is called. Pure. */
import type { FileChange } from '../../events/event.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';

/** Of a file that goes, or that can't be read, what the journal has at its path tells. */
export const changedNote = (
  { journal, path, bytes }: FileChange,
  idAt: (journal: JournalName, path: string) => NoteId | undefined,
): NoteId => {
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
  return parsed?.ok === true ? parsed.file.note.id : (idAt(journal, path) ?? idOfPath(path));
};
