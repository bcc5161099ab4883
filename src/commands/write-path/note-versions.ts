/** Reads versions of notes from the history. */
import { type BlobId, type JournalName, journalNames } from '../../events/note/note.js';
import { type NoteFile, parseNoteFile } from '../../events/note/note-file.js';
import type { Store } from '../worktree/write-store.js';

export type Version = { readonly journal: JournalName; readonly path: string; readonly blob: BlobId };

/** Makes one git call for each journal. */
export const readVersions = async (
  store: Store,
  versions: readonly Version[],
): Promise<(version: Version | undefined) => NoteFile | undefined> => {
  const bytesByBlob = new Map<BlobId, Buffer>();
  for (const name of journalNames) {
    const wanted = versions.filter(({ journal }) => journal === name).map(({ blob }) => blob);
    if (wanted.length === 0) continue;
    for (const [id, bytes] of await store.journals[name].blobs(wanted)) bytesByBlob.set(id, bytes);
  }
  return (version) => {
    const bytes = version === undefined ? undefined : bytesByBlob.get(version.blob);
    if (version === undefined || bytes === undefined) return undefined;
    const parsed = parseNoteFile(bytes, version.journal, version.path);
    return parsed.ok ? parsed.file : undefined;
  };
};
