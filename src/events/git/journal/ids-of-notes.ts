/** Extracts note ids from long listings of paths. Pure. */
import type { NoteId } from '../../note/note.js';
import { idOfPath, isNotePath } from '../../note/paths.js';

/**
 * Returns the id in a note's path, undefined for other paths. Each id is held once, as a copy: thousands of commits may
 * change the same notes, and a substring keeps its whole source text in memory.
 */
export const openIdsOfNotes = (): ((path: string) => NoteId | undefined) => {
  const known = new Map<NoteId, NoteId>();
  return (path) => {
    if (!isNotePath(path)) return undefined;
    const id = idOfPath(path);
    const held = known.get(id);
    if (held !== undefined) return held;
    const copy = Buffer.from(id).toString();
    known.set(copy, copy);
    return copy;
  };
};
