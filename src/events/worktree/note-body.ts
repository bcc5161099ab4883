/** The body of a note for a model, without a git child. */
import { join } from 'node:path';
import { findFences } from '../note/fences.js';
import type { BlobId, JournalName } from '../note/note.js';
import { firstBytes } from './first-bytes.js';
import { readVersion } from './working-tree.js';

type Place = { readonly journal: JournalName; readonly path: string; readonly version: BlobId };

/** Empty where the file is not the one that the index knows: then the title speaks for the note. */
export const bodyOf = ({ journal, path, version }: Place, folders: Readonly<Record<JournalName, string>>): string => {
  const fences = findFences(readVersion(folders[journal], path, version)?.toString('utf8') ?? '');
  return fences.ok ? fences.body : '';
};

/**
 * The same of the file as it is now, and no more than its beginning: where a note is only weighed, and not put in an order that
 * others are to see again, its version is not worth a hash.
 */
export const headOf = (
  { journal, path }: Pick<Place, 'journal' | 'path'>,
  folders: Readonly<Record<JournalName, string>>,
): string => {
  const fences = findFences(firstBytes(join(folders[journal], path), maxHeadBytes)?.toString('utf8') ?? '');
  return fences.ok ? fences.body : '';
};

/** Of which a model reads the first 16,000 characters. */
const maxHeadBytes = 64 * 1024;
