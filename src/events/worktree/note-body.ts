/** Reads the body of a note for a model, without a git child. */
import { join } from 'node:path';
import { findFences } from '../note/fences.js';
import type { BlobId, JournalName } from '../note/note.js';
import { firstBytes } from './first-bytes.js';
import { readVersion } from './working-tree.js';

type Place = { readonly journal: JournalName; readonly path: string; readonly version: BlobId };

/** Returns '' when the file isn't the version that the index knows: then the title stands in for the note. */
export const bodyOf = ({ journal, path, version }: Place, folders: Readonly<Record<JournalName, string>>): string => {
  const fences = findFences(readVersion(folders[journal], path, version)?.toString('utf8') ?? '');
  return fences.ok ? fences.body : '';
};

/** The beginning of the current file's body, unverified: for judging a note, its version isn't worth a hash. */
export const headOf = (
  { journal, path }: Pick<Place, 'journal' | 'path'>,
  folders: Readonly<Record<JournalName, string>>,
): string => {
  const fences = findFences(firstBytes(join(folders[journal], path), maxHeadBytes)?.toString('utf8') ?? '');
  return fences.ok ? fences.body : '';
};

/** A model reads the first 16,000 characters of it. */
const maxHeadBytes = 64 * 1024;
