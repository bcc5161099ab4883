/** The files of some notes that the remote had when it was last taken over. */
import type { BlobId, NoteId } from '../../note/note.js';
import { noteFolders } from '../../note/paths.js';
import { acceptedHead } from '../branch.js';
import { parseTree } from '../git-log.js';
import { type GitFolders, runGit } from '../git-process.js';

export type AcceptedFile = { readonly path: string; readonly blob: BlobId };

/**
 * By note; none without a remote. Looked for where the note lies here, and where its file usually lies. One git call for
 * some hundred notes.
 */
export const acceptedFiles = async (
  folders: GitFolders,
  pathsById: ReadonlyMap<NoteId, readonly string[]>,
): Promise<ReadonlyMap<NoteId, readonly AcceptedFile[]>> => {
  const accepted = acceptedHead(folders);
  const wanted = new Map([...pathsById].map(([id, paths]) => [id, new Set([...paths, ...usualPaths(id)])]));
  const blobs = new Map<string, BlobId>();
  const all = accepted === undefined ? [] : [...new Set([...wanted.values()].flatMap((paths) => [...paths]))];
  for (let at = 0; at < all.length; at += mostPaths) {
    const args = ['ls-tree', '-z', '--full-tree', accepted ?? '', '--', ...all.slice(at, at + mostPaths)];
    for (const { path, blob } of parseTree(await runGit(folders, args))) blobs.set(path, blob);
  }
  return new Map(
    [...wanted].map(([id, paths]) => [
      id,
      [...paths].flatMap((path) => {
        const blob = blobs.get(path);
        return blob === undefined ? [] : [{ path, blob }];
      }),
    ]),
  );
};

/** What one command line holds everywhere. */
const mostPaths = 250;

const usualPaths = (id: NoteId): readonly string[] =>
  noteFolders.flatMap((folder) => [`${folder}/${id.slice(-2)}/${id}.md`, `${folder}/${id}.md`]);
