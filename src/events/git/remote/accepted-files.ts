/** Finds the files that the remote had of some notes, as far as this machine knows. */
import type { BlobId, NoteId } from '../../note/note.js';
import { isNotePath } from '../../note/paths.js';
import { readStated } from '../../note/stated-scope.js';
import type { GitJournal } from '../git-journal.js';
import { isFileMode, parseTree } from '../git-log.js';
import { type GitFolders, runGit } from '../git-process.js';
import { diffTrees } from '../note-tree.js';
import { publishedHeads } from './published-heads.js';

export type AcceptedFile = {
  readonly path: string;
  readonly blob: BlobId;
  readonly bytes: Buffer;
  /** The id inside the file, or from its name if the file can't be read. */
  readonly id: NoteId | undefined;
};

/**
 * Returns the files of these notes anywhere in the remote's heads, and its files of other notes at `paths`. None
 * without a remote. `paths` are all places where the notes are here: if the remote has one elsewhere, it was changed or
 * moved here since, so the difference finds it without reading a whole tree. `machine` is this one.
 */
export const acceptedFiles = async (
  journal: Pick<GitJournal, 'folders' | 'head' | 'blobs'>,
  ids: ReadonlySet<NoteId>,
  paths: readonly string[],
  machine: string,
): Promise<readonly AcceptedFile[]> => {
  const { folders } = journal;
  const now = journal.head();
  const found = new Map<string, Pick<AcceptedFile, 'path' | 'blob'>>();
  for (const head of await publishedHeads(journal, machine)) {
    const changed = now === undefined || now === head ? [] : await diffTrees(folders, head, now);
    const gone = changed.flatMap(({ path, before }) => (before !== undefined && isNotePath(path) ? [path] : []));
    for (const one of await filesAt(folders, head, [...new Set([...paths, ...gone])]))
      found.set(`${one.blob} ${one.path}`, one);
  }
  const contents = await journal.blobs([...new Set([...found.values()].map(({ blob }) => blob))]);
  const here = new Set(paths);
  return [...found.values()].flatMap(({ path, blob }) => {
    const bytes = contents.get(blob);
    if (bytes === undefined) return [];
    const { id } = readStated(bytes, path);
    return here.has(path) || (id !== undefined && ids.has(id)) ? [{ path, blob, bytes, id }] : [];
  });
};

const filesAt = async (
  folders: GitFolders,
  commit: string,
  paths: readonly string[],
): Promise<readonly Pick<AcceptedFile, 'path' | 'blob'>[]> => {
  const files: Pick<AcceptedFile, 'path' | 'blob'>[] = [];
  for (let at = 0; at < paths.length; at += mostPaths) {
    const args = ['ls-tree', '-z', '--full-tree', commit, '--', ...paths.slice(at, at + mostPaths)];
    for (const { mode, path, blob } of parseTree(await runGit(folders, args)))
      if (isFileMode(mode)) files.push({ path, blob });
  }
  return files;
};

/** As many as fit into one command line on any system. */
const mostPaths = 250;
