/** The `Move` trailer of old versions: the file that a moved note left behind. Pure. */
import { type BlobId, type JournalName, journalFolder, journalNames } from './note/note.js';

export type LeftFile = { readonly journal: JournalName; readonly blob: BlobId; readonly path: string };

/** `move` is `<folder of the journal> <blob> <path>`. */
export const parseMove = (move: string): LeftFile | undefined => {
  const [folder = '', blob = '', ...path] = move.split(' ');
  const journal = journalNames.find((name) => journalFolder[name] === folder);
  return journal === undefined || blob === '' ? undefined : { journal, blob, path: path.join(' ') };
};
