/** Finds the file of a JSONL import and the name of the source. */
import { basename, join } from 'node:path';
import { isGivenFolder, isInnerFile, nameOf } from './files.js';

export type JsonlSource = { readonly file: string; readonly name: string };

export const isJsonlName = (name: string): boolean => /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(name);

/** Returns the folder's `notes.jsonl`, or else its `notes.jsonl.gz`. */
export const findNotesFile = (folder: string): string | undefined =>
  ['notes.jsonl', 'notes.jsonl.gz'].map((name) => join(folder, name)).find(isInnerFile);

/** Throws when nothing is there. */
export const locateJsonl = (path: string): JsonlSource => {
  if (!isGivenFolder(path))
    return {
      file: path,
      name: basename(path)
        .replace(/\.gz$/i, '')
        .replace(/\.(?:jsonl|ndjson)$/i, ''),
    };
  const file = findNotesFile(path);
  if (file === undefined) throw new Error(`there is no notes.jsonl and no notes.jsonl.gz in ${path}`);
  return { file, name: nameOf(path) };
};
