/** The files of trees that are merged, and their names. Pure. */
import type { BlobId, Note } from '../note/note.js';

export type Contents = ReadonlyMap<BlobId, Buffer>;

export type FileState = {
  readonly blob: BlobId;
  readonly mode: string;
  /** The merge made this content, so git doesn't have it yet. */
  readonly isMade?: boolean;
};

export type PathStates = {
  readonly path: string;
  readonly base: FileState | undefined;
  readonly a: FileState | undefined;
  readonly b: FileState | undefined;
};

/** A file of the merged tree, at the path that it gets if that is free. */
export type PlacedFile = {
  readonly path: string;
  readonly state: FileState;
  /** The note that it holds; undefined for any other file. */
  readonly note: Pick<Note, 'id' | 'type'> | undefined;
};

export const shortSuffix = (blob: BlobId): string => `.${blob.slice(0, 8)}`;

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
