/** The body of a note for a model, without a git child. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { findFences } from '../note/fences.js';
import type { BlobId, JournalName } from '../note/note.js';
import { readOnlyFlags, readVersion } from './working-tree.js';

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
  const fences = findFences(readHead(folders[journal], path, maxHeadBytes)?.toString('utf8') ?? '');
  return fences.ok ? fences.body : '';
};

/** Of which a model reads the first 16,000 characters. */
const maxHeadBytes = 64 * 1024;

/** The first bytes of a file, whatever they are; undefined where there is none. */
const readHead = (folder: string, path: string, bytes: number): Buffer | undefined => {
  let handle: number | undefined;
  try {
    handle = openSync(join(folder, path), readOnlyFlags);
    const head = Buffer.allocUnsafe(Math.min(bytes, fstatSync(handle).size));
    return head.subarray(0, readSync(handle, head, 0, head.length, 0));
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};
