/** Tells from a file which version it was made from: every edit of ours sets the front matter's `updated_at`. */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { BlobId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { Unseen } from './unseen-versions.js';

/**
 * By path, the bases of files whose version somebody's git has laid out after all, as the files tell; git's log does not tell
 * of each. Where the commit that took the version's place is the head's again, what the file has of the version is its own.
 */
export const findSeen = async (
  journal: GitJournal,
  unseen: ReadonlyMap<string, Unseen>,
): Promise<ReadonlyMap<string, BlobId | undefined>> => {
  const seen = new Map<string, BlobId | undefined>();
  const ids = [...unseen.values()].flatMap(({ base, version }) => [base, version]).filter((id) => id !== undefined);
  if (ids.length === 0) return seen;
  const blobs = await journal.blobs(ids);
  for (const [path, { base, version, after }] of unseen) {
    const timeOf = (bytes: Buffer | undefined): string | undefined => {
      const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal.name, path);
      return parsed?.ok === true ? parsed.file.note.updatedAt : undefined;
    };
    const blobTime = (id: BlobId | undefined): string | undefined =>
      timeOf(id === undefined ? undefined : blobs.get(id));
    const time = blobTime(version);
    if (version === undefined || time === undefined || time === blobTime(base)) continue;
    const file = readNoteFile(journal.folder, path);
    if (file.kind === 'file' && timeOf(file.bytes) === time) seen.set(path, after === version ? version : base);
  }
  return seen;
};
