/**
 * Reads which notes commits change from the ids inside the files: a person may have put one in another note's place.
 */
import { isObjectId } from '../../note/blob-id.js';
import type { BlobId, NoteId } from '../../note/note.js';
import { parseNoteFile } from '../../note/note-file.js';
import { idOfPath, isNotePath } from '../../note/paths.js';
import { readInBatches } from '../../read-in-batches.js';
import { readBlobs, readSizes } from '../blob-stream.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';
import { splitFields } from '../path-bytes.js';
import type { ChangedNotes } from './foreign-commits.js';

type Version = { readonly path: string; readonly blob: BlobId };

/** Reads every note version that these commits add or remove: for the few commits whose paths say too little. */
export const readNotesByContent = async (folders: GitFolders, hashes: readonly string[]): Promise<ChangedNotes> => {
  const stated = new Map<string, readonly NoteId[]>();
  const source = {
    blobs: (ids: readonly BlobId[], inAll?: number) => readBlobs(folders, ids, { inAll }),
    sizes: (ids: readonly BlobId[]) => readSizes(folders, ids),
  };
  const ids = new Map<string, NoteId>();
  for (const hash of hashes) {
    const versions = await readVersionsOf(folders, hash);
    const keyOf = ({ path, blob }: Version): string => `${blob} ${idOfPath(path)}`;
    const unread = versions.filter((version) => !ids.has(keyOf(version)));
    for await (const { entry, bytes } of readInBatches(source, unread)) {
      const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, 'portable', entry.path);
      ids.set(keyOf(entry), parsed?.ok === true ? parsed.file.note.id : idOfPath(entry.path));
    }
    stated.set(hash, [...new Set(versions.flatMap((version) => ids.get(keyOf(version)) ?? []))]);
  }
  return stated;
};

/** Returns the note versions before and after a commit; for a merge, on all its sides. */
const readVersionsOf = async (folders: GitFolders, hash: string): Promise<readonly Version[]> => {
  const args = ['log', '-z', '--format=', '--root', '--raw', '-c', '--no-abbrev', ...everyChange, '--no-walk', hash];
  const fields = splitFields(await runGit(folders, args));
  const versions: Version[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? '';
    if (!isNotePath(path)) continue;
    const blobs = (fields[at] ?? '').split(' ').filter((text) => isObjectId(text) && !noObject.test(text));
    versions.push(...blobs.map((blob) => ({ path, blob })));
  }
  return versions;
};

const noObject = /^0+$/;
