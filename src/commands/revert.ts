/** Makes an older text current again, for undo and for restoring to a point. Pure. */
import type { KnownVersion } from '../events/event.js';
import type { NoteId, NoteType } from '../events/note/note.js';
import { formatNoteFile, type NoteFile } from '../events/note/note-file.js';
import { pathOfNote } from '../events/note/paths.js';
import type { MaskCount } from '../events/note/redact.js';
import type { KnownNotes } from './command.js';
import { redactFile } from './redact-fields.js';

export type CleanFile = { readonly file: NoteFile; readonly bytes: Buffer; readonly masked: readonly MaskCount[] };

/** History may hold a secret that was masked later; it must not come back. */
export const cleanFile = (file: NoteFile): CleanFile => {
  const clean = redactFile(file);
  return { ...clean, bytes: formatNoteFile(clean.file) };
};

/** The same place, unless it is in the folder of another type. */
export const placeForType = (
  { journal, path }: Pick<KnownVersion, 'journal' | 'path'>,
  type: NoteType,
  id: NoteId,
): Pick<KnownVersion, 'journal' | 'path'> => ({
  journal,
  path: path.startsWith(`${type}/`) ? path : pathOfNote(type, id),
});

/** The first of `older` that supersedes `id`, also through others. `planned`: lists that the same event sets. */
export const findCycle = (
  notes: Pick<KnownNotes, 'supersedes'>,
  id: NoteId,
  older: readonly NoteId[],
  planned: ReadonlyMap<NoteId, readonly NoteId[]> = new Map(),
): NoteId | undefined =>
  older.find((start) => {
    const seen = new Set<NoteId>();
    const pending = [start];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (at === id) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      pending.push(...(planned.get(at) ?? notes.supersedes(at)));
    }
    return false;
  });
