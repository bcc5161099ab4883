/**
 * Renames a file on one side if the other side has a folder of that name: a git tree can have only one of the two, and
 * writing one replaces the other, with all that is in it. Pure.
 */
import type { ImportedChange, PathChange, TreeEntry } from '../../events/journal.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import type { BlobId } from '../../events/note/note.js';
import { idOfPath, isNotePath, noteFolders } from '../../events/note/paths.js';
import { isWrite } from './places.js';

/** Whether a path of ours may be a folder on the other side, or the other way round. */
export const mayCollide = (ours: readonly PathChange[], theirs: readonly PathChange[]): boolean => {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const { path, after } of theirs) {
    if (after === undefined) continue;
    files.add(path);
    for (const folder of foldersAbove(path)) folders.add(folder);
  }
  return ours.some(({ path }) => folders.has(path) || foldersAbove(path).some((folder) => files.has(folder)));
};

/** Whether a file is in the place of a folder into which merging may put notes. */
export const isInTheWay = ({ path }: TreeEntry): boolean =>
  mergedInto.has(path.split('/')[0] ?? '') && !isNotePath(path);

const mergedInto: ReadonlySet<string> = new Set([...noteFolders, 'unreadable']);

/** Returns a commit's changes, removals first, with colliding files renamed. Called for one commit after the other. */
export type SolvePaths = (changes: readonly ImportedChange[]) => readonly ImportedChange[];

/**
 * `entries` are all files upstream. Notes keep the folders that people gave them, so the file is renamed, and it makes
 * no difference to the tree who published first. Later commits' changes to a renamed path apply to its new name.
 */
export const openPathSolver = (entries: readonly TreeEntry[]): SolvePaths => {
  const files = new Map<string, ImportedChange>(entries.map(({ path, blob, mode }) => [path, { path, blob, mode }]));
  /** Folders, with the number of files in them. */
  const folders = new Map<string, number>();
  const names = new Map<string, string>();
  const count = (path: string, by: number): void => {
    for (const folder of foldersAbove(path)) folders.set(folder, (folders.get(folder) ?? 0) + by);
  };
  for (const path of files.keys()) count(path, 1);
  const isFolder = (path: string): boolean => (folders.get(path) ?? 0) > 0;
  const isFree = (path: string): boolean =>
    !files.has(path) && !isFolder(path) && !foldersAbove(path).some((folder) => files.has(folder));
  const blobOf = (change: ImportedChange): BlobId =>
    'blob' in change ? change.blob : blobIdOf(change.bytes ?? Buffer.alloc(0), entries[0]?.blob);
  /** If an equal file has the name already, that one is not ours: later commits of ours leave it alone. */
  const nameFor = (change: ImportedChange, planned: string): string => {
    const blob = blobOf(change);
    const isThere = (name: string): boolean => {
      const there = files.get(name);
      return there !== undefined && !isNotePath(name) && blobOf(there) === blob;
    };
    for (let round = 0; ; round += 1) {
      const name = otherName(change.path, blob, round);
      if (isFree(name)) names.set(planned, name);
      else if (isThere(name)) names.delete(planned);
      else continue;
      return name;
    }
  };

  return (changes) => {
    const removed = new Set<string>();
    const written = new Map<string, ImportedChange>();
    const remove = (path: string): void => {
      if (!files.delete(path)) return;
      count(path, -1);
      written.delete(path);
      removed.add(path);
    };
    const write = (change: ImportedChange): void => {
      if (!files.has(change.path)) count(change.path, 1);
      files.set(change.path, change);
      written.set(change.path, change);
    };
    const makeWay = (path: string): void => {
      const file = files.get(path);
      if (file === undefined) return;
      const name = nameFor(file, [...names].find(([, one]) => one === path)?.[0] ?? path);
      remove(path);
      write({ ...file, path: name });
    };
    for (const change of changes) {
      const path = names.get(change.path) ?? change.path;
      if (!isWrite(change)) {
        names.delete(change.path);
        // If the path has become a folder, git would remove all that is in it.
        remove(path);
        continue;
      }
      for (const folder of foldersAbove(path)) makeWay(folder);
      write({ ...change, path: isFolder(path) ? nameFor({ ...change, path }, change.path) : path });
    }
    return [...[...removed].map((path) => ({ path, bytes: undefined })), ...written.values()];
  };
};

/**
 * A file that is not a note keeps its name and gets a suffix from its content, so that two machines that find the same
 * file in the way give it the same name.
 */
const otherName = (path: string, blob: BlobId, round: number): string => {
  if (isNotePath(path)) {
    const [type = ''] = path.split('/');
    const id = idOfPath(path);
    return `${type}/${id.slice(-2)}${round === 0 ? '' : `-${round}`}/${id}.md`;
  }
  return withSuffix(path, round === 0 ? shortSuffix(blob) : `.${blob}${round === 1 ? '' : `-${round}`}`);
};

/** Whether a file that is not a note may have got `name` when it had to make way. */
export const isOtherName = (path: string, blob: BlobId, name: string): boolean => {
  const at = name.lastIndexOf(shortSuffix(blob));
  return at !== -1 && withSuffix(path, name.slice(at)) === name;
};

const shortSuffix = (blob: BlobId): string => `.${blob.slice(0, 8)}`;

/** Truncates a long name between two characters: no file system allows more bytes. */
export const withSuffix = (path: string, suffix: string): string => {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = Buffer.from(path.slice(folder.length));
  let end = Math.min(name.length, maxNameBytes - Buffer.byteLength(suffix));
  while (end < name.length && isInsideCharacter(name[end])) end -= 1;
  return `${folder}${name.toString('utf8', 0, end)}${suffix}`;
};
const maxNameBytes = 255;

const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns the folders above a path, from the outermost down; none for a file at the top. */
export const foldersAbove = (path: string): readonly string[] => {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
};
