/** Ids out of long listings of paths. Pure. */
import type { NoteId } from '../../note/note.js';
import { idOfPath, isNotePath } from '../../note/paths.js';

/**
 * The id in a path of a note, undefined for other paths. Each is held once and apart from the text that it was read from: thousands
 * of commits may change the same notes, and a piece of a text keeps the whole of it in memory.
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
