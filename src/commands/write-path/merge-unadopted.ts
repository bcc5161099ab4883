/** Merges files that adopting left in memory/ into their machine-local note, or keeps them beside it. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { FileChange, Stamp } from '../../events/event.js';
import { conflictCopy, mergeNotes } from '../../events/note/merge.js';
import { journalFolder, type NoteId } from '../../events/note/note.js';
import { formatNoteFile, type NoteFile } from '../../events/note/note-file.js';
import { pathOfNote } from '../../events/note/paths.js';
import type { Masked } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import type { LostInFold, UnadoptedText } from '../command.js';
import { redactFile } from '../redact-fields.js';

export type WithUnadoptedTexts = {
  readonly file: NoteFile;
  /** Further machine-local notes, each with the text of a file that can't be merged. */
  readonly beside: readonly { readonly id: NoteId; readonly change: FileChange }[];
  readonly masked: readonly Masked[];
  readonly lost: readonly LostInFold[];
  readonly warnings: readonly string[];
};

/** `note` is the machine-local file that is about to be written. */
export const mergeUnadopted = (note: NoteFile, left: readonly UnadoptedText[], stamp: Stamp): WithUnadoptedTexts =>
  left.reduce<WithUnadoptedTexts>((all, one) => takeOne(all, one, stamp), {
    file: note,
    beside: [],
    masked: [],
    lost: [],
    warnings: [],
  });

const takeOne = (
  all: WithUnadoptedTexts,
  { path, file: typed, base }: UnadoptedText,
  stamp: Stamp,
): WithUnadoptedTexts => {
  const where = `${journalFolder.portable}/${path}`;
  const known = { ...all, warnings: [...all.warnings, `${where} had nothing new, and was removed`] };
  if (isSaidBy(all.file, typed)) return known;
  const merged = base === undefined ? undefined : mergeNotes(base, all.file, typed);
  if (merged === undefined || merged.clashing !== undefined) return keepBeside(all, path, typed, stamp);
  if (formatNoteFile(merged.file).equals(formatNoteFile(all.file)) && merged.lost.length === 0) return known;
  const { file, masked } = redactFile(merged.file);
  const lost = merged.lost.map((value): LostInFold => ({ ...value, noteId: file.note.id, journal: 'local' }));
  return {
    ...all,
    file,
    masked: [...all.masked, ...masked],
    lost: [...all.lost, ...lost],
    warnings: [...all.warnings, `what was typed into ${where} is in the note now`],
  };
};

const keepBeside = (all: WithUnadoptedTexts, path: string, typed: NoteFile, stamp: Stamp): WithUnadoptedTexts => {
  const { masked, warning, ...copy } = noteBeside(typed, path, stamp);
  return {
    ...all,
    beside: [...all.beside, copy],
    masked: [...all.masked, ...masked],
    warnings: [...all.warnings, warning],
  };
};

/** Makes a machine-local note with the text of a file in memory/. */
export const noteBeside = (
  typed: NoteFile,
  path: string,
  { eventId, atMs }: Stamp,
): WithUnadoptedTexts['beside'][number] & { readonly masked: readonly Masked[]; readonly warning: string } => {
  const { file, masked } = redactFile(typed);
  const note = { ...file.note, scope: 'machine-local' as const };
  const copy = conflictCopy(note, note.body, `${eventId} ${path}`, atMs, formatTime(atMs));
  const { id, type } = copy.note;
  const change: FileChange = { journal: 'local', path: pathOfNote(type, id), bytes: formatNoteFile(copy) };
  const warning = `the text of ${journalFolder.portable}/${path} is kept as ${id}: anamnesis conflicts`;
  return { id, change, masked, warning };
};

/** True if the note says all of `typed`; scope and updated_at are ignored. */
export const isSaidBy = ({ note }: NoteFile, typed: NoteFile): boolean => {
  const { scope, updatedAt } = note;
  return isDeepStrictEqual({ ...typed.note, scope, updatedAt }, note);
};
