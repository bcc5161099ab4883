/** Undoes what an event did to one note: its inverse, merged with what came since. Pure. */
import type { FileChange, KnownVersion } from '../events/event.js';
import { mergeNotes } from '../events/note/merge.js';
import type { Note, NoteId } from '../events/note/note.js';
import { formatNoteFile, type NoteFile, setNoteFields } from '../events/note/note-file.js';
import type { MaskCount } from '../events/note/redact.js';
import { type KnownNote, type NoteEffect, type PastNote, removeNote } from './command.js';
import type { Refusal } from './refusals.js';
import { cleanFile, placeForType } from './revert.js';

export type UndoOutcome =
  | {
      readonly kind: 'changed';
      readonly id: NoteId;
      readonly now: Note | undefined;
      readonly after: Note | undefined;
      readonly changes: readonly FileChange[];
      readonly masked: readonly MaskCount[];
      /** Keys whose change by the event can't be undone. */
      readonly kept: readonly string[];
    }
  | { readonly kind: 'same'; readonly id: NoteId }
  | { readonly kind: 'stays'; readonly id: NoteId; readonly refusal: Refusal };

export const undoEffect = (eventId: string, effect: NoteEffect, known: KnownNote | undefined): UndoOutcome => {
  const { id, before, after } = effect;
  const stays = (instead: string): UndoOutcome => ({
    kind: 'stays',
    id,
    refusal: changedSince(eventId, effect, instead),
  });
  // A version of one journal never gets into the other.
  const isElsewhere = known !== undefined && known.place.journal !== (before ?? after)?.place.journal;
  if (isElsewhere) return stays(`anamnesis edit ${id}`);
  if (before === undefined) {
    if (known === undefined) return { kind: 'same', id };
    return after === undefined || isUntouched(after, known) ? unmake(after, known) : stays(`anamnesis forget ${id}`);
  }
  if (after === undefined) return known === undefined ? bringBack(id, before) : { kind: 'same', id };
  return known === undefined
    ? stays(`anamnesis restore ${id}`)
    : (turnBack(id, before, after, known) ?? stays(`anamnesis restore ${id} --at POINT`));
};

/** Of a note that has another file besides the one that came, only that one goes. */
const unmake = (came: PastNote | undefined, known: KnownNote): UndoOutcome => {
  const { file, copies } = known;
  const all = removeNote(known);
  const changes = copies.length === 0 ? all : all.filter(({ path }) => path === came?.place.path);
  const after = changes.length === all.length ? undefined : file.note;
  return { kind: 'changed', id: file.note.id, now: file.note, after, changes, masked: [], kept: [] };
};

const bringBack = (id: NoteId, { file, place: { journal, path } }: PastNote): UndoOutcome => {
  const clean = cleanFile(file);
  const changes: readonly FileChange[] = [{ journal, path, bytes: clean.bytes }];
  return { kind: 'changed', id, now: undefined, after: clean.file.note, changes, masked: clean.masked, kept: [] };
};

/** Undefined if nothing can be restored that was not changed again since. */
const turnBack = (id: NoteId, before: PastNote, after: PastNote, known: KnownNote): UndoOutcome | undefined => {
  const { file: now, place } = known;
  // The later change is `theirs`: it wins where both changed a single value.
  const untouched = isUntouched(after, known);
  const merged = untouched ? undefined : mergeNotes(after.file, before.file, now);
  if (merged?.clashing !== undefined) return undefined;
  const kept = untouched ? [] : contestedKeys(after.file.note, before.file.note, now.note);
  const { file, bytes, masked } = cleanFile(merged?.file ?? before.file);
  const target = placeForType(place.path === after.place.path ? before.place : place, file.note.type, id);
  if (target.path === place.path && saysTheSame(file, now)) return kept.length > 0 ? undefined : { kind: 'same', id };
  const written: readonly FileChange[] = [{ journal: place.journal, path: target.path, bytes }];
  const leave: readonly FileChange[] =
    target.path === place.path ? [] : [{ journal: place.journal, path: place.path, bytes: undefined }];
  const changes = [...written, ...leave];
  return { kind: 'changed', id, now: now.note, after: file.note, changes, masked, kept };
};

type Place = Pick<KnownVersion, 'journal' | 'path'>;

export const isAt = (one: Place, other: Place): boolean => one.journal === other.journal && one.path === other.path;

/** Neither masking a person's commit nor a new updated_at alone counts as an edit. */
const isUntouched = (after: PastNote, known: KnownNote): boolean =>
  saysTheSame(after.file, known.file) || saysTheSame(cleanFile(after.file).file, known.file);

/** True if the files differ at most in updated_at. */
const saysTheSame = (one: NoteFile, other: NoteFile): boolean =>
  formatNoteFile(setNoteFields(one, { updatedAt: other.note.updatedAt })).equals(formatNoteFile(other));

/** Front matter keys of single values that the event set and that were set again since. */
const contestedKeys = (after: Note, before: Note, now: Note): readonly string[] =>
  singleKeys
    .filter((key) => before[key] !== after[key] && now[key] !== after[key] && now[key] !== before[key])
    .map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

const singleKeys = [
  'type',
  'title',
  'project',
  'confidence',
  'importance',
  'expiresAt',
  'sensitive',
] as const satisfies readonly (keyof Note)[];

const changedSince = (eventId: string, { id, changedBy }: NoteEffect, instead: string): Refusal => ({
  code: 'changed-since',
  message: `event ${eventId} can't be taken back: note ${id} was changed since${changedBy === undefined ? '' : ` by event ${changedBy.id} (${changedBy.kind})`}`,
  next: `${changedBy === undefined ? '' : `undo that one first: anamnesis undo ${changedBy.id}, or `}use: ${instead}`,
});
