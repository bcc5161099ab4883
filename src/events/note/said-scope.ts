/** Reads the note id and the scope that a portable file states, even if its path isn't a note's or it can't be parsed. Pure. */
import type { BlobId, NoteId } from './note.js';
import { type NoteFile, parseNoteFile } from './note-file.js';
import { idOfPath, isNotePath } from './paths.js';

export type Said = {
  /** Undefined for a file that is about no note. */
  readonly id: NoteId | undefined;
  /** It says `scope: machine-local`, as the files in local/ do. */
  readonly isLocal: boolean;
};

/** The folder determines a note's scope, but a person who writes this means their text to stay here. */
export const saysMachineLocal = ({ front }: NoteFile): boolean => front.values['scope'] === 'machine-local';

export const readSaid = (bytes: Buffer, path: string): Said => {
  const parsed = parseNoteFile(bytes, 'portable', path);
  return parsed.ok
    ? { id: parsed.file.note.id, isLocal: saysMachineLocal(parsed.file) }
    : { ...saidByPath(path), isLocal: startsAsLocal(bytes) };
};

/** Of a file of which nothing else is known. */
export const saidByPath = (path: string): Said => ({
  id: isNotePath(path) ? idOfPath(path) : undefined,
  isLocal: false,
});

/** By the contents, gathered where they are read for another reason: reading them once more would take another run of git. */
export type SaidByBlob = Map<BlobId, Said>;

/** `paths` are all that have this content. An ordinary note isn't parsed for this; there may be many. */
export const gatherSaid = (said: SaidByBlob, blob: BlobId, paths: readonly string[], bytes: Buffer): void => {
  // A body may name another note's id on a line of its own.
  const end = bytes.indexOf('\n---');
  const isOrdinary = (path: string): boolean => {
    const at = isNotePath(path) ? bytes.indexOf(`\nid: ${idOfPath(path)}\n`) : -1;
    return at !== -1 && at < end;
  };
  if (bytes.includes('machine-local') || !paths.every(isOrdinary)) said.set(blob, readSaid(bytes, ''));
};

/** The note is the one that the content names, and if it names none, that of the path. */
export const saidAt = (said: SaidByBlob, blob: BlobId, path: string): Said => {
  const found = said.get(blob);
  const byPath = saidByPath(path);
  return found === undefined ? byPath : { id: found.id ?? byPath.id, isLocal: found.isLocal };
};

/**
 * By eye, where a person broke the front matter or wrote above it: it is a note of local/ all the same. Documentation may show
 * such lines, but hardly the id of a note.
 */
const startsAsLocal = (bytes: Buffer): boolean => {
  const start = bytes.subarray(0, maxFrontBytes).toString('utf8');
  const fence = /^\ufeff?---[ \t]*$/m.exec(start);
  if (fence === null) return false;
  const front = start.slice(fence.index);
  return (
    /^scope[ \t]*:[ \t]*["']?machine-local\b/m.test(front) &&
    (fence.index === 0 || /^id[ \t]*:[ \t]*["']?[0-9A-HJKMNP-TV-Z]{26}\b/m.test(front))
  );
};
const maxFrontBytes = 16_384;
