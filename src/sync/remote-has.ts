/** Which notes the remote has, as far as this machine knows. */
import type { GitJournal } from '../events/git/git-journal.js';
import { acceptedFiles } from '../events/git/remote/accepted-files.js';
import type { NoteId } from '../events/note/note.js';

/** Those of the notes of which it has a portable file; by the paths where they lie here, each note's all. */
export const remoteHas = async (
  journal: Pick<GitJournal, 'folders' | 'head' | 'blobs'>,
  pathsById: ReadonlyMap<NoteId, readonly string[]>,
  machine: string,
): Promise<ReadonlySet<NoteId>> => {
  const accepted = await acceptedFiles(journal, new Set(pathsById.keys()), [...pathsById.values()].flat(), machine);
  return new Set(accepted.flatMap(({ id }) => (id !== undefined && pathsById.has(id) ? [id] : [])));
};
