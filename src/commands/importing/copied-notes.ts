/** Recognises copies of notes (`cp note.md copy.md`) among the files that were left alone. */
import { type JournalName, journalFolder, type NoteId } from '../../events/note/note.js';
import { notNamedAsNote } from '../../events/note/paths.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { LeftFile } from '../worktree/sort-files.js';
import type { Store } from '../worktree/write-store.js';

/** Gives copies a reason that says what to do: importing one would make a second note of it. */
export const tellCopies = async (
  { journals, lookup }: Pick<Store, 'journals' | 'lookup'>,
  name: JournalName,
  left: readonly LeftFile[],
): Promise<readonly LeftFile[]> => {
  const named = left.filter(({ reason }) => reason === notNamedAsNote);
  if (named.length === 0) return left;
  // Loads the YAML parser, which checking a clean store does without.
  const { parseNoteFile } = await import('../../events/note/note-file.js');
  const idByPath = new Map<string, NoteId>();
  for (const { path } of named) {
    const file = readNoteFile(journals[name].folder, path);
    const parsed = file.kind === 'file' ? parseNoteFile(file.bytes, name, path) : undefined;
    if (parsed?.ok === true) idByPath.set(path, parsed.file.note.id);
  }
  if (idByPath.size === 0) return left;
  const fileOf = await lookup.askPlaces(
    (places) => new Map([...idByPath.values()].map((id) => [id, places.filesOf(id)[0]])),
  );
  return left.map((file) => {
    const id = idByPath.get(file.path);
    const original = id === undefined ? undefined : fileOf.get(id);
    if (original === undefined) return file;
    const where = `${journalFolder[original.journal]}/${original.path}`;
    const isCopy = readNoteFile(journals[original.journal].folder, original.path).kind === 'file';
    if (!isCopy) return { ...file, reason: `it is note ${id}, whose own file is gone: rename it to ${id}.md` };
    const reason = `it is a copy of note ${id} (${where}); take over what you want with anamnesis edit ${id}, then delete it`;
    return { ...file, reason };
  });
};
