/** Which notes the remote has, as far as this machine knows. */
import type { GitJournal } from '../events/git/git-journal.js';
import { acceptedFiles } from '../events/git/remote/accepted-files.js';
import type { NoteId } from '../events/note/note.js';

/** Returns the notes of which the remote has a portable file. `pathsById` has all paths of each note here. */
export const remoteHas = async (
  journal: Pick<GitJournal, 'folders' | 'head' | 'blobs'>,
  pathsById: ReadonlyMap<NoteId, readonly string[]>,
  machine: string,
): Promise<ReadonlySet<NoteId>> => {
  const accepted = await acceptedFiles(journal, new Set(pathsById.keys()), [...pathsById.values()].flat(), machine);
  return new Set(accepted.flatMap(({ id }) => (id !== undefined && pathsById.has(id) ? [id] : [])));
};
