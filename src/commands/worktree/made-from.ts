/** Tells which version a file was made from by its `updated_at`, which every edit of ours sets. */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { BlobId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { Unseen } from './unseen-versions.js';

/**
 * Returns, by path, the bases of files that turn out to contain the unseen version: a person's git checked it out,
 * which git's log does not always show. If the commit that replaced the version is in effect again, the file's text
 * from that version counts as its own.
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
