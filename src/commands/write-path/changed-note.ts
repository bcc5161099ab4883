/** Tells which note a change writes or removes, whatever its file is called. Pure. */
import type { FileChange } from '../../events/event.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';

/** For a file that is removed or can't be parsed, it is the journal's note at that path. */
export const changedNote = (
  { journal, path, bytes }: FileChange,
  idAt: (journal: JournalName, path: string) => NoteId | undefined,
): NoteId => {
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
  return parsed?.ok === true ? parsed.file.note.id : (idAt(journal, path) ?? idOfPath(path));
};
