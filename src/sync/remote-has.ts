/** Which notes the remote has, as far as this machine knows. */
import type { GitJournal } from '../events/git/git-journal.js';
import { acceptedFiles } from '../events/git/remote/accepted-files.js';
import type { NoteId } from '../events/note/note.js';

/** Those of the notes of which it has a portable file, by the paths where they lie here. */
export const remoteHas = async (
  { folders }: Pick<GitJournal, 'folders'>,
  pathsById: ReadonlyMap<NoteId, readonly string[]>,
): Promise<ReadonlySet<NoteId>> => {
  const accepted = await acceptedFiles(folders, pathsById);
  return new Set([...accepted].flatMap(([id, files]) => (files.length > 0 ? [id] : [])));
};
